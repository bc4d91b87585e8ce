import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the record of when operators looked at submissions. */
export const visits: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table visits (
        account_id text primary key references accounts (id) on delete cascade,
        new_since bigint,
        last_seen_at bigint not null
      )`,
    ]),
};
