import SqliteFile from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { join } from "node:path";
import { seconds } from "~/lib/durations";
import { getErrorMessage } from "~/lib/error-message";
import { pathExists } from "~/lib/path-exists.server";
import { connectPostgres } from "./connect-postgres.server";
import { hasOtherClients } from "./copy-postgres.server";
import { writeProbe, type DatabaseOptions } from "./database.server";
import { isSqliteInUse, SQLITE_FILE } from "./sqlite-file.server";
import type { Tables } from "./tables";

type Place = Pick<DatabaseOptions, "url" | "dataDir">;

/** Returns whether a server, or another program, has the database open. */
export async function isDatabaseInUse({ url, dataDir }: Place): Promise<boolean> {
  if (url) return hasOtherClients(url);
  return (await pathExists(join(dataDir, SQLITE_FILE))) && isSqliteInUse(dataDir);
}

/**
 * Opens the database unmigrated and without creating one, so that an older or newer program can inspect a database
 * that a server has open.
 * @returns undefined when SQLite's file does not exist.
 * @throws when it cannot be opened, or `work` throws.
 */
export async function withUnmigratedDatabase<T>(
  place: Place,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T | undefined> {
  const file = join(place.dataDir, SQLITE_FILE);
  if (!place.url && !(await pathExists(file))) return undefined;
  const db = place.url ? openUnmigratedPostgres(place.url) : openUnmigratedSqlite(file);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Tests writing as /readyz does, and rolls it back. @returns why it failed, undefined when it worked. */
export async function findWriteProblem(db: Kysely<Tables>): Promise<string | undefined> {
  const rollback = new Error("rolled back");
  try {
    await db.transaction().execute(async (trx) => {
      await writeProbe(trx);
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) return getErrorMessage(error);
  }
  return undefined;
}

function openUnmigratedSqlite(file: string): Kysely<Tables> {
  const database = new SqliteFile(file, { fileMustExist: true, timeout: seconds(5) });
  return new Kysely({ dialect: new SqliteDialect({ database }) });
}

function openUnmigratedPostgres(connectionString: string): Kysely<Tables> {
  const config = { connectionString, max: 1, connectionTimeoutMillis: seconds(5) };
  // A query in progress reports the error itself.
  return connectPostgres(config, { onError: () => undefined, settings: { statement_timeout: seconds(5) } });
}
