import SqliteFile from "better-sqlite3";
import { Kysely, sql, SqliteDialect } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareQuery } from "./prepared-query";
import type { Tables } from "./tables";

describe("a prepared query", () => {
  let db: Kysely<Tables>;

  beforeEach(async () => {
    db = new Kysely({ dialect: new SqliteDialect({ database: new SqliteFile(":memory:") }) });
    await sql`create table attempts (key text, count integer, resets_at integer)`.execute(db);
  });

  afterEach(() => db.destroy());

  it("is built once for all its values", async () => {
    let built = 0;
    const insert = prepareQuery((database, { key, end }: { key: string; end: number }) => {
      built += 1;
      return database
        .insertInto("attempts")
        .values({ key, count: 1, resets_at: end })
        .returning(["key", "count", "resets_at"]);
    });
    expect(await insert(db, { key: "one", end: 1 })).toEqual([{ key: "one", count: 1, resets_at: 1 }]);
    expect(await insert(db, { key: "two", end: 2 })).toEqual([{ key: "two", count: 1, resets_at: 2 }]);
    expect(built).toBe(1);
  });

  it("belongs to one database, and to its transactions", async () => {
    const select = prepareQuery((database, { key }: { key: string }) =>
      database.selectFrom("attempts").select("key").where("key", "=", key),
    );
    await db.insertInto("attempts").values({ key: "one", count: 1, resets_at: 1 }).execute();
    const other = new Kysely<Tables>({
      dialect: new SqliteDialect({ database: new SqliteFile(":memory:") }),
    });
    expect(await db.transaction().execute((trx) => select(trx, { key: "one" }))).toEqual([{ key: "one" }]);
    await expect(select(other, { key: "one" })).rejects.toThrow("no such table");
    await other.destroy();
  });

  it("cannot be built from what a value is", async () => {
    const insert = prepareQuery((database, { end }: { end: number }) =>
      database.insertInto("attempts").values({ key: "one", count: 1, resets_at: end + 1 }),
    );
    await expect(insert(db, { end: 1 })).rejects.toThrow("The value of end is not known");
  });
});
