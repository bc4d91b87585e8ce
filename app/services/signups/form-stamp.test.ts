import { describe, expect, it } from "vitest";
import { hours, minutes, seconds } from "~/lib/durations";
import { createFormStamps } from "./form-stamp.server";

const NOW = Date.UTC(2026, 10, 21, 8);
const stamps = createFormStamps("a secret of the tests");
/** Of a form rendered so long ago; negative: by an instance whose clock is ahead. */
const judged = (ageMs: number) => stamps.verify(stamps.make(NOW - ageMs), NOW);

describe("a form's stamp", () => {
  it.each([seconds(1), minutes(4), minutes(5)])("of a clock %i ms ahead counts as fresh (R35)", (ahead) => {
    expect(judged(-ahead)).toBe("ok");
  });

  it("of a time further ahead than clocks differ is suspicious (R35)", () => {
    expect(judged(-minutes(5) - seconds(1))).toBe("too-fast");
  });

  it("is too young for two seconds where its age can be told (C27)", () => {
    expect([0, 1000, 2000].map(judged)).toEqual(["too-fast", "too-fast", "ok"]);
  });

  it("is over after a day (C27)", () => {
    expect([hours(24), hours(24) + seconds(1)].map(judged)).toEqual(["ok", "expired"]);
  });

  it("of another secret is forged (C27)", () => {
    expect(stamps.verify(createFormStamps("another").make(NOW - minutes(1)), NOW)).toBe("forged");
  });
});
