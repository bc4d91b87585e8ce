import { pino } from "pino";
import { expect, test } from "vitest";
import { Drain, DRAIN_LIMITS } from "./drain.ts";
import { InFlightRequests } from "./in-flight-requests.ts";

function createDrain(now: () => number) {
  const exits: number[] = [];
  const drain = new Drain({
    inFlightRequests: new InFlightRequests(),
    logger: pino({ level: "silent" }),
    limits: DRAIN_LIMITS,
    graceMs: 0,
    exit: (code) => void exits.push(code),
    now,
  });
  let release = () => {};
  drain.onDrain(() => new Promise((resolve) => (release = resolve)));
  return { drain, exits, release: () => release() };
}

test.each([
  ["exits at once", "SIGTERM", "SIGTERM", 500, [1]],
  ["exits at once", "SIGTERM", "SIGINT", 0, [1]],
  ["exits at once", "SIGINT", "SIGTERM", 0, [1]],
  ["exits at once", "SIGINT", "SIGINT", 500, [1]],
  ["is ignored when npm forwards the same Ctrl-C", "SIGINT", "SIGINT", 499, []],
  ["is ignored when npm forwards that of a service manager", "SIGTERM", "SIGTERM", 499, []],
])("a second signal %s: %s, then %s after %i ms", (_, first, second, later, expected) => {
  let now = 0;
  const { drain, exits, release } = createDrain(() => now);
  drain.begin(first);
  expect([drain.isDraining(), exits]).toEqual([true, []]);
  now = later;
  drain.begin(second);
  expect(exits).toEqual(expected);
  release();
});
