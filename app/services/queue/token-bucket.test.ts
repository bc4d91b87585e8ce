import { describe, expect, it } from "vitest";
import { TokenBucket } from "./token-bucket";

/** Counts the tokens taken in each second when all available ones are taken every `everyMs`. */
function sentPerSecond(perSecond: number, everyMs: number): number[] {
  const bucket = new TokenBucket(perSecond, 0);
  return [0, 1, 2, 3].map((second) => {
    let sent = 0;
    for (let ms = second * 1000; ms < (second + 1) * 1000; ms += everyMs) {
      const allowed = bucket.available(ms);
      bucket.consume(allowed);
      sent += allowed;
    }
    return sent;
  });
}

describe("the rate per second", () => {
  it.each([1, 3, 5, 50, 1000])("allows %i a second, a tenth more in a burst", (perSecond) => {
    for (const sent of sentPerSecond(perSecond, 10)) {
      expect(sent).toBeGreaterThanOrEqual(perSecond - 1);
      expect(sent).toBeLessThanOrEqual(perSecond + Math.max(1, perSecond / 10));
    }
  });

  it("allows everything at once when there is none", () => {
    const bucket = new TokenBucket(0, 0);
    bucket.consume(1_000_000);
    expect(bucket.available(0)).toBe(Infinity);
    expect(bucket.waitMs(0)).toBe(0);
  });

  it("returns exactly when the next token is available", () => {
    const bucket = new TokenBucket(4, 0);
    bucket.consume(bucket.available(0));
    expect(bucket.waitMs(0)).toBe(250);
    expect(bucket.waitMs(100)).toBe(150);
    expect(bucket.available(249)).toBe(0);
    expect(bucket.available(250)).toBe(1);
  });

  it("saves up at most a burst, also when a clock is set back", () => {
    const bucket = new TokenBucket(10, 1_000_000);
    expect(bucket.available(9_000_000)).toBe(1);
    bucket.consume(1);
    expect(bucket.available(1_000)).toBe(0);
    expect(bucket.available(1_100)).toBe(1);
  });
});
