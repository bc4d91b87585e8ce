import { expect, it } from "vitest";
import { getMinuteOfDay, getNextTime } from "./repeats";

const at = (text: string) => Date.parse(`${text}Z`);
const next = (
  repeats: "day" | "weekday" | "week",
  last: string,
  now: string,
  timeZone = "UTC",
  minute = 570,
) => new Date(getNextTime({ repeats, minute, timeZone }, at(last), at(now))).toISOString().slice(0, 16);

it("a daily series goes on the next day, and leaves out days that are over", () => {
  expect(next("day", "2026-11-27T09:30", "2026-11-27T09:30")).toBe("2026-11-28T09:30");
  expect(next("day", "2026-11-27T09:30", "2026-11-30T12:00")).toBe("2026-12-01T09:30");
});

it("one of weekdays leaves out Saturday and Sunday of its zone", () => {
  // 27 November 2026 is a Friday.
  expect(next("weekday", "2026-11-27T09:30", "2026-11-27T09:31")).toBe("2026-11-30T09:30");
  expect(next("weekday", "2026-11-26T09:30", "2026-11-26T09:31")).toBe("2026-11-27T09:30");
  // 09:30 on Monday in Auckland is still Sunday in UTC.
  expect(next("weekday", "2026-11-26T20:30", "2026-11-27T00:00", "Pacific/Auckland")).toBe(
    "2026-11-29T20:30",
  );
});

it("a weekly series keeps its day of the week", () => {
  expect(next("week", "2026-11-27T09:30", "2026-12-10T12:00")).toBe("2026-12-11T09:30");
});

it("the time of day stays over a change of the clocks", () => {
  expect(next("day", "2026-10-24T07:30", "2026-10-24T08:00", "Europe/Berlin")).toBe("2026-10-25T08:30");
  // 02:30 does not exist on that day, and does on the next one.
  expect(next("day", "2026-03-28T01:30", "2026-03-28T02:00", "Europe/Berlin", 150)).toBe("2026-03-29T01:00");
  expect(next("day", "2026-03-29T01:00", "2026-03-29T02:00", "Europe/Berlin", 150)).toBe("2026-03-30T00:30");
  expect(getMinuteOfDay(at("2026-07-01T07:30"), "Europe/Berlin")).toBe(570);
});
