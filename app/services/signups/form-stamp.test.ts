import { describe, expect, it } from "vitest";
import { hours, minutes, seconds } from "~/lib/durations";
import { createFormStamps } from "./form-stamp.server";

const NOW = Date.UTC(2026, 10, 21, 8);
const stamps = createFormStamps("a secret of the tests");
/** Verifies a stamp of this age; a negative age is that of an instance whose clock is ahead. */
const verify = (ageMs: number) => stamps.verify(stamps.create(NOW - ageMs), NOW);

describe("a form's stamp", () => {
  // R35
  it.each([seconds(1), minutes(4), minutes(5)])("of a clock %i ms ahead counts as fresh", (ahead) => {
    expect(verify(-ahead)).toBe("ok");
  });

  // R35
  it("of a clock further ahead than the tolerance is too fast", () => {
    expect(verify(-minutes(5) - seconds(1))).toBe("too-fast");
  });

  // C27
  it("is too fast for two seconds", () => {
    expect([0, 1000, 2000].map(verify)).toEqual(["too-fast", "too-fast", "ok"]);
  });

  // C27
  it("expires after a day", () => {
    expect([hours(24), hours(24) + seconds(1)].map(verify)).toEqual(["ok", "expired"]);
  });

  // C27
  it("made with another secret is forged", () => {
    expect(stamps.verify(createFormStamps("another").create(NOW - minutes(1)), NOW)).toBe("forged-form");
  });
});
