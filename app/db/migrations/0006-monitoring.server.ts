import type { Migration } from "kysely/migration";
import { isPostgres, runStatements } from "../run-statements";

/** Creates the server's log with counts per level and hour, and the resource history. */
export const monitoring: Migration = {
  up: (db) => {
    const onPostgres = isPostgres(db);
    return runStatements(db, [
      // SQLite requires exactly "integer" to make the id the rowid, so that the table and its indexes are in its
      // order.
      `create table log_lines (
        id ${onPostgres ? "bigint" : "integer"} primary key,
        at bigint,
        level text not null,
        line text not null
      )`,
      `create index log_lines_by_level on log_lines (${onPostgres ? "level, id" : "level"})`,

      `create table log_hours (
        hour bigint not null,
        level text not null,
        lines bigint not null,
        bytes bigint not null,
        least_id bigint not null,
        greatest_id bigint not null,
        constraint log_hours_key primary key (hour, level)
      )`,

      `create table log_state (
        id integer primary key,
        next_id bigint not null,
        first_id bigint not null,
        swept_id bigint not null
      )`,
      `insert into log_state (id, next_id, first_id, swept_id) values (1, 1, 1, 1)`,

      // The key follows the queries: rows of one instance and step, in the order of time.
      `create table resource_samples (
        instance text not null,
        step bigint not null,
        at bigint not null,
        samples integer not null,
        cpu double precision not null,
        cpu_peak double precision not null,
        memory double precision not null,
        memory_peak double precision not null,
        disk double precision not null,
        inbound double precision not null,
        outbound double precision not null,
        meetings double precision,
        constraint resource_samples_key primary key (instance, step, at)
      )`,
      // To remove old samples of all instances.
      `create index resource_samples_age on resource_samples (step, at)`,

      `create table resource_incidents (
        id text primary key,
        instance text not null,
        kind text not null,
        began_at bigint not null,
        ended_at bigint,
        peak double precision not null,
        emailed_at bigint
      )`,
    ]);
  },
};
