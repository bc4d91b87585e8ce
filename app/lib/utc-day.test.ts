import { expect, it } from "vitest";
import { startOfNextDay, startOfUtcDay, utcDay, formatUtcDay } from "./utc-day";

it.each(["2026-11-21", "2024-02-29", "1970-01-01"])("%s begins at midnight UTC", (day) => {
  const at = startOfUtcDay(day);
  expect(new Date(at ?? 1).toISOString()).toBe(`${day}T00:00:00.000Z`);
});

it.each([
  "",
  "2026-02-29",
  "2026-02-31",
  "2026-13-01",
  "2026-1-1",
  "21.11.2026",
  "2026-11-21T00:00",
  "-2026-11-21",
])("%j is no day", (day) => {
  expect(startOfUtcDay(day)).toBeUndefined();
});

it("formats a day in figures and words, and finds its end", () => {
  const at = Date.UTC(2026, 10, 21, 23, 59, 59, 999);
  expect(utcDay(at)).toBe("2026-11-21");
  expect(formatUtcDay(at)).toBe("Saturday, 21 November 2026");
  expect(startOfNextDay(startOfUtcDay("2026-11-21") ?? 0)).toBe(at + 1);
});
