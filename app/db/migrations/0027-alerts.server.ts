import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates what operators are told about by email, and what is still to be told (docs/decisions/0117). */
export const alerts: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table alert_choices (
        account_id text primary key references accounts (id) on delete cascade,
        inquiry text not null,
        campaign text not null,
        incident text not null,
        summary text not null,
        hour integer not null,
        last_day text not null
      )`,
      `create table alerts (
        account_id text not null references accounts (id) on delete cascade,
        event text not null,
        subject text not null,
        count integer not null,
        since bigint not null,
        last_at bigint not null,
        told_at bigint,
        primary key (account_id, event, subject)
      )`,
      // Every instance asks for these every few seconds.
      `create index alerts_untold on alerts (account_id) where told_at is null`,
    ]),
};
