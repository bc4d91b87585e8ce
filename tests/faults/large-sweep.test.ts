import { describe } from "vitest";
import type { Database } from "~/db/database.server";
import { useDatabase } from "../contracts/use-database";
import { dialects } from "../databases";
import { testLargeSweeps } from "../factories/large-sweep";

describe.each(dialects)("large sweeps on %s (R36)", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));
  testLargeSweeps(() => database);
});
