import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/**
 * Lets people and submissions be found by all words of their company, not by the first eight alone. Documents that change
 * are rewritten while the server serves (fill-people.server.ts).
 */
export const companyWords: Migration = {
  up: (db) => runStatements(db, [`update people_fill set last_submission = '~', finished_at = null`]),
};
