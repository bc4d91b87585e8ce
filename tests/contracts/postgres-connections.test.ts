import { sql } from "kysely";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "~/db/database.server";
import { getDatabaseProblem } from "~/db/database-problem.server";
import { openDatabase } from "~/db/open-database.server";
import { withUnmigratedDatabase } from "~/db/unmigrated-database.server";
import { UnusableDatabaseError } from "~/db/unusable-database";
import { minutes } from "~/lib/durations";
import { isDatabaseUnavailable } from "~/lib/is-database-unavailable";
import { consume } from "~/services/attempts/attempts.server";
import { collectDatabaseFacts } from "~/services/setup/database-facts.server";
import { freePort } from "../../scripts/free-port.mjs";
import { administer, databaseUrl, postgresServer, testDatabase, type TestDatabase } from "../databases";
import { hasher } from "../factories/accounts";
import { startPoolerTo } from "../fakes/pooler";
import { removeAfterTest } from "../fixture";
import { temporaryFolder } from "../temporary-folder";

const LIMIT = { key: { allowed: 1000, windowMs: minutes(15) } };
const count = (database: Database) => database.write((trx) => consume(trx, LIMIT, 1));
const getPid = async (database: Database) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.read)).rows[0]?.pid;

let place: TestDatabase;
let url: string;
const getName = () => new URL(url).pathname.slice(1);
beforeEach(async () => {
  place = removeAfterTest(await testDatabase("postgres"));
  url = place.environment.DATABASE_URL ?? "";
});
const open = (address = url) =>
  openDatabase({ url: address, dataDir: place.environment.DATA_DIR, onError: () => undefined });

describe("after a failover of PostgreSQL", () => {
  let database: Database;
  beforeEach(async () => {
    database = removeAfterTest(await open());
  });
  /** Makes the server read-only for connections made from now on, or writable again. */
  const setReadOnly = (isReadOnly: boolean) =>
    administer(
      databaseUrl(url, "postgres"),
      `alter database ${getName()} set default_transaction_read_only = ${isReadOnly}`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${getName()}' and ${isReadOnly}`,
    );

  // R42
  it("read-only connections are replaced once the database takes writes again", async () => {
    await setReadOnly(true);
    await expect.poll(() => database.probe().catch(getDatabaseProblem)).toBe("database-read-only");
    const failed = await Promise.allSettled([count(database), count(database), count(database)]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    const reading = await getPid(database);
    await expect(database.probe()).rejects.toThrow("read-only transaction");
    expect(await getPid(database)).not.toBe(reading);

    await setReadOnly(false);
    await database.probe();
    await Promise.all([count(database), count(database), count(database)]);
  });

  // R42
  it("a connection that the server ends takes the idle ones with it", async () => {
    const before = await Promise.all([1, 2, 3].map(() => getPid(database)));
    expect(new Set(before).size).toBe(3);
    const end = sql`select pg_terminate_backend(pg_backend_pid())`.execute(database.read);
    await expect(end).rejects.toThrow("terminating connection");
    const after = await Promise.all([1, 2, 3].map(() => getPid(database)));
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    await database.probe();
  });

  it("a connection that is lost inside a write counts as a database that is away", async () => {
    const error: unknown = await database
      .write(async (trx) => {
        const end = sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
        await expect(end).rejects.toThrow("terminating connection");
        // The second failure comes once the driver knows that the connection is closed.
        await expect(sql`select 1`.execute(trx)).rejects.toThrow();
        await sql`select 1`.execute(trx);
      })
      .catch((cause: unknown) => cause);
    expect(isDatabaseUnavailable(error), String(error)).toBe(true);
  });
});

describe("a PostgreSQL with fewer connections than the pool", () => {
  const ALLOWED = 3;
  let limited: string;
  beforeEach(async () => {
    const role = `${getName()}_role`;
    await administer(
      url,
      `create role ${role} login password 'x' connection limit ${ALLOWED}`,
      `grant all on schema public to ${role}`,
    );
    onTestFinished(async () => {
      await administer(url, `drop owned by ${role}`, `drop role ${role}`);
    });
    const address = new URL(url);
    address.username = role;
    address.password = "x";
    limited = address.href;
  });

  // R43
  it("makes writes wait for a connection instead of failing, and is ready", async () => {
    const database = removeAfterTest(await open(limited));
    await Promise.all(Array.from({ length: 90 }, () => count(database)));
    const busy = Array.from({ length: 9 }, () => sql`select pg_sleep(0.1)`.execute(database.read));
    await database.probe();
    await Promise.all(busy);
  });

  // R43
  it("is found by check:deploy, with what sets the limit", async () => {
    await (await open(limited)).close();
    const inspected = { url: limited, dataDir: place.environment.DATA_DIR };
    const deps = { place: inspected, hasher, clock: Date.now, environmentPassword: undefined };
    expect(await collectDatabaseFacts(deps)).toMatchObject({
      connectionLimit: { allowed: ALLOWED, setBy: "its role" },
    });
  });

  // R43
  it("without a free one lets a write wait until there is one", async () => {
    const database = await open(limited);
    await database.close();
    const later = removeAfterTest(await open(limited));
    await administer(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${getName()}_role'`,
    );
    const others = await Promise.all(
      Array.from({ length: ALLOWED }, async () => {
        const client = new pg.Client({ connectionString: limited });
        await client.connect();
        return client;
      }),
    );
    const waiting = count(later);
    // Meanwhile the write is refused a connection, too.
    await expect(later.probe()).rejects.toThrow("too many connections");
    await Promise.all(others.map((client) => client.end()));
    await waiting;
  });
});

describe("a PostgreSQL whose disk is full", () => {
  // R50
  it("is reported by the probe once a write has failed, until there is space", async ({ skip }) => {
    const server = await postgresServer();
    onTestFinished(() => server.release());
    const [setting] = await administer(server.url, "show data_directory");
    const disk = await mountFor(String(setting?.data_directory));
    if (disk === undefined) return skip("Without the permission to mount a disk a full one is not tested.");
    const name = `${getName()}_full`;
    const drop = [`drop database if exists ${name} with (force)`, `drop tablespace if exists ${name}`];
    onTestFinished(async () => {
      await administer(server.url, ...drop);
      execFileSync("umount", [disk]);
      rmSync(disk, { recursive: true });
    });
    await administer(
      server.url,
      `create tablespace ${name} location '${disk}/space'`,
      `create database ${name} tablespace ${name}`,
    );
    const database = await open(databaseUrl(server.url, name));
    onTestFinished(() => database.close());
    // Its row exists from now on, and an update needs no new page.
    await database.probe();
    // Pages that are not written yet fail whichever test's connection has to make room for its own.
    await administer(server.url, "checkpoint");
    const ballast = fillDisk(join(disk, "ballast"));
    const write = (key: number) =>
      database.write((trx) =>
        trx
          .insertInto("secrets")
          .values({ name: `${key}`, value: randomBytes(20_000).toString("hex"), created_at: 1 })
          .execute(),
      );
    await expect(Promise.all(Array.from({ length: 20 }, (_, key) => write(key)))).rejects.toThrow(
      "No space left",
    );
    for (const _ of [1, 2]) expect(await database.probe().catch(getDatabaseProblem)).toBe("database-full");
    rmSync(ballast);
    await database.probe();
    await write(100);
  });
});

/** Mounts a small disk whose folder `space` belongs to the user of a folder; undefined where that is not allowed. */
async function mountFor(folder: string): Promise<string | undefined> {
  const disk = temporaryFolder();
  try {
    const { uid, gid } = statSync(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m,mode=755", "tmpfs", disk], { stdio: "ignore" });
    mkdirSync(join(disk, "space"));
    chownSync(join(disk, "space"), uid, gid);
    return disk;
  } catch {
    rmSync(disk, { recursive: true });
    return undefined;
  }
}

/** Writes a file until not one block is free. @returns its path. */
function fillDisk(path: string): string {
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch {
    closeSync(file);
  }
  return path;
}

describe("a pooler that refuses unknown startup parameters", () => {
  // R45
  it("gets none, and the settings hold on each connection", async () => {
    const pooler = removeAfterTest(await startPoolerTo(url));
    const refused = new pg.Client({ connectionString: pooler.url, options: "-c jit=off" });
    await expect(refused.connect()).rejects.toThrow("unsupported startup parameter: options");

    const database = removeAfterTest(await open(pooler.url));
    const settings = sql<Record<string, string>>`
      select current_setting('statement_timeout') as statement, current_setting('jit') as jit,
        current_setting('idle_in_transaction_session_timeout') as idle
    `;
    const expected = [{ statement: "8s", jit: "off", idle: "5s" }];
    expect((await settings.execute(database.read)).rows).toEqual(expected);
    await database.write(async (trx) => {
      expect((await settings.execute(trx)).rows).toEqual(expected);
    });
    await database.probe();
    const inspected = { url: pooler.url, dataDir: place.environment.DATA_DIR };
    expect(await withUnmigratedDatabase(inspected, async (db) => (await settings.execute(db)).rows)).toEqual([
      expect.objectContaining({ statement: "5s" }),
    ]);
  });
});

describe("a PostgreSQL that cannot be used is refused with a sentence", () => {
  // R46
  it("when its encoding lacks letters", async () => {
    const server = await postgresServer();
    onTestFinished(() => server.release());
    const name = `${getName()}_latin1`;
    await administer(server.url, `create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    onTestFinished(async () => {
      await administer(server.url, `drop database ${name} with (force)`);
    });
    const refused = open(databaseUrl(server.url, name));
    await expect(refused).rejects.toThrow(UnusableDatabaseError);
    await expect(refused).rejects.toThrow("DATABASE_URL: the database has the encoding LATIN1");
    const inspected = { url: databaseUrl(server.url, name), dataDir: place.environment.DATA_DIR };
    const deps = { place: inspected, hasher, clock: Date.now, environmentPassword: undefined };
    expect(await collectDatabaseFacts(deps)).toMatchObject({
      kind: "unreachable",
      problem: expect.stringContaining("LATIN1") as string,
    });
    expect(
      await administer(databaseUrl(server.url, name), "select 1 from pg_tables where schemaname = 'public'"),
    ).toEqual([]);
  });

  // R55
  it("when it is down, without the password", async () => {
    const port = await freePort();
    const refused = open(`postgres://frontdesk:canary@127.0.0.1:${port}/launch`);
    await expect(refused).rejects.toThrow(UnusableDatabaseError);
    await expect(refused).rejects.toThrow(
      `DATABASE_URL: PostgreSQL at 127.0.0.1:${port}/launch cannot be used: connect ECONNREFUSED`,
    );
    await expect(refused).rejects.not.toThrow("canary");
  });
});
