import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the running processes, whose end frees what they had claimed, and finds suppressions by their email. */
export const instances: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table instances (
        boot_id text primary key,
        name text not null,
        alive_until bigint not null
      )`,
      `create index suppressions_by_delivery on suppressions (delivery_id) where delivery_id is not null`,
    ]),
};
