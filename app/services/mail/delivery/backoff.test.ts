import { describe, expect, it } from "vitest";
import { hours, seconds } from "~/lib/durations";
import { Backoff } from "./backoff";

describe("the wait for an unreachable server", () => {
  it("is the same for all that fail during it", () => {
    const backoff = new Backoff();
    expect(backoff.getRetryTime("a", 0)).toBe(seconds(5));
    expect(backoff.getRetryTime("a", seconds(5) - 1)).toBe(seconds(5));
    expect(backoff.getRetryTime("a", seconds(5))).toBe(seconds(15));
    expect(backoff.getRetryTime("b", seconds(5)), "each waits alone").toBe(seconds(10));
  });

  it("is not ended by an answer to what was sent before it", () => {
    const backoff = new Backoff();
    backoff.getRetryTime("a", 0);
    backoff.reset("a", seconds(5) - 1);
    expect(backoff.getRetryTime("a", seconds(5) - 1)).toBe(seconds(5));
    backoff.reset("a", seconds(5));
    expect(backoff.getRetryTime("a", seconds(5))).toBe(seconds(10));
  });

  // R18
  it("is over when the clock was set back by an hour", () => {
    const backoff = new Backoff();
    backoff.getRetryTime("a", hours(1));
    expect(backoff.getRetryTime("a", 0)).toBe(seconds(10));
    backoff.getRetryTime("b", hours(1));
    backoff.reset("b", 0);
    expect(backoff.getRetryTime("b", 0)).toBe(seconds(5));
  });
});
