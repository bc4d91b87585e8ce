import { pino } from "pino";
import { describe, expect, test } from "vitest";
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

describe("a second signal", () => {
  test.each([
    ["SIGTERM", "SIGTERM", 0],
    ["SIGTERM", "SIGINT", 0],
    ["SIGINT", "SIGTERM", 0],
    ["SIGINT", "SIGINT", 500],
  ])("exits at once: %s, then %s after %i ms", (first, second, later) => {
    let now = 0;
    const { drain, exits, release } = createDrain(() => now);
    drain.begin(first);
    expect([drain.isDraining(), exits]).toEqual([true, []]);
    now = later;
    drain.begin(second);
    expect(exits).toEqual([1]);
    release();
  });

  test("is ignored when npm forwards the same Ctrl-C", () => {
    let now = 0;
    const { drain, exits, release } = createDrain(() => now);
    drain.begin("SIGINT");
    now = 499;
    drain.begin("SIGINT");
    expect(exits).toEqual([]);
    release();
  });
});
