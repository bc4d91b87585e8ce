import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the invitations of people from the waiting list, and the numbers of waves (docs/decisions/0121). */
export const waves: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table wave_invitations (
        id text primary key,
        person_id text not null unique references people (id) on delete cascade,
        campaign_id text,
        issue integer not null default 1,
        state text not null,
        reserved_at bigint,
        invited_at bigint,
        opened_at bigint,
        revoked_at bigint,
        asked_at bigint,
        joined_at bigint,
        joined_email text not null default '',
        reminded_at bigint
      )`,
      `create index wave_invitations_of_campaign on wave_invitations (campaign_id, state)`,
      // The list of people by where they are: few are undeliverable.
      `create index wave_invitations_by_state on wave_invitations (state, person_id)`,
      `create index wave_invitations_invited on wave_invitations (invited_at) where invited_at is not null`,
      `create index wave_invitations_joined on wave_invitations (joined_at) where joined_at is not null`,
      // Who joined with an address is found to erase it.
      `create index wave_invitations_joined_as on wave_invitations (joined_email) where joined_email <> ''`,
      `alter table campaigns add column wave integer`,
      `create unique index campaigns_by_wave on campaigns (wave) where wave is not null`,
    ]),
};
