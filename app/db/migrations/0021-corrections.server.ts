import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/**
 * Creates operators' notes about people and their corrections of people, which go with the person, and an index that
 * finds the newest emails to an address in the outbox.
 */
export const corrections: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table person_notes (
        id text primary key,
        person_id text not null references people (id) on delete cascade,
        text text not null,
        author text not null,
        created_at bigint not null
      )`,
      `create index person_notes_of on person_notes (person_id, id)`,
      `create table person_corrections (
        id text primary key,
        person_id text not null references people (id) on delete cascade,
        author text not null,
        reason text not null,
        at bigint not null,
        fields text not null,
        former_email text not null,
        former_key text not null,
        merged_person text,
        undo text not null,
        undone_at bigint
      )`,
      `create index person_corrections_of on person_corrections (person_id, id)`,
      // Whose address an opt-out of a former address is now.
      `create index person_corrections_former on person_corrections (former_key) where former_key <> ''`,
      `create index person_corrections_undo on person_corrections (at) where undo <> ''`,
      `create index outbox_emails_newest_to on outbox_emails (lower(to_address), id)`,
    ]),
};
