import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/**
 * A time that all instances on one database agree on, in milliseconds, whatever a machine's own clock is set to (hardening
 * R18). It is for leases alone: it need not be the time of day.
 */
export interface SharedTime {
  /** As a part of a statement. */
  now(): RawBuilder<number>;
  /** Whether it begins again at nothing with the machine: what lies further ahead than it can was written before that. */
  readonly beginsAnew: boolean;
}

/**
 * PostgreSQL has one clock for all. On SQLite all instances run on one machine: its time since it was started, which nobody
 * can set, is the same in each of them.
 */
export function sharedTimeOf(dialect: "sqlite" | "postgres"): SharedTime {
  return dialect === "postgres"
    ? { now: () => sql`cast(extract(epoch from now()) * 1000 as bigint)`, beginsAnew: false }
    : { now: () => sql`${Number(process.hrtime.bigint() / 1_000_000n)}`, beginsAnew: true };
}
