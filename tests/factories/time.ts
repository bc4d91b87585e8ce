import type { Clock } from "~/services/clock";

/** A clock a test moves by hand. */
export function testClock(start = Date.UTC(2026, 10, 21, 8)): Clock & { forward(ms: number): void } {
  let now = start;
  return Object.assign(() => now, { forward: (ms: number) => void (now += ms) });
}
