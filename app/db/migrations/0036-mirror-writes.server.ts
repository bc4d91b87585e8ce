import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Stores what a write to a mirror sent: until its result is known, the submission may be corrected. */
export const mirrorWrites: Migration = {
  up: (db) =>
    runStatements(db, [`alter table mirror_rows add column sent_fingerprint text not null default ''`]),
};
