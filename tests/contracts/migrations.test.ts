import { sql } from "kysely";
import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NewerDatabaseError, UnreleasedDatabaseError } from "~/db/migrate.server";
import { days } from "~/lib/durations";
import { isUuid } from "~/lib/uuid";
import { findDamage } from "~/db/sqlite-file.server";
import { dialects, testDatabase, type TemplateDatabase, type TestDatabase } from "../databases";
import { removeAfterTest } from "../fixture";
import { withRawConnection, migrateThrough, dumpSchema, addOldSignups } from "../factories/old-database";
import { checkIntegrity, withDatabase } from "../faults/ledger";
import { runNode } from "../run-node";
import { SEED, createRandom } from "../seeded-random";
import { chooseSize } from "../sizes";
import { waitUntil } from "../wait-until";

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

/** Waits until PostgreSQL has noticed that its client was killed: a commit that it was sent still goes on. */
const untilAlone = (place: TestDatabase) =>
  withRawConnection(place, (db) =>
    waitUntil(async () => {
      if (place.dialect === "sqlite") return true;
      const { rows } = await sql`select pid from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
      return rows.length === 0;
    }),
  );

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
    addresses = await withRawConnection(template, (db) => addOldSignups(db, SUBSCRIBERS));
  });
  afterAll(() => template.remove());

  const copy = async () => removeAfterTest(await template.copy());

  // R24
  it(`has the old or the new schema after each of ${KILLS} kills (seed ${SEED})`, async () => {
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
        await untilAlone(place);
        const schema = await dumpSchema(place);
        expect(Object.values(schemas), `kill ${kill}, at statement ${at}`).toContain(schema);
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
  }, 120_000);

  // R24
  it("is refused when a newer version has migrated it, and not changed", async () => {
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

  // R24
  it("is refused and kept when it is older than the first release", async () => {
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

describe.each(dialects)("the emails of an earlier version, on %s,", (dialect) => {
  const now = Date.now();
  const NEW = "11111111-1111-7111-8111-111111111111";
  const OLD_ID = "22222222-2222-7222-8222-222222222222";
  const MESSAGE = "33333333-3333-7333-8333-333333333333";

  async function migrateEmails() {
    const place = removeAfterTest(await testDatabase(dialect));
    await migrateThrough(place, "0008-instances");
    await withRawConnection(place, async (db) => {
      const addConfirmation = (id: string, email: string, at: number, state: string) =>
        sql`insert into confirmations (id, address, email_key, requested_at, state, detail, attempts, not_before,
            lease_owner, lease_until, updated_at)
          values (${id}, ${email}, ${email}, ${at}, ${state}, '451 later', 2, ${at}, '', 0, ${at})`.execute(
          db,
        );
      await addConfirmation(NEW, "ada@example.com", now, "retrying");
      await addConfirmation(OLD_ID, "grace@example.com", now - days(31), "sent");
      const addKey = (id: string, reference: string, outcome: string | null) =>
        sql`insert into idempotency_keys (id, fingerprint, reference, outcome, claimed_at)
          values (${id}, 'f', ${reference}, ${outcome}, ${now})`.execute(db);
      const sent = { kind: "sent", messageId: `<${MESSAGE}@x.test>`, detail: `it's "250 OK"` };
      await addKey("t:sent", `<${MESSAGE}@x.test>`, JSON.stringify(sent));
      await addKey("t:open", `<${NEW.replaceAll("1", "4")}@x.test>`, null);
      await addKey("t:broadcast", NEW, "{}");
    });
    return withDatabase(place, async ({ read }) => ({
      emails: await read.selectFrom("transactional_emails").selectAll().orderBy("unique_key").execute(),
      keys: await read.selectFrom("idempotency_keys").select("id").execute(),
      confirmations: await read.selectFrom("confirmations").selectAll().orderBy("id").execute(),
    }));
  }

  it("are in one table, but for those that ended long ago", async () => {
    const { emails, keys, confirmations } = await migrateEmails();
    expect(emails).toMatchObject([
      {
        id: NEW,
        kind: "confirmation",
        unique_key: `${NEW}.${now}`,
        data: JSON.stringify({ id: NEW, requested_at: now }),
        email_key: "ada@example.com",
        state: "retrying",
        attempts: 2,
        not_before: now,
      },
      { kind: "api", unique_key: "t:open", state: "claimed", lease_until: 0 },
      {
        id: MESSAGE,
        kind: "api",
        unique_key: "t:sent",
        data: '{"fingerprint":"f"}',
        message_id: `<${MESSAGE}@x.test>`,
        state: "sent",
        detail: `it's "250 OK"`,
      },
    ]);
    expect(keys).toEqual([{ id: "t:broadcast" }]);
    expect(confirmations).toEqual([
      {
        id: NEW,
        address: "ada@example.com",
        email_key: "ada@example.com",
        requested_at: now,
        confirmed_at: null,
      },
      {
        id: OLD_ID,
        address: "grace@example.com",
        email_key: "grace@example.com",
        requested_at: now - days(31),
        confirmed_at: null,
      },
    ]);
  });
});

describe.each(dialects)("the emails in the outbox of an earlier version, on %s,", (dialect) => {
  it("get ids in the order of their time, by which a page is turned", async () => {
    const place = removeAfterTest(await testDatabase(dialect));
    await migrateThrough(place, "0037-company-words");
    const now = Date.now();
    await withRawConnection(place, async (db) => {
      for (const [number, hash] of ["f".repeat(32), "0".repeat(32), "a1b2c3d4".repeat(4)].entries()) {
        await sql`insert into outbox_emails (id, message_id, to_address, subject, file, created_at)
          values (${hash}, ${`<${number}@x.test>`}, 'ada@x.test', '', ${`${number}.eml`}, ${now + number})`.execute(
          db,
        );
      }
    });
    const emails = await withDatabase(place, ({ read }) =>
      read.selectFrom("outbox_emails").select(["id", "message_id"]).orderBy("id").execute(),
    );
    expect(emails.map(({ message_id }) => message_id)).toEqual(["<0@x.test>", "<1@x.test>", "<2@x.test>"]);
    expect(emails.map(({ id }) => id)).toSatisfy((ids: string[]) => ids.every(isUuid));
  });
});

describe.each(dialects)("why campaigns of an earlier version wait, on %s,", (dialect) => {
  const AT = 1_800_000_000_000;
  type Before = readonly [
    state: string,
    waitsFor: string,
    problem: string,
    resumeAt: number,
    answers?: number,
  ];

  /** Migrates campaigns that were stored as the columns of the earlier version had them; returns them in order. */
  async function migrateCampaigns(before: readonly Before[]) {
    const place = removeAfterTest(await testDatabase(dialect));
    await migrateThrough(place, "0009-transactional-emails");
    await withRawConnection(place, async (db) => {
      for (const [index, [state, waitsFor, problem, resumeAt, answers = 0]] of before.entries()) {
        const id = `campaign-${String(index).padStart(2, "0")}`;
        await sql`insert into campaigns (id, state, audience, title, message, test_address, created_by, created_at,
            problem, resume_at, waits_for, latest_answers)
          values (${id}, ${state}, 'early-access', '', '', '', '', 1, ${problem}, ${resumeAt}, ${waitsFor},
            ${answers})`.execute(db);
      }
    });
    const columns = ["state", "hold", "hold_until", "hold_detail", "latest_answers"] as const;
    return withDatabase(place, ({ read }) =>
      read.selectFrom("campaigns").select(columns).orderBy("id").execute(),
    );
  }

  it("is stored as the reason, with its time and its words", async () => {
    const found = await migrateCampaigns([
      ["draft", "", "", 0],
      ["preparing", "hold", "", AT],
      ["sending", "schedule", "", AT],
      ["sending", "", "refused", AT],
      ["sending", "", "", AT],
      ["paused", "missed", "", AT],
      ["paused", "refusals", "550 no", 0],
      ["paused", "", "535 no", 0],
      ["paused", "", "", AT],
      ["paused", "schedule", "", AT],
      ["paused", "schedule", "Restored.", AT],
      ["finished", "", "", AT],
      ["cancelled", "", "", AT],
    ]);
    expect(found.map((row) => [row.state, row.hold, row.hold_until, row.hold_detail])).toEqual([
      ["draft", "", null, ""],
      ["preparing", "hold", AT, ""],
      ["sending", "schedule", AT, ""],
      ["sending", "server", AT, "refused"],
      ["sending", "", null, ""],
      ["paused", "missed", AT, ""],
      ["paused", "refusals", null, "550 no"],
      ["paused", "login", null, "535 no"],
      ["paused", "operator", null, ""],
      ["paused", "operator", AT, ""],
      ["paused", "restored", AT, "Restored."],
      ["finished", "", null, ""],
      ["cancelled", "", null, ""],
    ]);
  });

  it("keeps the latest answers, the newest last", async () => {
    const found = await migrateCampaigns([
      ["sending", "", "", 0, 0],
      ["sending", "", "", 0, 0b110],
      ["sending", "", "", 0, 2 ** 25 - 1],
    ]);
    expect(found.map(({ latest_answers }) => latest_answers)).toEqual([
      "",
      `${"A".repeat(22)}RRA`,
      "R".repeat(25),
    ]);
  });

  it("is stored for broadcasts as well", async () => {
    const place = removeAfterTest(await testDatabase(dialect));
    await migrateThrough(place, "0009-transactional-emails");
    const before = [
      ["sending", "", ""],
      ["paused", "", ""],
      ["paused", "unauthorized", "403 no"],
      ["paused", "", "Restored."],
    ];
    await withRawConnection(place, async (db) => {
      for (const [index, [state, stoppedBy, problem]] of before.entries()) {
        await sql`insert into broadcasts (id, state, audience, tenant_name, title, body, link, created_by, created_at,
            touched_at, problem, stopped_by)
          values (${`broadcast-${index}`}, ${state}, 'all', '', '', '', '', '', 1, 1, ${problem}, ${stoppedBy})`.execute(
          db,
        );
      }
    });
    const rows = await withDatabase(place, ({ read }) =>
      read.selectFrom("broadcasts").select(["hold", "hold_detail"]).orderBy("id").execute(),
    );
    expect(rows).toEqual([
      { hold: "", hold_detail: "" },
      { hold: "operator", hold_detail: "" },
      { hold: "unauthorized", hold_detail: "403 no" },
      { hold: "restored", hold_detail: "Restored." },
    ]);
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

  // R24
  it("is complete and valid, and is made only when there is something to migrate", async () => {
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

  // R24
  it("replaces the oldest of three", async () => {
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

  // R24
  it("prevents the migration when it cannot be made", async () => {
    const place = await oldDatabase();
    const before = await dumpSchema(place);
    mkdirSync(join(place.environment.DATA_DIR, `before-update-${OLD}.db`));
    await expect(place.open()).rejects.toThrow("The database was not migrated, because");
    expect(await dumpSchema(place)).toBe(before);
  });
});
