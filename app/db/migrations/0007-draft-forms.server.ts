import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Stores which open form saved a draft last, so that two windows do not overwrite each other's text. */
export const draftForms: Migration = {
  up: (db) => runStatements(db, [`alter table campaigns add column touched_form text not null default ''`]),
};
