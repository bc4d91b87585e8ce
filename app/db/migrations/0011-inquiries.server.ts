import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Stores by whom and when an inquiry was marked as answered. */
export const inquiries: Migration = {
  up: (db) =>
    runStatements(db, [
      `alter table submissions add column answered_at bigint`,
      `alter table submissions add column answered_by text`,
      // Open and answered inquiries by time; the open ones are counted from the index alone.
      `create index submissions_open_inquiries on submissions (kind, state, id)
        where kind = 'contact-form' and answered_at is null`,
      `create index submissions_answered_inquiries on submissions (kind, state, id)
        where kind = 'contact-form' and answered_at is not null`,
    ]),
};
