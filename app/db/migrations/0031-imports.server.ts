import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates imports of people and their lines, and says of a submission where it was imported from (docs/decisions/0120). */
export const imports: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table imports (
        id text primary key,
        state text not null,
        file_name text not null,
        encoding text not null,
        delimiter text not null,
        columns text not null,
        mapping text not null default '',
        kind text not null default '',
        consent text not null default '',
        date_order text not null default '',
        is_mirrored integer not null default 0,
        line_count integer not null default 0,
        new_count integer not null default 0,
        known_count integer not null default 0,
        suppressed_count integer not null default 0,
        invalid_count integer not null default 0,
        duplicate_count integer not null default 0,
        stored_count integer not null default 0,
        listed_count integer not null default 0,
        kept_count integer not null default 0,
        last_line integer not null default 0,
        created_by text not null,
        created_at bigint not null,
        started_at bigint,
        finished_at bigint,
        settled_at bigint
      )`,
      `create table import_lines (
        import_id text not null references imports (id) on delete cascade,
        line integer not null,
        cells text not null,
        email_key text not null,
        verdict text not null default '',
        reason text not null default '',
        submission_id text,
        suppression_id text,
        primary key (import_id, line)
      )`,
      `create index import_lines_by_verdict on import_lines (import_id, verdict, line)`,
      `create index import_lines_by_address on import_lines (email_key, import_id, line)`,
      // Of no foreign key: a submission keeps the id of its import.
      `alter table submissions add column import_id text`,
      `alter table submissions add column is_mirrored integer not null default 1`,
    ]),
};
