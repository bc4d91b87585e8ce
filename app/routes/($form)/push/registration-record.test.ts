import { describe, expect, it } from "vitest";
import { days } from "~/lib/durations";
import { isStale, parseRecord } from "./registration-record";

describe("a registration", () => {
  const now = Date.UTC(2026, 10, 21);
  const record = { token: "token", createdAt: now - days(7) + 1 };

  it("holds for seven days and not a millisecond longer", () => {
    expect(isStale(record, "token", now)).toBe(false);
    expect(isStale(record, "token", now + 1)).toBe(true);
  });

  it.each([
    ["there is none", undefined],
    ["the token is another one", { ...record, token: "another" }],
    ["it is of the future, because the clock was set back", { ...record, createdAt: now + 1 }],
  ])("does not hold when %s", (_, other) => {
    expect(isStale(other, "token", now)).toBe(true);
  });

  it.each([null, "", "null", "[]", "{}", '{"token":1,"createdAt":1}', '{"token":"a"}'])(
    "is not read from what is none: %s",
    (text) => {
      expect(parseRecord(text)).toBeUndefined();
    },
  );

  it("is read as it was kept", () => {
    expect(parseRecord(JSON.stringify(record))).toEqual(record);
  });
});
