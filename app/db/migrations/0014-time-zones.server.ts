import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Stores the time zone that each operator chose. */
export const timeZones: Migration = {
  up: (db) => runStatements(db, [`alter table accounts add column time_zone text`]),
};
