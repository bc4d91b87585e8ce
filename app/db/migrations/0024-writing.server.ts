import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Lets a campaign be written in Markdown, and name its recipients' company and role (docs/decisions/0114). */
export const writing: Migration = {
  up: (db) =>
    runStatements(db, [
      `alter table campaigns add column format text not null default 'text'`,
      `alter table deliveries add column company text not null default ''`,
      `alter table deliveries add column role text not null default ''`,
    ]),
};
