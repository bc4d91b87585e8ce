import { createDataFolder } from "./data-folder.server";
import type { Database, DatabaseOptions } from "./database.server";
import { refuseInterruptedRestore } from "./interrupted-restore.server";
import { openPostgres } from "./postgres.server";
import { openSqlite } from "./sqlite.server";

/**
 * Opens and migrates the database.
 * @throws UnusableDatabaseError when it or DATA_DIR cannot be used, it is newer than this program, or a restore did
 *   not finish.
 * @throws when a migration fails (nothing is half applied).
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  createDataFolder(options.dataDir);
  await refuseInterruptedRestore(options);
  const { url } = options;
  return url ? openPostgres({ ...options, url }) : openSqlite(options);
}
