import { expect, it } from "vitest";
import { startOfUtcMinute, utcMinute } from "./utc-minute";

it("a minute is formatted for an address, and parsed", () => {
  const at = Date.UTC(2026, 10, 21, 8, 24);
  expect(utcMinute(at + 59_999)).toBe("2026-11-21T08:24Z");
  expect(startOfUtcMinute("2026-11-21T08:24Z")).toBe(at);
});

it.each([
  "",
  "2026-11-21",
  "2026-11-21T08:24",
  "2026-02-31T08:24Z",
  "2026-11-21T24:60Z",
  "x2026-11-21T08:24Z",
])("%j is no minute", (text) => {
  expect(startOfUtcMinute(text)).toBeUndefined();
});
