import { sql } from "kysely";
import type { SharedTime } from "~/db/shared-time.server";
import type { Clock } from "~/services/clock";

/** A clock a test moves by hand. */
export function testClock(start = Date.UTC(2026, 10, 21, 8)): Clock & { forward(ms: number): void } {
  let now = start;
  return Object.assign(() => now, { forward: (ms: number) => void (now += ms) });
}

/** Leases that run out by a clock of the test. */
export const leasesBy = (clock: Clock): SharedTime => ({
  now: () => sql`cast(${clock()} as bigint)`,
  beginsAnew: false,
});
