import type { Database } from "~/db/database.server";
import { openDatabase } from "~/db/open-database.server";

/** Opens the database in a running server's folder from another process of the same machine, for the time of `work`. */
export async function withDataFolder<T>(
  dataDir: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ dataDir, onError: () => undefined });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
