import { expect, it } from "vitest";
import { days, hours } from "./durations";
import { utcDay } from "./utc-day";
import { endOfZonedDay, startOfZonedDay, zonedDay } from "./zoned-day";

const length = (day: string, timeZone: string) =>
  (endOfZonedDay(day, timeZone) ?? 0) - (startOfZonedDay(day, timeZone) ?? 0);

it.each([
  ["2026-11-21", "Europe/Berlin", "2026-11-20T23:00:00.000Z", 24],
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z", 23],
  ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z", 25],
  ["2026-04-05", "Australia/Lord_Howe", "2026-04-04T13:00:00.000Z", 24.5],
  // Midnight does not exist: the day begins at one.
  ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z", 23],
  ["2026-11-21", "Asia/Kolkata", "2026-11-20T18:30:00.000Z", 24],
  // The day was skipped.
  ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z", 0],
])("%s in %s begins at %s and has %d hours", (day, timeZone, start, hoursLong) => {
  expect(new Date(startOfZonedDay(day, timeZone) ?? 1).toISOString()).toBe(start);
  expect(length(day, timeZone)).toBe(hours(hoursLong));
});

it.each(["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Africa/Cairo", "Pacific/Auckland", "UTC"])(
  "the days of %s follow each other, and each contains its times alone",
  (timeZone) => {
    for (let noon = Date.UTC(2026, 0, 1, 12); noon < Date.UTC(2027, 0); noon += days(1)) {
      const day = utcDay(noon);
      const [start = 0, end = 0] = [startOfZonedDay(day, timeZone), endOfZonedDay(day, timeZone)];
      expect(startOfZonedDay(utcDay(noon + days(1)), timeZone)).toBe(end);
      expect([start, end - 1].map((at) => zonedDay(at, timeZone))).toEqual([day, day]);
      expect(zonedDay(end, timeZone)).not.toBe(day);
    }
  },
);

it.each(["", "2026-02-29", "21.11.2026"])("%j is no day", (day) => {
  expect(startOfZonedDay(day, "Europe/Berlin")).toBeUndefined();
  expect(endOfZonedDay(day, "Europe/Berlin")).toBeUndefined();
});
