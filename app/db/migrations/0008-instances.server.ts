import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the record of running processes, and the index of suppressions by the email that caused them. */
export const instances: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table instances (
        boot_id text primary key,
        name text not null,
        started_at bigint not null,
        seen_at bigint not null
      )`,
      `create index suppressions_by_delivery on suppressions (delivery_id) where delivery_id is not null`,
    ]),
};
