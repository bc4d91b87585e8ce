import { afterEach, beforeEach } from "vitest";
import type { Database } from "~/db/database.server";
import type { TestDatabase } from "../databases";
import { testDatabase } from "../databases";

/**
 * Gives each test of this `describe` a fresh database, opened, and takes it away afterwards.
 *
 *     let database: Database;
 *     useDatabase(dialect, (opened) => (database = opened));
 */
export function useDatabase(
  dialect: TestDatabase["dialect"],
  opened: (database: Database, place: TestDatabase) => void,
): void {
  let database: Database;
  let place: TestDatabase;
  beforeEach(async () => {
    place = await testDatabase(dialect);
    database = await place.open();
    opened(database, place);
  });
  afterEach(async () => {
    await database.close();
    await place.remove();
  });
}
