import { afterAll, afterEach, beforeEach, inject } from "vitest";
import type { Database } from "~/db/database.server";
import { postgresPlace, sqliteDatabase, type TestDatabase } from "../databases";
import { WorkerPostgres } from "./migrated-postgres";

/**
 * Gives each test of this `describe` an empty migrated database, opened, and removes it afterwards:
 * let database: Database;
 * useDatabase(dialect, (opened) => (database = opened));
 */
export function useDatabase(
  dialect: TestDatabase["dialect"],
  opened: (database: Database, place: TestDatabase) => void,
): void {
  const { sqlite, postgres } = inject("templates");
  const worker = dialect === "postgres" ? new WorkerPostgres(postgres) : undefined;
  let database: Database;
  let place: TestDatabase;
  beforeEach(async () => {
    place = worker ? postgresPlace(worker.url) : sqliteDatabase(sqlite);
    database = worker ? await worker.fresh() : await place.open();
    opened(database, place);
  });
  afterEach(async () => {
    if (!worker) await database.close();
    await place.remove();
  });
  afterAll(() => worker?.close());
}
