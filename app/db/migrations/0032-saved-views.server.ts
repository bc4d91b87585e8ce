import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the saved views of lists (docs/decisions/0123). */
export const savedViews: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table saved_views (
        id text primary key,
        list text not null,
        name text not null,
        name_key text not null,
        query text not null,
        is_shared integer not null,
        created_by text references accounts (id) on delete set null,
        created_at bigint not null,
        changed_at bigint not null
      )`,
      `create unique index saved_views_by_name on saved_views (created_by, list, name_key)`,
      `create index saved_views_by_list on saved_views (list)`,
    ]),
};
