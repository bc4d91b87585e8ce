import { expect, it } from "vitest";
import {
  countdown,
  duration,
  relativeTime,
  utcTime,
  zonedClock,
  zonedMinute,
  zonedSecond,
} from "./format-time";

const NOW = Date.UTC(2026, 10, 21, 8, 24, 30);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

it.each([
  [0, "just now"],
  [MINUTE - 1, "just now"],
  [MINUTE, "1 minute ago"],
  [4 * MINUTE + 59_999, "4 minutes ago"],
  [60 * MINUTE - 1, "59 minutes ago"],
  [60 * MINUTE, "1 hour ago"],
  [DAY - 1, "23 hours ago"],
  [DAY, "1 day ago"],
  [30 * DAY - 1, "29 days ago"],
  [30 * DAY, "1 month ago"],
  [364 * DAY, "12 months ago"],
  [365 * DAY, "1 year ago"],
  [800 * DAY, "2 years ago"],
])("%d ms back is %s", (distance, expected) => {
  expect(relativeTime(NOW - distance, NOW)).toBe(expected);
});

it("formats a time in the future, of a clock ahead of ours", () => {
  expect(relativeTime(NOW + 59_999, NOW)).toBe("just now");
  expect(relativeTime(NOW + 3 * MINUTE, NOW)).toBe("in 3 minutes");
});

it.each([
  [90 * DAY - 1, "in 3 months"],
  [DAY - 1, "in 24 hours"],
  [DAY, "in 1 day"],
  [45 * DAY - 1, "in 1 month"],
  [45 * DAY, "in 2 months"],
  [365 * DAY - 1, "in 12 months"],
])("%d ms ahead is %s, to the nearest unit", (distance, expected) => {
  expect(relativeTime(NOW + distance, NOW)).toBe(expected);
});

it("formats a time to the minute in UTC", () => {
  expect(utcTime(NOW)).toBe("2026-11-21 08:24 UTC");
});

it("formats a time in a zone, whose day may be another", () => {
  expect(zonedMinute(NOW, "Europe/Berlin")).toBe("2026-11-21 09:24");
  expect(zonedSecond(NOW, "America/Los_Angeles")).toBe("2026-11-21 00:24:30");
  expect(zonedMinute(NOW, "Pacific/Kiritimati")).toBe("2026-11-21 22:24");
  expect(zonedClock(NOW + 16 * 60 * MINUTE, "Asia/Kathmandu")).toBe("06:09");
});

it.each([
  [0, "less than a minute"],
  [MINUTE - 1, "less than a minute"],
  [MINUTE, "about 1 minute"],
  [150 * MINUTE, "about 2 hours"],
])("%d ms take %s", (ms, words) => expect(duration(ms)).toBe(words));

it.each([
  [-MINUTE, "now"],
  [0, "now"],
  [1, "in 1 second"],
  [41_001, "in 42 seconds"],
  [119_000, "in 119 seconds"],
  [2 * MINUTE, "in 2 minutes"],
  [DAY, "in 1 day"],
])("%d ms ahead is %s", (distance, expected) => {
  expect(countdown(NOW + distance, NOW)).toBe(expected);
});
