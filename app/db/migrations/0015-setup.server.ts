import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the record of what was proved while the product was set up. */
export const setup: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table setup_records (
        name text primary key,
        at bigint not null,
        settings text not null,
        outcome text not null,
        detail text not null,
        took_ms bigint not null
      )`,
    ]),
};
