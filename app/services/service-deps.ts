import { v7 } from "uuid";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";

/** Dependencies of nearly every service: the data, the time, and ids for new rows and audit entries. */
export interface ServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Returns the current time in epoch milliseconds; a dependency of services, so that tests can move time. */
export type Clock = () => number;

/** Tolerated difference between the clocks of two instances, or between ours and a sender's (hardening R35). */
export const CLOCK_TOLERANCE_MS = minutes(5);

/** Creates a UUIDv7: unguessable enough to name a row, and ordered by time within one process. */
export type NewId = () => string;

export const newId: NewId = () => v7();
