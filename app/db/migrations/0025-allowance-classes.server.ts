import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/**
 * Stores which emails wait for the daily allowance, and how long (docs/decisions/0115). The emails of each class are
 * found by themselves: thousands that wait for tomorrow are not read at each claim of one that never waits.
 */
export const allowanceClasses: Migration = {
  up: (db) =>
    runStatements(db, [
      `alter table transactional_emails add column allowance_class text not null default 'always'`,
      `alter table transactional_emails add column late_at bigint`,
      `drop index transactional_emails_due`,
      `create index transactional_emails_due on transactional_emails (allowance_class, not_before desc, id) where state in ('pending', 'retrying')`,
      `create index transactional_emails_late on transactional_emails (late_at) where state in ('pending', 'retrying') and late_at is not null`,
      // Drafts that were confirmed before, until the deliveries of that confirmation are dropped.
      `create index campaigns_reopened on campaigns (state, id) where state = 'draft' and prepared_through <> ''`,
    ]),
};
