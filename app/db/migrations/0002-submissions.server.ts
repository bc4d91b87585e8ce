import type { Migration } from "kysely/migration";
import { isPostgres, runStatements } from "../run-statements";

/** Creates submissions, their counters and search index, and the confirmation emails. */
export const submissions: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table submissions (
        id text primary key,
        kind text not null,
        state text not null,
        quarantine_reason text not null,
        name text not null,
        email text not null,
        email_key text not null,
        company text not null,
        role text not null,
        inquiry_type text not null,
        message text not null,
        created_at bigint not null,
        admitted_at bigint,
        audience_position bigint not null default 0,
        deletion_id text,
        constraint submissions_kind check (kind in ('early-access', 'contact-form', 'updates-signup')),
        constraint submissions_state check (state in ('accepted', 'quarantined', 'unconfirmed', 'deleted'))
      )`,
      // Sort orders and filters of the tables of submissions.
      `create index submissions_listing on submissions (kind, state, id)`,
      `create index submissions_by_name on submissions (kind, state, lower(name), id)`,
      `create index submissions_by_role on submissions (kind, state, role, id) where role <> ''`,
      `create index submissions_by_inquiry on submissions (kind, state, inquiry_type, id) where inquiry_type <> ''`,
      // Distinct addresses of an audience, from the index alone up to a position, and the first signup of each
      // address.
      `create index submissions_audience on submissions (kind, state, email_key, id, audience_position)`,
      // Quarantine by reason and form, newest first, counted from the index alone. Accepted rows are not in it.
      `create index submissions_quarantine on submissions (quarantine_reason, kind, id) where state = 'quarantined'`,
      `create index submissions_deleted on submissions (deletion_id, id) where deletion_id is not null`,

      `create table submission_fingerprints (
        fingerprint text primary key,
        submission_id text not null,
        seen_at bigint not null
      )`,
      `create index submission_fingerprints_submission on submission_fingerprints (submission_id)`,
      `create index submission_fingerprints_seen_at on submission_fingerprints (seen_at)`,

      `create table submission_counts (
        kind text not null,
        state text not null,
        count bigint not null,
        audience_position bigint not null default 0,
        constraint submission_counts_key primary key (kind, state)
      )`,

      `create table submission_days (
        kind text not null,
        day bigint not null,
        count bigint not null,
        constraint submission_days_key primary key (kind, day)
      )`,

      `create table deletions (
        id text primary key,
        kind text not null,
        deleted_by text not null,
        deleted_at bigint not null,
        count bigint not null
      )`,

      `create table consents (
        submission_id text primary key references submissions (id) on delete cascade,
        email_key text not null,
        form text not null,
        wording text not null,
        wording_version text not null,
        network text not null,
        given_at bigint not null
      )`,

      ...searchTables(isPostgres(db)),

      `create table confirmations (
        id text primary key,
        address text not null,
        email_key text not null unique,
        requested_at bigint not null,
        confirmed_at bigint,
        state text not null,
        detail text not null,
        attempts integer not null,
        resent_after_crash integer not null default 0,
        not_before bigint not null,
        lease_owner text not null,
        lease_until bigint not null,
        updated_at bigint not null
      )`,
      // Queue: rows that may be claimed, and claimed rows, to find those whose lease expired.
      `create index confirmations_due on confirmations (not_before desc, id) where state in ('pending', 'retrying')`,
      `create index confirmations_claimed on confirmations (lease_until) where state = 'claimed'`,
      // To find confirmations that nobody answered.
      `create index confirmations_unanswered on confirmations (requested_at) where confirmed_at is null`,
    ]),
};

/**
 * Creates the search index (docs/decisions/0018). On SQLite it is an FTS5 index over the table, maintained by
 * triggers; deleted rows leave it at once. Its tokens are separated by spaces.
 */
function searchTables(onPostgres: boolean): string[] {
  if (onPostgres) {
    return [
      `create table search_documents (
        submission_id text primary key references submissions (id) on delete cascade,
        words text not null
      )`,
      `create index search_documents_words on search_documents
        using gin (array_to_tsvector(string_to_array(words, ' ')))`,
    ];
  }
  return [
    `create table search_documents (
      n integer primary key,
      submission_id text not null unique references submissions (id) on delete cascade,
      words text not null
    )`,
    `create virtual table search_index using fts5 (
      submission_id unindexed, words, content = 'search_documents', content_rowid = 'n',
      prefix = '1 2 3', detail = none, columnsize = 0,
      tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
    )`,
    `insert into search_index (search_index, rank) values ('secure-delete', 1)`,
    `create trigger search_documents_insert after insert on search_documents begin
      insert into search_index (rowid, submission_id, words) values (new.n, new.submission_id, new.words);
    end`,
    `create trigger search_documents_delete after delete on search_documents begin
      insert into search_index (search_index, rowid, submission_id, words)
      values ('delete', old.n, old.submission_id, old.words);
    end`,
  ];
}
