import SqliteFile from "better-sqlite3";
import { join } from "node:path";
import { createDataFolder } from "./data-folder.server";
import type { Database, DatabaseOptions } from "./database.server";
import { refuseInterruptedRestore } from "./interrupted-restore.server";
import { openPostgres } from "./postgres.server";
import { openSqlite } from "./sqlite.server";
import { SQLITE_FILE } from "./sqlite-file.server";
import { UnusableDatabaseError } from "./unusable-database";

/**
 * Opens and migrates the database.
 * @throws UnusableDatabaseError when it or DATA_DIR cannot be used, it is newer than this program, or a restore did
 *   not finish.
 * @throws when a migration fails (nothing is half applied).
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  createDataFolder(options.dataDir);
  await refuseInterruptedRestore(options);
  const { url, dataDir } = options;
  if (url) return openPostgres({ ...options, url });
  return openSqlite(options).catch((error: unknown) => {
    if (!(error instanceof SqliteFile.SqliteError)) throw error;
    const path = join(dataDir, SQLITE_FILE);
    throw new UnusableDatabaseError(`DATA_DIR: ${path} cannot be opened: ${error.message}.`, {
      cause: error,
    });
  });
}
