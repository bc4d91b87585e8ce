import { sql } from "kysely";
import type { SharedTime } from "~/db/shared-time.server";
import type { SetTimer } from "~/lib/set-timer";
import type { Clock } from "~/services/service-deps";

export type TestClock = Clock & { forward(ms: number): void };

/** Creates a clock that only the test moves. */
export function createTestClock(start = Date.UTC(2026, 10, 21, 8)): TestClock {
  let now = start;
  return Object.assign(() => now, { forward: (ms: number) => void (now += ms) });
}

/** Lease time taken from a test's clock. */
export const createLeaseTime = (clock: Clock): SharedTime => ({
  now: () => sql`cast(${clock()} as bigint)`,
  restartsWithMachine: false,
});

/** Creates timers that fire only when the test advances time. */
export function createManualTimers(): { setTimer: SetTimer; forward(ms: number): void } {
  let now = 0;
  const timers = new Set<{ readonly due: number; readonly callback: () => void }>();
  return {
    setTimer(ms, callback) {
      const timer = { due: now + ms, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    forward(ms) {
      now += ms;
      for (const timer of timers) {
        if (timer.due > now) continue;
        timers.delete(timer);
        timer.callback();
      }
    },
  };
}
