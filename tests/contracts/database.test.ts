import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { globSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { openReadThread } from "~/db/read-thread.server";
import { testDatabase } from "../databases";
import { removeAfterTest } from "../fixture";
import { temporaryFolder } from "../temporary-folder";
import { describeOnDatabases, useDatabase } from "./use-database";

const toSecret = (name: string, value = "x") => ({ name, value, created_at: 1 });
const addSecret = (database: Database, name: string, value?: string) =>
  database.write((trx) => trx.insertInto("secrets").values(toSecret(name, value)).execute());

async function listSecrets(database: Database): Promise<string[]> {
  const rows = await database.read.selectFrom("secrets").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

describeOnDatabases("the database on %s", ({ database, dialect }) => {
  it("rolls back and rejects a write that throws, and no concurrent write", async () => {
    const settled = await Promise.allSettled([
      addSecret(database, "before"),
      database.write(async (trx) => {
        await trx.insertInto("secrets").values(toSecret("undone")).execute();
        throw new Error("no");
      }),
      addSecret(database, "after"),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await listSecrets(database)).toEqual(["after", "before"]);
  });

  it("commits all of many concurrent writes", async () => {
    await Promise.all(Array.from({ length: 300 }, (_, index) => addSecret(database, `k${index}`)));
    expect(await listSecrets(database)).toHaveLength(300);
  });

  // R37
  it("stores any text, with a replacement for what it cannot hold", async () => {
    const texts = [
      "a nul \0",
      "\0",
      "a half \ud800",
      "another \udfff",
      "\ufffe\uffff",
      "\x01\x7f\x9f",
      "\u{10ffff}",
    ];
    const secrets = database.read.selectFrom("secrets").selectAll();
    for (const text of texts) {
      expect(await secrets.where("name", "=", text).execute()).toEqual([]);
      await addSecret(database, `${text}!`, text);
    }
    const names = await listSecrets(database);
    expect(names).toHaveLength(texts.length);
    expect(names.filter((name) => !name.isWellFormed())).toEqual([]);
    expect(await secrets.where("name", "in", texts).execute()).toEqual([]);
  });

  it("reads counts and times as numbers", async () => {
    const secret = { ...toSecret("a"), created_at: 1_790_000_000_000 };
    await database.write((trx) => trx.insertInto("secrets").values(secret).execute());
    const row = await database.read
      .selectFrom("secrets")
      .select(({ fn }) => [fn.countAll<number>().as("count"), fn.max("created_at").as("latest")])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ count: 1, latest: 1_790_000_000_000 });
  });

  it("is migrated once when several instances open it at the same time", async () => {
    const second = await testDatabase(dialect);
    const instances = await Promise.all([second.open(), second.open(), second.open(), second.open()]);
    const names = sql<{ name: string }>`select name from kysely_migration`;
    const { rows } = await names.execute(instances[0]!.read);
    const files = globSync("app/db/migrations/*.server.ts").map((file) => basename(file, ".server.ts"));
    expect(rows.map((row) => row.name).toSorted()).toEqual(files.toSorted());
    await Promise.all(instances.map((instance) => instance.close()));
    await second.remove();
  });

  // SQLite has one writer, and its probe has to wait for it.
  if (dialect === "postgres") {
    // R31
    it("answers its probe while every other connection is taken", async () => {
      const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>();
      const writes = Array.from({ length: 40 }, () => database.write(() => isReleased));
      await expect(database.probe().finally(() => release(undefined))).resolves.toBeUndefined();
      await Promise.all(writes);
    });
  }
});

describe("the SQLite file", () => {
  const { database, place } = useDatabase("sqlite");
  const file = (name: string) => join(place.environment.DATA_DIR, name);

  // R2
  it("is synced at every commit on both connections and kept in WAL", async () => {
    const level = sql<{ synchronous: number }>`pragma synchronous`;
    expect((await level.execute(database.read)).rows).toEqual([{ synchronous: 2 }]);
    expect(await database.write(async (trx) => (await level.execute(trx)).rows)).toEqual([
      { synchronous: 2 },
    ]);
    expect((await sql`pragma journal_mode`.execute(database.read)).rows).toEqual([{ journal_mode: "wal" }]);
  });

  // R24
  it("is opened once another process that has just created it releases its lock", async () => {
    const made = removeAfterTest(await testDatabase("sqlite"));
    const other = new SqliteFile(join(made.environment.DATA_DIR, "frontdesk.db"));
    other.exec("begin exclusive");
    const opening = made.open();
    setTimeout(() => other.exec("commit"), 200);
    const opened = await opening;
    expect((await sql`pragma journal_mode`.execute(opened.read)).rows).toEqual([{ journal_mode: "wal" }]);
    other.close();
    await opened.close();
  });

  // C35
  it("can be read by its owner alone, with its WAL", async () => {
    await addSecret(database, "a");
    const modes = ["frontdesk.db", "frontdesk.db-wal"].map((name) => statSync(file(name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });

  it("refuses a write through the reading side", async () => {
    const insert = database.read.insertInto("secrets").values(toSecret("a"));
    await expect(insert.execute()).rejects.toThrow("readonly");
  });

  it("answers short queries while a long one runs", async () => {
    const long = sql`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000000)
      select max(n) from numbers
    `;
    const finished: string[] = [];
    await Promise.all([
      long.execute(database.longRead).then(() => finished.push("long")),
      listSecrets(database).then(() => finished.push("short")),
    ]);
    expect(finished).toEqual(["short", "long"]);
    const write = database.longRead.insertInto("secrets").values(toSecret("a")).returning("name");
    await expect(write.execute()).rejects.toThrow("readonly");
  });

  it("starts its reading thread again after it has ended", async () => {
    const path = join(temporaryFolder(), "late.db");
    const longRead = openReadThread(path, () => undefined);
    const answer = sql<{ answer: number }>`select 1 as answer`;
    await expect(answer.execute(longRead)).rejects.toThrow("unable to open database file");
    new SqliteFile(path).close();
    expect((await answer.execute(longRead)).rows).toEqual([{ answer: 1 }]);
    await longRead.destroy();
  });
});
