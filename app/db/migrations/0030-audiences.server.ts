import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Narrows the audience of campaigns, and holds whom a confirmation chose until the deliveries are created. */
export const audiences: Migration = {
  up: (db) =>
    runStatements(db, [
      `alter table campaigns add column narrowing text not null default ''`,
      `alter table campaigns add column freezing text not null default ''`,
      `create table campaign_people (
        campaign_id text not null references campaigns (id) on delete cascade,
        place integer not null,
        person_id text not null,
        constraint campaign_people_key primary key (campaign_id, place),
        constraint campaign_people_once unique (campaign_id, person_id)
      )`,
    ]),
};
