import { sql, type RawBuilder } from "kysely";

/**
 * Clock that all instances on one database share, in milliseconds, independent of the clocks of their machines
 * (hardening R18). Only for leases: it need not be the time of day.
 */
export interface SharedTime {
  /**
   * Returns SQL for the current time. On SQLite that is the time of this call: compare leases only by one made in the
   * transaction, because others may take theirs while it waits for the lock.
   */
  now(): RawBuilder<number>;
  /** True when the clock restarts with the machine: a time further ahead than possible is from before. */
  readonly restartsWithMachine: boolean;
}

/**
 * Returns the shared clock of a database. PostgreSQL has one clock for all. On SQLite all instances run on one
 * machine: its uptime, which nobody can set, is the same in each of them.
 */
export function getSharedTime(dialect: "sqlite" | "postgres"): SharedTime {
  return dialect === "postgres"
    ? { now: () => sql`cast(extract(epoch from now()) * 1000 as bigint)`, restartsWithMachine: false }
    : { now: () => sql`${Number(process.hrtime.bigint() / 1_000_000n)}`, restartsWithMachine: true };
}
