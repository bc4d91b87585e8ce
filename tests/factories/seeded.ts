import type { Database } from "~/db/database.server";
import { readEnvironment } from "~/env.server";
import { seed, type SeedOptions } from "../../scripts/seed/seed";

/** Fills a database as npm run seed does, at a moment that stands still; give what differs. */
export function seedDatabase(database: Database, dataDir: string, differing: Partial<SeedOptions> = {}) {
  const environment = readEnvironment({ NODE_ENV: "test", DATA_DIR: dataDir });
  return seed(database, environment, { size: "small", now: Date.UTC(2026, 10, 21, 8), ...differing });
}
