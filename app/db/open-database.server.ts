import type { Database, DatabaseOptions } from "./database.server";
import { refuseInterruptedRestore } from "./interrupted-restore.server";
import { openPostgres } from "./postgres.server";
import { openSqlite } from "./sqlite.server";

/**
 * Opens and migrates the database.
 * @throws when it cannot be reached, is newer than this program, or a migration fails (nothing is half applied),
 *   and InterruptedRestoreError when a restore did not finish.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  await refuseInterruptedRestore(options);
  const { url } = options;
  return url ? openPostgres({ ...options, url }) : openSqlite(options.dataDir);
}
