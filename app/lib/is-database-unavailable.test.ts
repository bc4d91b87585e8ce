import pg from "pg";
import SqliteFile from "better-sqlite3";
import { expect, it } from "vitest";
import { isDatabaseUnavailable } from "./is-database-unavailable";

it("knows a database that is away from a wrong query", async () => {
  const sqlite = (code: string) => new SqliteFile.SqliteError("refused", code);
  expect(["SQLITE_BUSY", "SQLITE_FULL", "SQLITE_IOERR_WRITE"].map(sqlite).map(isDatabaseUnavailable)).toEqual(
    [true, true, true],
  );
  expect(isDatabaseUnavailable(sqlite("SQLITE_ERROR"))).toBe(false);
  expect(isDatabaseUnavailable(new TypeError("undefined is not a function"))).toBe(false);

  const postgres = (code: string) => Object.assign(new pg.DatabaseError("refused", 7, "error"), { code });
  expect(["57P01", "25006", "53300"].map(postgres).map(isDatabaseUnavailable)).toEqual([true, true, true]);
  expect(isDatabaseUnavailable(postgres("42601"))).toBe(false);

  const client = new pg.Client({ host: "127.0.0.1", port: 1 });
  const error: unknown = await client.connect().catch((cause: unknown) => cause);
  expect(isDatabaseUnavailable(error)).toBe(true);
});
