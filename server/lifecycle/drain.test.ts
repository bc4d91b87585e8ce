import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { Drain, DRAIN_LIMITS } from "./drain.ts";
import { InFlightRequests } from "./in-flight-requests.ts";

function drainAt(now: () => number) {
  const exits: number[] = [];
  const logger = pino({ level: "silent" });
  const exit = (code: number) => void exits.push(code);
  const drain = new Drain({
    inFlightRequests: new InFlightRequests(),
    logger,
    limits: DRAIN_LIMITS,
    graceMs: 0,
    exit,
    now,
  });
  let release = () => {};
  drain.onDrain(() => new Promise((resolve) => (release = resolve)));
  return { drain, exits, release: () => release() };
}

describe("a second signal means at once", () => {
  test.each([
    ["SIGTERM", "SIGTERM", 0],
    ["SIGTERM", "SIGINT", 0],
    ["SIGINT", "SIGTERM", 0],
    ["SIGINT", "SIGINT", 500],
  ])("%s, then %s after %i ms", (first, second, later) => {
    let now = 0;
    const { drain, exits, release } = drainAt(() => now);
    drain.begin(first);
    expect([drain.isDraining(), exits]).toEqual([true, []]);
    now = later;
    drain.begin(second);
    expect(exits).toEqual([1]);
    release();
  });

  test("but one Ctrl-C that npm passes on once more is one", () => {
    let now = 0;
    const { drain, exits, release } = drainAt(() => now);
    drain.begin("SIGINT");
    now = 499;
    drain.begin("SIGINT");
    expect(exits).toEqual([]);
    release();
  });
});
