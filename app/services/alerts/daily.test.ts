import { expect, it } from "vitest";
import { hours, minutes } from "~/lib/durations";
import { getDayBefore, getLastDueDay } from "./daily";

const berlin = (hour: number) => ({ hour, timeZone: "Europe/Berlin" });
const at = (text: string) => Date.parse(text);

it("a day's email is due from its hour on", () => {
  expect(getLastDueDay(at("2026-11-28T06:59:59Z"), berlin(8))).toBe("2026-11-27");
  expect(getLastDueDay(at("2026-11-28T07:00:00Z"), berlin(8))).toBe("2026-11-28");
  expect(getLastDueDay(at("2026-11-28T23:30:00Z"), berlin(0))).toBe("2026-11-29");
  expect(getLastDueDay(at("2026-11-28T12:00:00Z"), { hour: 8, timeZone: "UTC" })).toBe("2026-11-28");
});

it("each day has one, also when the clocks change", () => {
  // On 29 March there is no 02:30 in Berlin, on 25 October there are two.
  for (const [start, end] of [
    ["2026-03-27T00:00:00Z", "2026-04-01T00:00:00Z"],
    ["2026-10-23T00:00:00Z", "2026-10-28T00:00:00Z"],
  ] as const) {
    for (const hour of [0, 1, 2, 3, 8, 23]) {
      const due: string[] = [];
      for (let now = at(start); now < at(end); now += minutes(10)) {
        const day = getLastDueDay(now, berlin(hour));
        if (day !== due.at(-1)) due.push(day);
      }
      expect(due.length).toBeGreaterThanOrEqual(5);
      expect(due.slice(1).map(getDayBefore)).toEqual(due.slice(0, -1));
    }
  }
});

it("a skipped hour is the moment of the change, a repeated one the first of the two", () => {
  const skipped = at("2026-03-29T01:00:00Z");
  expect(getLastDueDay(skipped - 1, berlin(2))).toBe("2026-03-28");
  expect(getLastDueDay(skipped, berlin(2))).toBe("2026-03-29");
  const repeated = at("2026-10-25T00:00:00Z");
  expect(getLastDueDay(repeated - 1, berlin(2))).toBe("2026-10-24");
  expect(getLastDueDay(repeated, berlin(2))).toBe("2026-10-25");
  expect(getLastDueDay(repeated + hours(1), berlin(2))).toBe("2026-10-25");
});

it("the day before is one of the calendar", () => {
  expect(getDayBefore("2026-03-01")).toBe("2026-02-28");
  expect(getDayBefore("2026-01-01")).toBe("2025-12-31");
});
