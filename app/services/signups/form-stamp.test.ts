import { describe, expect, it } from "vitest";
import { hours, minutes, seconds } from "~/lib/durations";
import { createFormStamps } from "./form-stamp.server";

const NOW = Date.UTC(2026, 10, 21, 8);
const stamps = createFormStamps("a secret of the tests");
/** Verifies a stamp of this age; a negative age is that of an instance whose clock is ahead. */
const verify = (ageMs: number) => stamps.verify(stamps.create(NOW - ageMs), NOW);

describe("a form's stamp", () => {
  it.each([seconds(1), minutes(4), minutes(5)])("of a clock %i ms ahead counts as fresh (R35)", (ahead) => {
    expect(verify(-ahead)).toBe("ok");
  });

  it("of a clock further ahead than the tolerance is too fast (R35)", () => {
    expect(verify(-minutes(5) - seconds(1))).toBe("too-fast");
  });

  it("is too fast for two seconds (C27)", () => {
    expect([0, 1000, 2000].map(verify)).toEqual(["too-fast", "too-fast", "ok"]);
  });

  it("expires after a day (C27)", () => {
    expect([hours(24), hours(24) + seconds(1)].map(verify)).toEqual(["ok", "expired"]);
  });

  it("made with another secret is forged (C27)", () => {
    expect(stamps.verify(createFormStamps("another").create(NOW - minutes(1)), NOW)).toBe("forged-form");
  });
});
