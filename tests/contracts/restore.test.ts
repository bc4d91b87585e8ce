import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasOtherClients } from "~/db/copy-postgres.server";
import { lockFolder } from "~/db/copy-sqlite.server";
import { InterruptedRestoreError } from "~/db/interrupted-restore.server";
import { listFiles } from "~/services/backups/backup-files.server";
import { restoreBackup } from "~/services/backups/restore-backup.server";
import type { RestoreOutcome } from "~/services/backups/restore-backup.server";
import { takeBackup } from "~/services/backups/take-backup.server";
import { dialects, temporaryFolder, testDatabase } from "../databases";
import type { TemplateDatabase, TestDatabase } from "../databases";
import { withRawConnection, migrateThrough } from "../factories/old-database";
import { until } from "../faults/until";
import { sizeOf } from "../sizes";

const hasClient = spawnSync("pg_dump", ["--version"]).status === 0;
if (!hasClient) process.stdout.write("Without PostgreSQL's client programs its restore is not tested.\n");

/** What a data folder and its database hold: `then`, when the backup was taken, and `now`, when it is restored. */
interface World {
  readonly companies: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

const THEN: World = {
  companies: ["then"],
  files: { "outbox/mail.eml": "as of then", "outbox/only-then.eml": "then" },
};
const NOW: World = {
  companies: ["now"],
  files: { "outbox/mail.eml": "as of now", "only-now.jsonl": "now" },
};

async function become(place: TestDatabase, { companies, files }: World): Promise<void> {
  for (const name of await ownFilesIn(place.environment.DATA_DIR)) {
    rmSync(join(place.environment.DATA_DIR, name));
  }
  for (const [name, content] of Object.entries(files)) {
    const path = join(place.environment.DATA_DIR, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  await withRawConnection(place, async (db) => {
    await db.deleteFrom("tenants").execute();
    const rows = companies.map((name) => ({ id: name, name, domain: "", updated_at: 1 }));
    await db.insertInto("tenants").values(rows).execute();
  });
}

/** Waits for the end of psql, which outlives a killed restore for a moment. */
async function untilAlone({ environment: { DATABASE_URL } }: TestDatabase): Promise<void> {
  if (DATABASE_URL) await until("its last client", async () => !(await hasOtherClients(DATABASE_URL)));
}

/** Neither the database's own nor what backups and restores have made. */
async function ownFilesIn(folder: string): Promise<string[]> {
  const others = /^(?:frontdesk|before-restore-|before-update-|restoring|backups)/;
  return (await listFiles(folder)).filter((name) => !others.test(name));
}

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = await ownFilesIn(folder);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

async function worldOf(place: TestDatabase): Promise<World> {
  const rows = await withRawConnection(place, (db) => db.selectFrom("tenants").select("name").execute());
  return { companies: rows.map(({ name }) => name), files: await contentsOf(place.environment.DATA_DIR) };
}

/** What a restore has replaced. */
async function keptWorld(place: TestDatabase, folder: string): Promise<World> {
  if (place.dialect === "sqlite") {
    const file = new SqliteFile(join(folder, "frontdesk.db"), { fileMustExist: true });
    expect(file.pragma("integrity_check", { simple: true })).toBe("ok");
    const rows = file.prepare("select name from tenants").all() as { name: string }[];
    file.close();
    return { companies: rows.map(({ name }) => name), files: await contentsOf(folder) };
  }
  const schema = sql.table(`${basename(folder).replaceAll("-", "_")}.tenants`);
  const rows = await withRawConnection(place, async (db) => {
    return (await sql<{ name: string }>`select name from ${schema}`.execute(db)).rows;
  });
  return { companies: rows.map(({ name }) => name), files: await contentsOf(folder) };
}

/** As an operator does who needs it no longer. */
async function forgetKept(place: TestDatabase): Promise<void> {
  const { DATA_DIR } = place.environment;
  for (const name of readdirSync(DATA_DIR).filter((name) => name.startsWith("before-restore-"))) {
    rmSync(join(DATA_DIR, name), { recursive: true });
    const schema = sql.id(name.replaceAll("-", "_"));
    if (place.dialect === "postgres")
      await withRawConnection(place, (db) => sql`drop schema ${schema} cascade`.execute(db));
  }
}

const placeOf = ({ environment }: TestDatabase) => ({
  dataDir: environment.DATA_DIR,
  url: environment.DATABASE_URL,
  environment: process.env,
});

const backUp = (place: TestDatabase, into: string) =>
  takeBackup(placeOf(place), { into, version: "1.0.0", clock: Date.now });

const restore = (place: TestDatabase, folder: string, more: object = {}) =>
  restoreBackup(placeOf(place), { folder, trouble: "Restored.", now: Date.now(), ...more });

/** In a process of its own. @returns undefined when it was killed. */
function restoreApart(place: TestDatabase, folder: string, killAt = 0) {
  const env = { ...process.env, ...place.environment, NODE_COMPILE_CACHE: ".cache/compiled" };
  const args = ["tests/factories/dying-restore.ts", folder, String(killAt)];
  return new Promise<{ steps: string[]; outcome: RestoreOutcome } | undefined>((done, fail) => {
    execFile("node_modules/.bin/node", args, { env }, (error, out, words) => {
      if (error?.signal === "SIGKILL") done(undefined);
      else if (error) fail(new Error(words));
      else done(JSON.parse(out) as { steps: string[]; outcome: RestoreOutcome });
    });
  });
}

function sumsIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const hash = createHash("sha256");
  for (const name of names) {
    hash.update(name);
    if (statSync(join(folder, name)).isFile()) hash.update(readFileSync(join(folder, name)));
  }
  return hash.digest("hex");
}

describe.each(dialects)("a restore on %s", (dialect) => {
  const isSkipped = dialect === "postgres" && !hasClient;
  let template: TemplateDatabase;
  /** Of `then`. */
  let backup: string;
  beforeAll(async () => {
    if (isSkipped) return;
    template = await testDatabase(dialect);
    await (await template.open()).close();
    await become(template, THEN);
    backup = (await backUp(template, temporaryFolder())).folder;
    await become(template, NOW);
  });
  afterAll(async () => {
    if (isSkipped) return;
    await template.remove();
    rmSync(dirname(backup), { recursive: true });
  });

  /** A product that is `now`, with the backup of `then` in its DATA_DIR. */
  async function product(): Promise<{ place: TestDatabase; inside: string }> {
    const place = await template.copy();
    onTestFinished(() => place.remove());
    await become(place, NOW);
    const inside = join(place.environment.DATA_DIR, "backups", basename(backup));
    cpSync(backup, inside, { recursive: true });
    return { place, inside };
  }

  async function expectUntouched(place: TestDatabase): Promise<void> {
    expect(await worldOf(place)).toEqual(NOW);
    const left = readdirSync(place.environment.DATA_DIR).filter((name) =>
      /^(?:restoring|before-)/.test(name),
    );
    expect(left).toEqual([]);
    await (await place.open()).close();
  }

  it.skipIf(isSkipped)(
    "puts a backup in place that lies inside DATA_DIR, leaves it there and keeps what it replaced (R33)",
    async () => {
      const { place, inside } = await product();
      const sums = sumsIn(inside);
      for (const kept of [NOW, THEN]) {
        const outcome = await restore(place, inside);
        expect(outcome).toMatchObject({ ok: true, folder: inside, paused: 0 });
        expect(await keptWorld(place, outcome.ok ? outcome.kept : "")).toEqual(kept);
        expect(await worldOf(place)).toEqual(THEN);
        expect(sumsIn(inside)).toBe(sums);
        expect(existsSync(join(place.environment.DATA_DIR, "restoring"))).toBe(false);
        await (await place.open()).close();
      }
      // A backup of it carries neither the backup on nor what was kept.
      const { manifest } = await backUp(place, temporaryFolder());
      expect(Object.keys(manifest.files).sort()).toEqual(
        [
          dialect === "sqlite" ? "frontdesk.db" : "frontdesk.dump",
          ...Object.keys(THEN.files).map((name) => `data/${name}`),
        ].sort(),
      );
    },
  );

  it.skipIf(isSkipped)(
    "killed before any step has the data whole in one place and says where, no server starts on the rest, and asked again it is done (R33)",
    async () => {
      const { place, inside } = await product();
      const { DATA_DIR } = place.environment;
      const sums = sumsIn(inside);
      const steps = (await restoreApart(place, inside))?.steps ?? [];
      const replaces = dialect === "sqlite" ? "replace the database" : "commit the dump";
      expect(steps).toEqual(expect.arrayContaining(["keep only-now.jsonl", replaces, "end"]));
      const killedAt = sizeOf({ daily: [steps[0] ?? "", "end"], full: steps });
      const places = { before: 0, after: 0 };

      for (const [at, step] of steps.entries()) {
        if (!killedAt.includes(step)) continue;
        await forgetKept(place);
        await become(place, NOW);
        expect(await restoreApart(place, inside, at + 1)).toBeUndefined();
        await untilAlone(place);

        const refusal: unknown = await place.open().then(
          (database) => database.close(),
          (error: unknown) => error,
        );
        expect(refusal, step).toBeInstanceOf(InterruptedRestoreError);
        const { message } = refusal as Error;
        expect(message).toContain("npm run restore -- ");
        const kept = /is whole in (\S+before-restore-\d+)/.exec(message)?.[1];
        if (kept) expect(await keptWorld(place, kept), step).toEqual(NOW);
        else {
          expect(message).toContain("replaced nothing");
          expect(await worldOf(place), step).toEqual(NOW);
        }
        places[kept ? "after" : "before"] += 1;

        expect(await restoreApart(place, inside), step).toMatchObject({
          outcome: { ok: true, folder: inside },
        });
        expect(await worldOf(place), step).toEqual(THEN);
        const all = readdirSync(DATA_DIR).filter((name) => name.startsWith("before-restore-"));
        expect(all, step).toHaveLength(1);
        expect(await keptWorld(place, join(DATA_DIR, all[0] ?? "")), step).toEqual(NOW);
        expect(sumsIn(inside)).toBe(sums);
        await (await place.open()).close();
      }
      const { before, after } = sizeOf({ daily: { before: 1, after: 1 }, full: { before: 6, after: 4 } });
      expect(places.before).toBeGreaterThanOrEqual(before);
      expect(places.after).toBeGreaterThanOrEqual(after);
    },
    240_000,
  );

  it.skipIf(isSkipped)("killed in a new DATA_DIR is no reason to make an empty database (R33)", async () => {
    const place = await testDatabase(dialect);
    onTestFinished(() => place.remove());
    expect(await restoreApart(place, backup, 2)).toBeUndefined();
    await expect(place.open()).rejects.toThrow(InterruptedRestoreError);
    expect(existsSync(join(place.environment.DATA_DIR, "frontdesk.db"))).toBe(false);
    expect(await restore(place, backup)).toMatchObject({ ok: true });
    expect(await worldOf(place)).toEqual(THEN);
  });

  it.skipIf(isSkipped)("that fails before the database is replaced leaves nothing behind (R33)", async () => {
    const { place, inside } = await product();
    const onStep = (step: string) => {
      if (step === "replace the database") throw new Error("the disk is gone");
    };
    await expect(restore(place, inside, { onStep })).rejects.toThrow("the disk is gone");
    await expectUntouched(place);
  });

  it.skipIf(isSkipped)(
    "that fails afterwards is finished by the next one, whatever that was asked for (R33)",
    async () => {
      const { place, inside } = await product();
      const onStep = (step: string) => {
        if (step.startsWith("place ")) throw new Error("the disk is gone");
      };
      await expect(restore(place, inside, { onStep })).rejects.toThrow("the disk is gone");
      await expect(place.open()).rejects.toThrow("puts the rest in its place");
      expect(await restore(place, backup)).toMatchObject({ ok: true, folder: inside });
      expect(await worldOf(place)).toEqual(THEN);
    },
  );

  it.skipIf(isSkipped)(
    "without the space for it changes nothing, and says how much it takes (R33)",
    async () => {
      const { place, inside } = await product();
      const outcome = await restore(place, inside, { getFreeBytes: async () => 5 });
      expect(outcome).toMatchObject({ ok: false, error: "no-space" });
      expect(outcome).toHaveProperty("detail", expect.stringMatching(/^[1-9]\d* MB are needed, 0 are free$/));
      await expectUntouched(place);
    },
  );

  it.skipIf(isSkipped)("of a later version's database changes nothing (R33)", async () => {
    const later = await template.copy();
    onTestFinished(() => later.remove());
    await withRawConnection(later, (db) =>
      sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(db),
    );
    const { folder } = await backUp(later, temporaryFolder());
    const { place } = await product();
    expect(await restore(place, folder)).toEqual({ ok: false, error: "newer" });
    await expectUntouched(place);
  });

  it.skipIf(isSkipped)(
    "of a database that is not sound changes nothing, though its checksums are right (R33)",
    async () => {
      const { place, inside } = await product();
      const name = dialect === "sqlite" ? "frontdesk.db" : "frontdesk.dump";
      const content = readFileSync(join(inside, name));
      // Rows: what says how they are laid out stands before them, and only reading all of it shows the damage.
      content.fill(0xa5, content.length - (dialect === "sqlite" ? 4096 : 600));
      writeFileSync(join(inside, name), content);
      const manifest = JSON.parse(readFileSync(join(inside, "backup.json"), "utf8")) as {
        files: Record<string, string>;
      };
      manifest.files[name] = createHash("sha256").update(content).digest("hex");
      writeFileSync(join(inside, "backup.json"), JSON.stringify(manifest));
      const detail = expect.any(String) as string;
      expect(await restore(place, inside)).toEqual({ ok: false, error: "damaged", detail });
      await expectUntouched(place);
    },
  );

  it.skipIf(isSkipped)(
    "of a backup of which a file was changed or is missing changes nothing (R33)",
    async () => {
      const { place, inside } = await product();
      const name = join("data", "outbox", "mail.eml");
      writeFileSync(join(inside, name), "as of them");
      const damaged = { ok: false, error: "damaged" };
      expect(await restore(place, inside)).toEqual({
        ...damaged,
        detail: `${name} is not as it was written`,
      });
      rmSync(join(inside, name));
      expect(await restore(place, inside)).toEqual({ ...damaged, detail: `${name} is missing` });
      await expectUntouched(place);
    },
  );

  it.skipIf(isSkipped)("of an earlier version's backup is brought up to date (R33)", async () => {
    const old = await testDatabase(dialect);
    onTestFinished(() => old.remove());
    await migrateThrough(old, "0002-submissions");
    const { folder } = await backUp(old, temporaryFolder());
    const { place } = await product();
    expect(await restore(place, folder)).toMatchObject({ ok: true });
    const database = await place.open();
    expect(await database.read.selectFrom("tenants").selectAll().execute()).toEqual([]);
    await database.close();
  });

  it.skipIf(isSkipped)("waits for no other one, and changes nothing beside it (R33)", async () => {
    const { place, inside } = await product();
    const folder = join(place.environment.DATA_DIR, "restoring");
    mkdirSync(folder);
    const release = lockFolder(join(folder, "lock"));
    expect(await restore(place, inside)).toEqual({ ok: false, error: "going-on" });
    release?.();
    expect(await restore(place, inside)).toMatchObject({ ok: true });
  });

  it.skipIf(isSkipped)("of a database in use changes nothing (R33)", async () => {
    const { place, inside } = await product();
    const database = await place.open();
    await database.read.selectFrom("tenants").selectAll().execute();
    expect(await restore(place, inside)).toEqual({ ok: false, error: "in-use" });
    await database.close();
    await expectUntouched(place);
  });

  if (dialect === "sqlite")
    it("keeps what a killed server had not moved from the write-ahead log into its file (R33)", async () => {
      const { place, inside } = await product();
      const file = join(place.environment.DATA_DIR, "frontdesk.db");
      const open = new SqliteFile(file);
      open.exec("insert into tenants (id, name, domain, updated_at) values ('late', 'late', '', 1)");
      // As a kill would leave it: the file without the last writes, and the log with them.
      const left = temporaryFolder();
      onTestFinished(() => rmSync(left, { recursive: true }));
      for (const end of ["", "-wal"]) cpSync(file + end, join(left, `frontdesk.db${end}`));
      open.close();
      for (const end of ["", "-wal"]) cpSync(join(left, `frontdesk.db${end}`), file + end);
      const outcome = await restore(place, inside);
      const kept = await keptWorld(place, outcome.ok ? outcome.kept : "");
      expect(kept.companies).toEqual(["now", "late"]);
      expect(await worldOf(place)).toEqual(THEN);
    });
});
