import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Adds where submissions and people came from, and the counts of signups and visits by source and day. */
export const sources: Migration = {
  up: (db) =>
    runStatements(db, [
      `alter table submissions add column source text not null default 'unknown'`,
      `alter table submissions add column heard_from text not null default ''`,
      // No other query says the condition, which always holds: the databases would take the index for them, too.
      `create index submissions_by_source on submissions (kind, state, source, id) where source <> ''`,
      `alter table people add column source text not null default 'unknown'`,
      `create index people_by_source on people (source, id)`,
      `create table submission_sources (
        kind text not null,
        day bigint not null,
        source text not null,
        count bigint not null,
        constraint submission_sources_key primary key (kind, day, source)
      )`,
      `insert into submission_sources (kind, day, source, count)
        select kind, day, 'unknown', count from submission_days where count <> 0`,
      `create table landing_visits (
        day bigint not null,
        source text not null,
        count bigint not null,
        constraint landing_visits_key primary key (day, source)
      )`,
    ]),
};
