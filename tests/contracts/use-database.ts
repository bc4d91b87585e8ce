import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
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
  let template: TestDatabase;
  let database: Database;
  let place: TestDatabase;
  beforeAll(async () => {
    template = await testDatabase(dialect);
    await (await template.open()).close();
  });
  afterAll(() => template.remove());
  beforeEach(async () => {
    place = await template.copy();
    database = await place.open();
    opened(database, place);
  });
  afterEach(async () => {
    await database.close();
    await place.remove();
  });
}
