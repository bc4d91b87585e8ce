import type { Migration } from "kysely/migration";
import { isPostgres, runStatements } from "../run-statements";

/** Creates the indexes of the orders that a list's headers offer (docs/decisions/0108). */
export const listOrders: Migration = {
  up: (db) => {
    // Addresses are sorted byte by byte, whatever the database's own collation is.
    const emailKey = isPostgres(db) ? `email_key collate "C"` : "email_key";
    return runStatements(db, [
      // No other query says the second condition, which always holds: the databases would take the index for them, too.
      `create index submissions_by_company on submissions (kind, lower(company), id)
        where state = 'accepted' and lower(company) is not null`,
      `create index suppressions_by_reason_and_address on suppressions (reason, ${emailKey}, id)`,
      `create index campaigns_by_confirmed on campaigns (confirmed_at, id) where state <> 'draft'`,
      `create index campaigns_by_title on campaigns (lower(title), id) where state <> 'draft'`,
    ]);
  },
};
