import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the changes of accounts' addresses that wait for a confirmation: a row for each link. */
export const emailChanges: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table email_changes (
        id text primary key,
        account_id text not null references accounts (id) on delete cascade,
        email text not null,
        token_hash text not null unique,
        created_at bigint not null,
        expires_at bigint not null,
        confirmed_at bigint,
        withdrawn_at bigint
      )`,
      // One link of an account works at a time.
      `create unique index email_changes_pending on email_changes (account_id) where confirmed_at is null and withdrawn_at is null`,
      `create index email_changes_account_id on email_changes (account_id)`,
      `create index email_changes_email on email_changes (email)`,
      `create index email_changes_expires_at on email_changes (expires_at)`,
    ]),
};
