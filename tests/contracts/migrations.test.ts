import { sql } from "kysely";
import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NewerDatabaseError, UnreleasedDatabaseError } from "~/db/migrate.server";
import { findDamage } from "~/db/sqlite-file.server";
import { dialects, testDatabase, type TemplateDatabase, type TestDatabase } from "../databases";
import { removeAfterTest } from "../fixture";
import { withRawConnection, migrateThrough, dumpSchema } from "../factories/old-database";
import { checkIntegrity } from "../faults/ledger";
import { addSubscribers } from "../faults/subscribers";
import { runNode } from "../run-node";
import { SEED, createRandom } from "../seeded-random";
import { chooseSize } from "../sizes";

const KILLS = chooseSize({ daily: 3, full: 50 });
const SUBSCRIBERS = 200;
const OLD = "0002-submissions";

/** Opens the database in a process. @returns the number of its statements, undefined when it was killed. */
async function start(place: TestDatabase, ...dying: string[]): Promise<number | undefined> {
  const { code, stdout, output } = await runNode(
    ["tests/factories/dying-start.ts", ...dying],
    place.environment,
  );
  if (code !== 0 && code !== "SIGKILL") throw new Error(`The start ended with ${code}: ${output}`);
  return code === 0 ? Number(stdout) : undefined;
}

const emails = (place: TestDatabase) =>
  withRawConnection(place, async (db) => {
    const rows = await db.selectFrom("submissions").select("email").orderBy("id").execute();
    return rows.map(({ email }) => email);
  });

describe.each(dialects)("a database of an earlier version, on %s", (dialect) => {
  let template: TemplateDatabase;
  let addresses: string[];
  beforeAll(async () => {
    template = await testDatabase(dialect);
    await migrateThrough(template, OLD);
    addresses = await withRawConnection(template, (db) =>
      addSubscribers({ write: (work) => db.transaction().execute(work) }, SUBSCRIBERS),
    );
  });
  afterAll(() => template.remove());

  const copy = async () => removeAfterTest(await template.copy());

  it(`has the old schema or the new one after each of ${KILLS} kills while it is changed, and every row (R24, seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const whole = await copy();
    const statements = (await start(whole)) ?? 0;
    const schemas = { old: await dumpSchema(template), new: await dumpSchema(whole) };
    const ends = { old: 0, new: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const place = await template.copy();
      try {
        // Spread over all statements; the last one may be the commit.
        const at = 1 + Math.floor(((kill + random()) / KILLS) * statements);
        expect(await start(place, String(at), kill % 2 === 0 ? "before" : "after")).toBeUndefined();
        const schema = await dumpSchema(place);
        expect(Object.values(schemas)).toContain(schema);
        ends[schema === schemas.old ? "old" : "new"] += 1;
        expect(await emails(place)).toEqual(addresses);

        await (await place.open()).close();
        expect(await dumpSchema(place)).toBe(schemas.new);
        expect(await emails(place)).toEqual(addresses);
        expect(await checkIntegrity(place)).toBe("ok");
      } finally {
        await place.remove();
      }
    }
    expect(statements).toBeGreaterThan(20);
    expect(ends.old).toBeGreaterThan(0);
    console.info(`${dialect}: ${statements} statements, ${JSON.stringify(ends)}`);
  });

  it("is refused when a newer version has migrated it, and not changed (R24)", async () => {
    const place = await copy();
    await (await place.open()).close();
    await withRawConnection(place, (db) =>
      sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', 'now')`.execute(db),
    );
    const before = await dumpSchema(place);
    const refused = place.open();
    await expect(refused).rejects.toThrow(NewerDatabaseError);
    await expect(refused).rejects.toThrow(/newer version of this program.*9999-from-the-future.*Nothing was/);
    expect(await dumpSchema(place)).toBe(before);
    expect(await emails(place)).toEqual(addresses);
  });

  it("is refused when it has the numbering of before the first release, and not changed (R24)", async () => {
    const place = await copy();
    await withRawConnection(place, (db) =>
      sql`update kysely_migration set name = '0001-initial' where name like '0001%'`.execute(db),
    );
    const before = await dumpSchema(place);
    const refused = place.open();
    await expect(refused).rejects.toThrow(UnreleasedDatabaseError);
    await expect(refused).rejects.toThrow(
      /before the first release.*Nothing was changed\. Start with an empty/,
    );
    expect(await dumpSchema(place)).toBe(before);
  });
});

describe("the copy of a SQLite file before a migration", () => {
  const copiesIn = (place: TestDatabase) =>
    readdirSync(place.environment.DATA_DIR)
      .filter((name) => name.startsWith("before-update-"))
      .sort();

  async function oldDatabase(): Promise<TestDatabase> {
    const place = removeAfterTest(await testDatabase("sqlite"));
    await migrateThrough(place, OLD);
    await withRawConnection(place, (db) =>
      db.insertInto("secrets").values({ name: "here", value: "x", created_at: 1 }).execute(),
    );
    return place;
  }

  it("is complete and valid, and is made only when there is something to migrate (R24)", async () => {
    const place = await oldDatabase();
    await (await place.open()).close();
    const [name = ""] = copiesIn(place);
    expect(name).toBe(`before-update-${OLD}.db`);
    const path = join(place.environment.DATA_DIR, name);
    expect(findDamage(path)).toBeUndefined();
    const found = await withRawConnection(place, async (db) => {
      await sql`attach database ${path} as copy`.execute(db);
      return sql`select (select value from copy.secrets) as value,
        (select max(name) from copy.kysely_migration) as last`.execute(db);
    });
    expect(found.rows).toEqual([{ value: "x", last: OLD }]);

    await (await place.open()).close();
    expect(copiesIn(place)).toEqual([name]);
    const fresh = removeAfterTest(await testDatabase("sqlite"));
    await (await fresh.open()).close();
    expect(copiesIn(fresh)).toEqual([]);
  });

  it("replaces the oldest of three (R24)", async () => {
    const place = await oldDatabase();
    const folder = place.environment.DATA_DIR;
    for (const [age, name] of ["0001-c", "0001-a", "0001-b"].entries()) {
      const path = join(folder, `before-update-${name}.db`);
      await withRawConnection(place, (db) => sql`vacuum into ${path}`.execute(db));
      utimesSync(path, 1000 - age, 1000 - age);
    }
    await (await place.open()).close();
    expect(copiesIn(place)).toEqual(["0001-a", "0001-c", OLD].map((name) => `before-update-${name}.db`));
  });

  it("prevents the migration when it cannot be made (R24)", async () => {
    const place = await oldDatabase();
    const before = await dumpSchema(place);
    mkdirSync(join(place.environment.DATA_DIR, `before-update-${OLD}.db`));
    await expect(place.open()).rejects.toThrow("The database was not migrated, because");
    expect(await dumpSchema(place)).toBe(before);
  });
});
