import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the rows of mirrors, with what is to be written and what is there, and the state of each sheet. */
export const mirrors: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table mirror_rows (
        id text primary key,
        kind text not null,
        place bigint,
        state text not null,
        fingerprint text not null,
        detail text not null
      )`,
      `create unique index mirror_rows_places on mirror_rows (kind, place) where place is not null`,
      // Open rows only; queries repeat this condition verbatim.
      `create index mirror_rows_open on mirror_rows (kind, state, id)
        where state in ('waiting', 'writing', 'uncertain', 'refused', 'left')`,

      `create table mirror_sheets (
        kind text primary key,
        target text not null default '',
        connected_at bigint,
        written_at bigint,
        checked_at bigint,
        drifted integer not null default 0,
        is_repair_requested integer not null default 0,
        problem text not null default '',
        detail text not null default '',
        not_before bigint not null default 0,
        lease_owner text not null default '',
        lease_until bigint not null default 0
      )`,
      `insert into mirror_sheets (kind) values ('early-access'), ('contact-form'), ('updates-signup')`,
    ]),
};
