import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { globSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "~/db/database.server";
import { openReadThread } from "~/db/read-thread.server";
import type { TestDatabase } from "../databases";
import { dialects, temporaryFolder, testDatabase } from "../databases";
import { useDatabase } from "./use-database";

const secret = (name: string, value = "x") => ({ name, value, created_at: 1 });

describe.each(dialects)("the database on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));
  const names = async () =>
    (await database.read.selectFrom("secrets").select("name").orderBy("name").execute()).map(
      (row) => row.name,
    );

  it("shows a write to readers once it is acknowledged", async () => {
    await database.write((trx) => trx.insertInto("secrets").values(secret("a")).execute());
    expect(await names()).toEqual(["a"]);
  });

  it("undoes a write that throws and tells its caller, without touching the writes beside it", async () => {
    const settled = await Promise.allSettled([
      database.write((trx) => trx.insertInto("secrets").values(secret("before")).execute()),
      database.write(async (trx) => {
        await trx.insertInto("secrets").values(secret("undone")).execute();
        throw new Error("no");
      }),
      database.write((trx) => trx.insertInto("secrets").values(secret("after")).execute()),
    ]);
    expect(settled.map((one) => one.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await names()).toEqual(["after", "before"]);
  });

  it("keeps every one of many writes made at once", async () => {
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        database.write((trx) =>
          trx
            .insertInto("secrets")
            .values(secret(`k${index}`))
            .execute(),
        ),
      ),
    );
    expect(await names()).toHaveLength(300);
  });

  it("takes any text: what no text may hold is another character in it, and finds nothing (R37)", async () => {
    const odd = [
      "a nul \0",
      "\0",
      "a half \ud800",
      "another \udfff",
      "\ufffe\uffff",
      "\x01\x7f\x9f",
      "\u{10ffff}",
    ];
    for (const text of odd) {
      expect(
        await database.read.selectFrom("secrets").selectAll().where("name", "=", text).execute(),
      ).toEqual([]);
      await database.write((trx) =>
        trx
          .insertInto("secrets")
          .values(secret(`${text}!`, text))
          .execute(),
      );
    }
    expect(await names()).toHaveLength(odd.length);
    expect((await names()).filter((name) => !name.isWellFormed())).toEqual([]);
    const listed = await database.read.selectFrom("secrets").selectAll().where("name", "in", odd).execute();
    expect(listed).toEqual([]);
  });

  it("reads counts and times as numbers", async () => {
    await database.write((trx) =>
      trx
        .insertInto("secrets")
        .values({ ...secret("a"), created_at: 1_790_000_000_000 })
        .execute(),
    );
    const row = await database.read
      .selectFrom("secrets")
      .select(({ fn }) => [fn.countAll<number>().as("count"), fn.max("created_at").as("latest")])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ count: 1, latest: 1_790_000_000_000 });
  });

  it("is migrated once when several instances open it at the same time", async () => {
    const second = await testDatabase(dialect);
    const instances = await Promise.all([second.open(), second.open(), second.open(), second.open()]);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(
      instances[0]!.read,
    );
    const files = globSync("app/db/migrations/*.server.ts").map((file) => basename(file, ".server.ts"));
    expect(rows.map((row) => row.name).toSorted()).toEqual(files.toSorted());
    await Promise.all(instances.map((instance) => instance.close()));
    await second.remove();
  });

  it("answers its probe", async () => {
    await expect(database.probe()).resolves.toBeUndefined();
  });

  // SQLite has one writer, and a probe that waits for it tells the truth.
  if (dialect === "postgres") {
    it("answers its probe while every other connection is taken (R31)", async () => {
      const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>();
      const writes = Array.from({ length: 40 }, () => database.write(() => isReleased));
      await expect(database.probe().finally(() => release(undefined))).resolves.toBeUndefined();
      await Promise.all(writes);
    });
  }
});

describe("the SQLite file", () => {
  let place: TestDatabase;
  let database: Database;
  useDatabase("sqlite", (opened, where) => {
    database = opened;
    place = where;
  });
  const file = (name: string) => join(place.environment.DATA_DIR, name);

  it("is synced at every commit on both connections and kept in WAL (R2)", async () => {
    const level = sql<{ synchronous: number }>`pragma synchronous`;
    expect((await level.execute(database.read)).rows).toEqual([{ synchronous: 2 }]);
    expect(await database.write(async (trx) => (await level.execute(trx)).rows)).toEqual([
      { synchronous: 2 },
    ]);
    expect((await sql`pragma journal_mode`.execute(database.read)).rows).toEqual([{ journal_mode: "wal" }]);
  });

  it("is opened once another process that has just made it lets go of its lock (R24)", async () => {
    const made = await testDatabase("sqlite");
    onTestFinished(() => made.remove());
    const other = new SqliteFile(join(made.environment.DATA_DIR, "frontdesk.db"));
    other.exec("begin exclusive");
    const opening = made.open();
    setTimeout(() => other.exec("commit"), 200);
    const opened = await opening;
    expect((await sql`pragma journal_mode`.execute(opened.read)).rows).toEqual([{ journal_mode: "wal" }]);
    other.close();
    await opened.close();
  });

  it("can be read by its owner alone, with its WAL (C35)", async () => {
    await database.write((trx) => trx.insertInto("secrets").values(secret("a")).execute());
    expect(["frontdesk.db", "frontdesk.db-wal"].map((name) => statSync(file(name)).mode & 0o777)).toEqual([
      0o600, 0o600,
    ]);
  });

  it("refuses a write through the reading side", async () => {
    await expect(database.read.insertInto("secrets").values(secret("a")).execute()).rejects.toThrow(
      "readonly",
    );
  });

  it("answers short queries while a long one runs in a thread of its own, which only reads", async () => {
    const long = sql`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000000)
      select max(n) from numbers
    `;
    const finished: string[] = [];
    await Promise.all([
      long.execute(database.longRead).then(() => finished.push("long")),
      names(database).then(() => finished.push("short")),
    ]);
    expect(finished).toEqual(["short", "long"]);
    const write = database.longRead.insertInto("secrets").values(secret("a")).returning("name");
    await expect(write.execute()).rejects.toThrow("readonly");
  });

  it("starts its reading thread again after it has ended", async () => {
    const path = join(temporaryFolder(), "late.db");
    const longRead = openReadThread(path);
    const answer = sql<{ answer: number }>`select 1 as answer`;
    await expect(answer.execute(longRead)).rejects.toThrow("unable to open database file");
    new SqliteFile(path).close();
    expect((await answer.execute(longRead)).rows).toEqual([{ answer: 1 }]);
    await longRead.destroy();
  });

  it("waits for another process's lock without holding up this one, and reads meanwhile (R7)", async () => {
    const other = new SqliteFile(file("frontdesk.db"));
    other.exec("begin immediate");
    let longestStall = 0;
    let last = performance.now();
    const ticking = setInterval(() => {
      longestStall = Math.max(longestStall, performance.now() - last);
      last = performance.now();
    }, 5);
    const write = database.write((trx) => trx.insertInto("secrets").values(secret("a")).execute());
    expect(await names(database)).toEqual([]);
    const released = new Promise((resolve) => setTimeout(resolve, 1500));
    await released;
    other.exec("commit");
    await write;
    clearInterval(ticking);
    other.close();
    expect(await names(database)).toEqual(["a"]);
    expect(longestStall).toBeLessThan(100);
  });

  async function names(from: Database) {
    return (await from.read.selectFrom("secrets").select("name").execute()).map((row) => row.name);
  }
});
