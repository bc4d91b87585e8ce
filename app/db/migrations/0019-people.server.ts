import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/**
 * Creates the people behind the submissions. Who is there already is added while the server serves
 * (fill-people.server.ts), because that takes minutes for a million submissions.
 */
export const people: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table people (
        id text primary key,
        email_key text not null unique,
        email text not null,
        email_domain text not null,
        name text not null,
        company text not null,
        role text not null,
        first_signup_at bigint
      )`,
      `create table people_fill (
        last_submission text not null,
        finished_at bigint
      )`,
      `insert into people_fill (last_submission, finished_at) values ('', null)`,
    ]),
};
