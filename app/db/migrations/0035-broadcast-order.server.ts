import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Indexes broadcasts in the order of their list. */
export const broadcastOrder: Migration = {
  up: (db) =>
    runStatements(db, [
      `create index broadcasts_by_confirmed on broadcasts (confirmed_at, id) where state <> 'draft'`,
    ]),
};
