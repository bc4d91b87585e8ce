import { describe, expect, it } from "vitest";
import { hours, minutes, seconds } from "./durations";
import {
  formatZonedMinute,
  fromWallTime,
  getTimeZones,
  isTimeZone,
  parseZonedMinute,
  toWallTime,
  toZonedMinute,
} from "./zoned-time";

const iso = (text: string, timeZone: string) => {
  const at = parseZonedMinute(text, timeZone);
  return at === undefined ? undefined : new Date(at).toISOString();
};

describe("a time in a zone", () => {
  it.each([
    ["UTC", "2026-11-21T08:30", "2026-11-21T08:30:00.000Z"],
    ["UTC", "2026-11-21 08:30", "2026-11-21T08:30:00.000Z"],
    ["UTC", "2028-02-29T23:59", "2028-02-29T23:59:00.000Z"],
    ["Europe/Berlin", "2026-11-21T08:30", "2026-11-21T07:30:00.000Z"],
    ["Europe/Berlin", "2026-07-01T08:30", "2026-07-01T06:30:00.000Z"],
    ["America/New_York", "2026-11-20T23:30", "2026-11-21T04:30:00.000Z"],
    ["Asia/Kathmandu", "2026-11-21T00:00", "2026-11-20T18:15:00.000Z"],
    ["Pacific/Kiritimati", "2027-01-01T00:00", "2026-12-31T10:00:00.000Z"],
  ])("in %s %s is %s", (timeZone, text, moment) => {
    expect(iso(text, timeZone)).toBe(moment);
    expect(formatZonedMinute(Date.parse(moment), timeZone)).toBe(text.replace(" ", "T"));
  });

  it.each([
    ["an hour that daylight saving time skips", "2026-03-29T02:30", "Europe/Berlin"],
    ["a day that does not exist", "2027-02-29T08:00", "Europe/Berlin"],
    ["another zone", "2027-02-27T08:00+02:00", "UTC"],
    ["seconds", "2027-02-27T08:00:00", "UTC"],
    ["a year of two digits", "0026-02-27T08:00", "UTC"],
    ["a 25th hour", "2027-02-27T24:00", "UTC"],
    ["a 61st minute", "2027-02-27T08:60", "UTC"],
    ["a day alone", "2027-02-27", "UTC"],
    ["a year of five digits", "12027-02-27T08:00", "UTC"],
    ["words", "tomorrow", "UTC"],
    ["nothing", "", "UTC"],
    ["of no zone", "2027-02-27T08:00", "Mars/Base"],
    ["of an empty zone", "2027-02-27T08:00", ""],
  ])("is not %s", (_, text, timeZone) => {
    expect(parseZonedMinute(text, timeZone)).toBeUndefined();
  });
});

it.each([
  ["2026-10-25T00:30:00.000Z", "Europe/Berlin", "2026-10-25T02:30", "Europe/Berlin"],
  ["2026-10-25T01:30:00.000Z", "Europe/Berlin", "2026-10-25T01:30", "UTC"],
  ["2026-10-25T02:30:00.000Z", "Europe/Berlin", "2026-10-25T03:30", "Europe/Berlin"],
])("%s in %s fills a field with %s of %s, which is read as the same time", (moment, zone, text, timeZone) => {
  const filled = toZonedMinute(Date.parse(moment), zone);
  expect(filled).toEqual({ text, timeZone });
  expect(iso(filled.text, filled.timeZone)).toBe(moment);
});

describe.each([
  "Europe/Berlin",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "Pacific/Chatham",
])("the wall clock of %s", (timeZone) => {
  // A step that is no divisor of a day meets all of its hours.
  const times: number[] = [];
  for (let at = Date.UTC(2026, 0); at < Date.UTC(2027, 0); at += minutes(997)) times.push(at);

  it("leads back to the first moment that shows it", () => {
    for (const at of times) {
      const wall = toWallTime(at, timeZone);
      const back = fromWallTime(wall, timeZone);
      expect(toWallTime(back, timeZone)).toBe(wall);
      // Its end repeats an hour, or half of one.
      expect([0, minutes(30), hours(1)]).toContain(at - back);
    }
  });

  it("shows no time of its changes before the first moment", () => {
    for (const at of times) {
      const offset = toWallTime(at, timeZone) - at;
      const next = toWallTime(at + minutes(997), timeZone) - at - minutes(997);
      if (offset === next) continue;
      for (let quarter = at; quarter < at + minutes(997); quarter += minutes(15)) {
        const back = fromWallTime(toWallTime(quarter, timeZone), timeZone);
        const earlier = [back - minutes(30), back - hours(1)].map((time) => toWallTime(time, timeZone));
        expect(earlier).not.toContain(toWallTime(quarter, timeZone));
      }
    }
  });

  it("has a moment for every time, in order", () => {
    let last = -Infinity;
    for (const wall of times) {
      const at = fromWallTime(wall, timeZone);
      expect(at).toBeGreaterThan(last);
      expect(toWallTime(at, timeZone)).toBeGreaterThanOrEqual(wall);
      expect(toWallTime(at - seconds(1), timeZone)).toBeLessThan(wall);
      last = at;
    }
  });
});

it("lists valid zones, and accepts old names of them and nothing else", () => {
  const zones = getTimeZones();
  expect(zones[0]).toBe("UTC");
  expect(zones).toContain("Europe/Berlin");
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([]);
  expect(isTimeZone("Asia/Calcutta")).toBe(true);
  for (const name of ["", "+02:00", "Mars/Base", "Europe/Berlin\n", "x".repeat(10_000)]) {
    expect(isTimeZone(name)).toBe(false);
  }
});
