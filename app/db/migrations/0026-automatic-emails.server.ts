import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** The kinds of emails that answer forms. The queries write this condition out, or the indexes would not be used. */
const IS_AUTOMATIC = "kind in ('thank-you', 'welcome', 'receipt')";

/** Creates the emails that answer forms by themselves (docs/decisions/0116). */
export const automaticEmails: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table automatic_rules (
        rule text primary key,
        is_on integer not null,
        text_id text not null
      )`,
      `create table automatic_texts (
        id text primary key,
        rule text not null,
        subject text not null,
        message text not null,
        format text not null,
        written_by text not null,
        written_at bigint not null
      )`,
      `alter table submissions add column notify integer not null default 0`,
      `alter table transactional_emails add column text_id text not null default ''`,
      // The history of a rule, and its counts from the indexes alone.
      `create index transactional_emails_history on transactional_emails (kind, id) where ${IS_AUTOMATIC}`,
      `create index transactional_emails_states on transactional_emails (kind, state) where ${IS_AUTOMATIC}`,
      `create index transactional_emails_skips on transactional_emails (kind, detail)
        where state = 'skipped' and ${IS_AUTOMATIC}`,
    ]),
};
