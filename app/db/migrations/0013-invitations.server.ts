import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the invitations of colleagues: a row for each link. */
export const invitations: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table invitations (
        id text primary key,
        email text not null,
        full_name text not null,
        token_hash text not null unique,
        invited_by text not null references accounts (id) on delete cascade,
        created_at bigint not null,
        expires_at bigint not null,
        accepted_at bigint,
        revoked_at bigint
      )`,
      // One link of an address works at a time.
      `create unique index invitations_pending on invitations (email) where accepted_at is null and revoked_at is null`,
      `create index invitations_expires_at on invitations (expires_at)`,
      `create index invitations_invited_by on invitations (invited_by)`,
    ]),
};
