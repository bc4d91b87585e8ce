import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { hasOtherClients } from "~/db/copy-postgres.server";
import { InterruptedRestoreError } from "~/db/interrupted-restore.server";
import { lockFolder } from "~/db/sqlite-file.server";
import { days } from "~/lib/durations";
import { mebibytes } from "~/lib/sizes";
import { listFiles, takeBackup } from "~/services/backups/backup.server";
import { restoreBackup, type RestoreOutcome } from "~/services/backups/restore-backup.server";
import type { EmailKind } from "~/services/mail/transactional/email-kind";
import { administer, dialects, testDatabase, type TemplateDatabase, type TestDatabase } from "../databases";
import { createTestOutreach, operator, people, signUp } from "../factories/outreach";
import { createTestEmails } from "../factories/transactional-emails";
import { removeAfterTest } from "../fixture";
import { withRawConnection, migrateThrough } from "../factories/old-database";
import { until } from "../faults/until";
import { runNode } from "../run-node";
import { chooseSize, isFullSize } from "../sizes";
import { temporaryFolder } from "../temporary-folder";

const hasClient = spawnSync("pg_dump", ["--version"]).status === 0;
if (!hasClient) process.stdout.write("Without PostgreSQL's client programs its restore is not tested.\n");

/** Contents of a data folder and its database. */
interface Contents {
  readonly companies: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** Contents at the time of the backup. */
const THEN: Contents = {
  companies: ["then"],
  files: { "outbox/mail.eml": "as of then", "outbox/only-then.eml": "then" },
};
/** Contents before the restore. */
const NOW: Contents = {
  companies: ["now"],
  files: { "outbox/mail.eml": "as of now", "only-now.jsonl": "now" },
};

async function fill(place: TestDatabase, { companies, files }: Contents): Promise<void> {
  for (const name of await listOwnFiles(place.environment.DATA_DIR)) {
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

/** Waits for psql to exit, which outlives a killed restore for a moment. */
async function waitForClients({ environment: { DATABASE_URL } }: TestDatabase): Promise<void> {
  if (DATABASE_URL) await until("its last client", async () => !(await hasOtherClients(DATABASE_URL)));
}

/** Lists the files that belong neither to the database nor to backups and restores. */
async function listOwnFiles(folder: string): Promise<string[]> {
  const others = /^(?:frontdesk|before-restore-|before-update-|restoring|backups)/;
  return (await listFiles(folder)).filter((name) => !others.test(name));
}

async function toContents(rows: readonly { name: string }[], folder: string): Promise<Contents> {
  const names = await listOwnFiles(folder);
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  return { companies: rows.map(({ name }) => name), files };
}

async function readContents(place: TestDatabase): Promise<Contents> {
  const rows = await withRawConnection(place, (db) => db.selectFrom("tenants").select("name").execute());
  return toContents(rows, place.environment.DATA_DIR);
}

async function readReplaced(place: TestDatabase, folder: string): Promise<Contents> {
  if (place.dialect === "sqlite") {
    const file = new SqliteFile(join(folder, "frontdesk.db"), { fileMustExist: true });
    expect(file.pragma("integrity_check", { simple: true })).toBe("ok");
    const rows = file.prepare("select name from tenants").all() as { name: string }[];
    file.close();
    return toContents(rows, folder);
  }
  const schema = sql.table(`${basename(folder).replaceAll("-", "_")}.tenants`);
  const query = sql<{ name: string }>`select name from ${schema}`;
  return toContents((await withRawConnection(place, (db) => query.execute(db))).rows, folder);
}

/** Removes what restores have replaced, as an operator would. */
async function removeReplaced(place: TestDatabase): Promise<void> {
  const { DATA_DIR } = place.environment;
  for (const name of readdirSync(DATA_DIR).filter((name) => name.startsWith("before-restore-"))) {
    rmSync(join(DATA_DIR, name), { recursive: true });
    const schema = sql.id(name.replaceAll("-", "_"));
    if (place.dialect === "postgres")
      await withRawConnection(place, (db) => sql`drop schema ${schema} cascade`.execute(db));
  }
}

const toPlace = ({ environment }: TestDatabase) => ({
  dataDir: environment.DATA_DIR,
  url: environment.DATABASE_URL,
  environment: process.env,
});

const backUp = (place: TestDatabase, into: string) =>
  takeBackup(toPlace(place), { into, version: "1.0.0", clock: Date.now });

const restore = (place: TestDatabase, folder: string, more: object = {}) =>
  restoreBackup(toPlace(place), { folder, problem: "Restored.", now: Date.now(), ...more });

/** Restores in a process of its own. @returns undefined when it was killed. */
async function restoreInProcess(place: TestDatabase, folder: string, killAt = 0) {
  const args = ["tests/factories/dying-restore.ts", folder, String(killAt)];
  const { code, stdout, output } = await runNode(args, { ...process.env, ...place.environment });
  if (code === "SIGKILL") return undefined;
  if (code !== 0) throw new Error(output);
  return JSON.parse(stdout) as { steps: string[]; outcome: RestoreOutcome };
}

describe.each(dialects)("a restore on %s", (dialect) => {
  const isSkipped = dialect === "postgres" && !hasClient;
  const test = it.skipIf(isSkipped);
  let template: TemplateDatabase;
  /** Backup of THEN. */
  let backup: string;
  beforeAll(async () => {
    if (isSkipped) return;
    template = await testDatabase(dialect);
    await (await template.open()).close();
    await fill(template, THEN);
    backup = (await backUp(template, temporaryFolder())).folder;
    await fill(template, NOW);
  });
  afterAll(async () => {
    if (isSkipped) return;
    await template.remove();
    rmSync(dirname(backup), { recursive: true });
  });

  /** Creates an installation that holds NOW, with the backup of THEN in its DATA_DIR. */
  async function install(): Promise<{ place: TestDatabase; inside: string }> {
    const place = removeAfterTest(await template.copy());
    await fill(place, NOW);
    const inside = join(place.environment.DATA_DIR, "backups", basename(backup));
    cpSync(backup, inside, { recursive: true });
    return { place, inside };
  }

  const expectIntact = (copy: string) => expect(spawnSync("diff", ["-r", backup, copy]).status).toBe(0);

  async function expectUntouched(place: TestDatabase): Promise<void> {
    expect(await readContents(place)).toEqual(NOW);
    const left = readdirSync(place.environment.DATA_DIR);
    expect(left.filter((name) => /^(?:restoring|before-)/.test(name))).toEqual([]);
    await (await place.open()).close();
  }

  // R33
  test("replaces the data by a backup, and keeps both", async () => {
    const { place, inside } = await install();
    for (const kept of [NOW, THEN]) {
      const outcome = await restore(place, inside);
      expect(outcome).toMatchObject({ ok: true, folder: inside, paused: 0 });
      expect(await readReplaced(place, outcome.ok ? outcome.kept : "")).toEqual(kept);
      expect(await readContents(place)).toEqual(THEN);
      expectIntact(inside);
      expect(existsSync(join(place.environment.DATA_DIR, "restoring"))).toBe(false);
      await (await place.open()).close();
    }
    // The next backup contains neither the backup nor the replaced data.
    const { manifest } = await backUp(place, temporaryFolder());
    expect(Object.keys(manifest.files).sort()).toEqual(
      [
        dialect === "sqlite" ? "frontdesk.db" : "frontdesk.dump",
        ...Object.keys(THEN.files).map((name) => `data/${name}`),
      ].sort(),
    );
  });

  // R33
  test("killed before any step leaves the data complete, and is repeated", async () => {
    const { place, inside } = await install();
    const { DATA_DIR } = place.environment;
    const steps = (await restoreInProcess(place, inside))?.steps ?? [];
    const replaces = dialect === "sqlite" ? "replace the database" : "commit the dump";
    expect(steps).toEqual(expect.arrayContaining(["keep only-now.jsonl", replaces, "end"]));
    const killedAt = chooseSize({ daily: [steps[0] ?? "", "end"], full: steps });
    const kills = { before: 0, after: 0 };

    for (const [at, step] of steps.entries()) {
      if (!killedAt.includes(step)) continue;
      await removeReplaced(place);
      await fill(place, NOW);
      expect(await restoreInProcess(place, inside, at + 1)).toBeUndefined();
      await waitForClients(place);

      const refusal: unknown = await place.open().then(
        (database) => database.close(),
        (error: unknown) => error,
      );
      expect(refusal, step).toBeInstanceOf(InterruptedRestoreError);
      const { message } = refusal as Error;
      expect(message).toContain("npm run restore -- ");
      const kept = /is complete in (\S+before-restore-\d+)/.exec(message)?.[1];
      if (kept) expect(await readReplaced(place, kept), step).toEqual(NOW);
      else {
        expect(message).toContain("replaced nothing");
        expect(await readContents(place), step).toEqual(NOW);
      }
      kills[kept ? "after" : "before"] += 1;

      expect(await restoreInProcess(place, inside), step).toMatchObject({
        outcome: { ok: true, folder: inside },
      });
      expect(await readContents(place), step).toEqual(THEN);
      const all = readdirSync(DATA_DIR).filter((name) => name.startsWith("before-restore-"));
      expect(all, step).toHaveLength(1);
      expect(await readReplaced(place, join(DATA_DIR, all[0] ?? "")), step).toEqual(NOW);
      expectIntact(inside);
      await (await place.open()).close();
    }
    const { before, after } = chooseSize({ daily: { before: 1, after: 1 }, full: { before: 6, after: 4 } });
    expect(kills.before).toBeGreaterThanOrEqual(before);
    expect(kills.after).toBeGreaterThanOrEqual(after);
  }, 240_000);

  // R33
  test("killed in a new DATA_DIR lets no server create an empty database", async () => {
    const place = removeAfterTest(await testDatabase(dialect));
    expect(await restoreInProcess(place, backup, 2)).toBeUndefined();
    await expect(place.open()).rejects.toThrow(InterruptedRestoreError);
    expect(existsSync(join(place.environment.DATA_DIR, "frontdesk.db"))).toBe(false);
    expect(await restore(place, backup)).toMatchObject({ ok: true });
    expect(await readContents(place)).toEqual(THEN);
  });

  // R33
  test("that fails before the database is replaced leaves nothing behind", async () => {
    const { place, inside } = await install();
    const onStep = (step: string) => {
      if (step === "replace the database") throw new Error("the disk is gone");
    };
    await expect(restore(place, inside, { onStep })).rejects.toThrow("the disk is gone");
    await expectUntouched(place);
  });

  // R33
  it.skipIf(dialect === "postgres").each(["no database", ""])(
    "replaces a damaged file (%j)",
    async (content) => {
      const { place, inside } = await install();
      const file = join(place.environment.DATA_DIR, "frontdesk.db");
      for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
      writeFileSync(file, content);
      const outcome = await restore(place, inside);
      expect(outcome).toMatchObject({ ok: true });
      expect(await readContents(place)).toEqual(THEN);
      expect(readFileSync(join(outcome.ok ? outcome.kept : "", "frontdesk.db"), "utf8")).toBe(content);
    },
  );

  // R33
  it.runIf(dialect === "postgres")("leaves nothing behind when the database cannot be reached", async () => {
    const dataDir = temporaryFolder();
    const url = "postgres://127.0.0.1:1/none";
    const restored = restoreBackup(
      { dataDir, url, environment: process.env },
      { folder: backup, problem: "Restored.", now: Date.now() },
    );
    await expect(restored).rejects.toThrow();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  // R33
  test("that fails afterwards is finished by the next one, whatever its backup is", async () => {
    const { place, inside } = await install();
    const onStep = (step: string) => {
      if (step.startsWith("place ")) throw new Error("the disk is gone");
    };
    await expect(restore(place, inside, { onStep })).rejects.toThrow("the disk is gone");
    await expect(place.open()).rejects.toThrow("again to restore the rest");
    expect(await restore(place, backup)).toMatchObject({ ok: true, folder: inside });
    expect(await readContents(place)).toEqual(THEN);
  });

  // R33
  test("stops what may have reached people since the backup, and says so after an interruption", async () => {
    const busy = removeAfterTest(await template.copy());
    const database = await busy.open();
    await signUp(database, people(2));
    const { clock, mailer, outreach, draft, review, campaignWorker, confirmed } =
      createTestOutreach(database);
    const campaignId = await draft({
      message: "{{invite_link}}",
      narrowing: JSON.stringify({ order: "oldest", limit: 1 }),
    });
    const repeating = { repeats: "day", timeZone: "UTC" } as const;
    const reviewed = await review(campaignId);
    await outreach.confirm({ campaignId, reviewed, repeating, remindMs: days(3) }, operator);
    await campaignWorker().tick();
    await confirmed();
    const kind: EmailKind<object> = {
      name: "wave-reminder",
      plural: "reminders",
      allowanceClass: "automatic",
      data: z.object({}),
      getKey: () => undefined,
      retentionMs: days(30),
    };
    const emails = createTestEmails(database, clock, { mailer, kinds: [kind] });
    await database.write((trx) => emails.add(trx, kind, { address: "ada@example.com", data: {} }));
    await database.close();
    const { folder } = await backUp(busy, temporaryFolder());

    const { place } = await install();
    const now = clock() + days(3);
    const onStep = (step: string) => {
      if (step === "end") throw new Error("the disk is gone");
    };
    await expect(restore(place, folder, { now, onStep })).rejects.toThrow("the disk is gone");
    expect(await restore(place, folder, { now: now + 1 })).toMatchObject({ ok: true, paused: 1, ended: 1 });

    const restored = await place.open();
    const { read } = restored;
    const campaigns = await read.selectFrom("campaigns").select(["state", "hold"]).orderBy("id").execute();
    expect(campaigns).toEqual([
      { state: "finished", hold: "" },
      { state: "paused", hold: "restored" },
    ]);
    const plans = await read.selectFrom("wave_plans").select(["next_at", "ended"]).execute();
    expect(plans).toEqual([{ next_at: null, ended: "restored" }]);
    const invitations = await read.selectFrom("wave_invitations").select(["state", "reminded_at"]).execute();
    expect(invitations).toEqual([{ state: "invited", reminded_at: now }]);
    const queued = await read.selectFrom("transactional_emails").select(["state", "detail"]).execute();
    expect(queued).toEqual([{ state: "skipped", detail: "restored" }]);
    await restored.close();
  });

  // R33
  test("without enough space changes nothing, and names the space it needs", async () => {
    const { place, inside } = await install();
    const outcome = await restore(place, inside, { getFreeBytes: async () => 5 });
    expect(outcome).toMatchObject({ ok: false, error: "no-space" });
    expect(outcome).toHaveProperty("detail", expect.stringMatching(/^[1-9]\d* MB are needed, 0 are free$/));
    await expectUntouched(place);
  });

  // R33
  test("of a later version's database changes nothing", async () => {
    const later = removeAfterTest(await template.copy());
    await withRawConnection(later, (db) =>
      sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(db),
    );
    const { folder } = await backUp(later, temporaryFolder());
    const { place } = await install();
    expect(await restore(place, folder)).toEqual({ ok: false, error: "newer" });
    await expectUntouched(place);
  });

  // R33
  test("of a corrupt database changes nothing, though its checksums are right", async () => {
    const { place, inside } = await install();
    const name = dialect === "sqlite" ? "frontdesk.db" : "frontdesk.dump";
    const content = readFileSync(join(inside, name));
    // Rows, which follow the description of the tables: only reading all of it finds the damage.
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
  });

  // R33
  test("of a backup of which a file was changed or is missing changes nothing", async () => {
    const { place, inside } = await install();
    const name = join("data", "outbox", "mail.eml");
    writeFileSync(join(inside, name), "as of them");
    const damaged = { ok: false, error: "damaged" };
    const detail = `${name} was changed after the backup`;
    expect(await restore(place, inside)).toEqual({ ...damaged, detail });
    rmSync(join(inside, name));
    expect(await restore(place, inside)).toEqual({ ...damaged, detail: `${name} is missing` });
    await expectUntouched(place);
  });

  // Its files are judged in the same way on both.
  describe.runIf(dialect === "sqlite" || isFullSize)("of a hostile backup", () => {
    /** Writes a file into the backup, and the manifest's line of it. */
    function add(inside: string, name: string, content = "evil"): void {
      const path = join(inside, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      list(inside, { [name]: sha256(content) });
    }
    const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");
    function list(inside: string, files: Record<string, string>): void {
      const path = join(inside, "backup.json");
      const manifest = JSON.parse(readFileSync(path, "utf8")) as { files: object };
      manifest.files = { ...manifest.files, ...files };
      writeFileSync(path, JSON.stringify(manifest));
    }
    const refused = (detail: string) => ({ ok: false, error: "damaged", detail });

    // C50
    test("writes nothing when a name leads elsewhere", async () => {
      const { place, inside } = await install();
      const names = [
        "../../planted",
        "data/../../../planted",
        "data/outbox/../../../../planted",
        "data//planted",
        "./data/planted",
        "planted",
        "data/frontdesk.db",
        "data/frontdesk.db-wal",
        "data/restoring/restore.json",
        "data/restoring",
        "data/before-restore-1/planted",
        "data/last-backup",
        "data",
        "data/",
        "",
        "..",
        join(place.environment.DATA_DIR, "planted"),
        "data/planted\0",
        String.raw`data\..\..\planted`,
      ];
      for (const name of names) {
        // Two folders deep, so that the names lead to files that the test may write.
        const elsewhere = temporaryFolder();
        onTestFinished(() => rmSync(elsewhere, { recursive: true }));
        const hostile = join(elsewhere, "one", "two");
        cpSync(inside, hostile, { recursive: true });
        if (!name.includes("\0") && !isAbsolute(name) && !existsSync(join(hostile, name))) add(hostile, name);
        list(hostile, { [name]: sha256("evil") });
        const steps: string[] = [];
        const outcome = await restore(place, hostile, { onStep: (step: string) => steps.push(step) });
        expect(outcome).toEqual(refused(`${name} is no file of a backup`));
        expect(steps, name).toEqual([]);
      }
      await expectUntouched(place);
    });

    // C50
    test.each([
      ["a link", "data/outbox/linked", (path: string, to: string) => symlinkSync(join(to, "secret"), path)],
      [
        "a file below a link",
        "data/linked/secret",
        (path: string, to: string) => symlinkSync(to, dirname(path)),
      ],
      ["a folder", "data/outbox/folder", (path: string) => mkdirSync(path)],
      ["a pipe", "data/outbox/pipe", (path: string) => spawnSync("mkfifo", [path])],
    ])("with %s copies nothing", async (_, name, create) => {
      const { place, inside } = await install();
      const elsewhere = temporaryFolder();
      onTestFinished(() => rmSync(elsewhere, { recursive: true }));
      writeFileSync(join(elsewhere, "secret"), "evil");
      create(join(inside, name), elsewhere);
      list(inside, { [name]: sha256("evil") });
      expect(await restore(place, inside)).toEqual(refused(`${name} is a link or a folder`));
      await expectUntouched(place);
    });

    // C50
    test("copies the content of a hard link, not the link", async () => {
      const { place, inside } = await install();
      add(inside, "data/own");
      linkSync(join(inside, "data/own"), join(inside, "data/hard"));
      list(inside, { "data/hard": sha256("evil") });
      expect(await restore(place, inside)).toMatchObject({ ok: true });
      expect(statSync(join(place.environment.DATA_DIR, "hard")).nlink).toBe(1);
    });

    // C50
    test.each([
      ["a file where DATA_DIR has a folder", "data/folder"],
      ["a folder where DATA_DIR has a file", "data/only-now.jsonl/file"],
    ])("with %s changes nothing", async (_, name) => {
      const { place, inside } = await install();
      mkdirSync(join(place.environment.DATA_DIR, "folder"));
      add(inside, name);
      const detail = `${name} does not fit: DATA_DIR has a folder of its name, or a file where its folder would be`;
      expect(await restore(place, inside)).toEqual(refused(detail));
      await expectUntouched(place);
    });

    // C50
    test("that lists no database changes nothing", async () => {
      const { place, inside } = await install();
      const path = join(inside, "backup.json");
      const manifest = JSON.parse(readFileSync(path, "utf8")) as object;
      writeFileSync(path, JSON.stringify({ ...manifest, files: {} }));
      const name = dialect === "sqlite" ? "frontdesk.db" : "frontdesk.dump";
      expect(await restore(place, inside)).toEqual(refused(`${name} is missing`));
      await expectUntouched(place);
    });

    // C50
    test.each([
      ["a manifest of 300 MiB", (path: string) => truncateSync(path, mebibytes(300))],
      ["a pipe for a manifest", (path: string) => (rmSync(path), spawnSync("mkfifo", [path]))],
      [
        "a time that is none",
        (path: string) => {
          const manifest = JSON.parse(readFileSync(path, "utf8")) as object;
          writeFileSync(path, JSON.stringify({ ...manifest, at: Number.MAX_SAFE_INTEGER }));
        },
      ],
    ])("with %s is no backup", async (_, change) => {
      const { place, inside } = await install();
      change(join(inside, "backup.json"));
      expect(await restore(place, inside)).toEqual({ ok: false, error: "no-backup" });
      await expectUntouched(place);
    });
  });

  // R33
  test("of an earlier version's backup migrates it", async () => {
    const old = removeAfterTest(await testDatabase(dialect));
    await migrateThrough(old, "0002-submissions");
    const { folder } = await backUp(old, temporaryFolder());
    const { place } = await install();
    expect(await restore(place, folder)).toMatchObject({ ok: true });
    const database = await place.open();
    expect(await database.read.selectFrom("tenants").selectAll().execute()).toEqual([]);
    await database.close();
  });

  // R24, R33
  it.runIf(dialect === "sqlite")(
    "of an earlier version's backup keeps the copy from before the update",
    async () => {
      const { place } = await install();
      const { DATA_DIR } = place.environment;
      const old = removeAfterTest(await testDatabase(dialect));
      await migrateThrough(old, "0002-submissions");
      const { folder } = await backUp(old, temporaryFolder());
      const copy = "before-update-0002-submissions.db";
      writeFileSync(join(DATA_DIR, copy), "from before the update");
      expect(await restore(place, folder)).toMatchObject({ ok: true });
      const copies = readdirSync(DATA_DIR).filter((name) => name.startsWith("before-update-"));
      expect(copies).toEqual([copy]);
      expect(readFileSync(join(DATA_DIR, copy), "utf8")).toBe("from before the update");
    },
  );

  // R33
  it.runIf(dialect === "postgres" && hasClient)(
    "needs no right to an extension of another role",
    async () => {
      const place = removeAfterTest(await testDatabase(dialect));
      const url = new URL(place.environment.DATABASE_URL ?? "");
      const role = url.pathname.slice(1);
      await administer(
        url.href,
        `create role ${role} login password 'x'`,
        `alter database ${role} owner to ${role}`,
        "create extension pg_trgm",
      );
      onTestFinished(async () => {
        await administer(url.href, `reassign owned by ${role} to current_user`, `drop role ${role}`);
      });
      const owned = Object.assign(new URL(url), { username: role, password: "x" });
      const dataDir = place.environment.DATA_DIR;
      const restored = restoreBackup(
        { dataDir, url: owned.href, environment: process.env },
        { folder: backup, problem: "Restored.", now: Date.now() },
      );
      expect(await restored).toMatchObject({ ok: true });
      expect(await readContents(place)).toEqual(THEN);
    },
  );

  // R33
  test("is refused while another one is running", async () => {
    const { place, inside } = await install();
    const folder = join(place.environment.DATA_DIR, "restoring");
    mkdirSync(folder);
    const release = lockFolder(join(folder, "lock"));
    expect(await restore(place, inside)).toEqual({ ok: false, error: "going-on" });
    release?.();
    expect(await restore(place, inside)).toMatchObject({ ok: true });
  });

  // R33
  test("of a database in use changes nothing", async () => {
    const { place, inside } = await install();
    const database = await place.open();
    await database.read.selectFrom("tenants").selectAll().execute();
    expect(await restore(place, inside)).toEqual({ ok: false, error: "in-use" });
    await database.close();
    await expectUntouched(place);
  });

  if (dialect === "sqlite")
    // R33
    it("keeps what a killed server left in the write-ahead log", async () => {
      const { place, inside } = await install();
      const file = join(place.environment.DATA_DIR, "frontdesk.db");
      const open = new SqliteFile(file);
      open.exec("insert into tenants (id, name, domain, updated_at) values ('late', 'late', '', 1)");
      // A kill leaves the file without the last writes, and the log with them.
      const left = temporaryFolder();
      onTestFinished(() => rmSync(left, { recursive: true }));
      for (const end of ["", "-wal"]) cpSync(file + end, join(left, `frontdesk.db${end}`));
      open.close();
      for (const end of ["", "-wal"]) cpSync(join(left, `frontdesk.db${end}`), file + end);
      const outcome = await restore(place, inside);
      const kept = await readReplaced(place, outcome.ok ? outcome.kept : "");
      expect(kept.companies).toEqual(["now", "late"]);
      expect(await readContents(place)).toEqual(THEN);
    });
});
