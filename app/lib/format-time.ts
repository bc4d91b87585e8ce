import { days, hours, minutes } from "./durations";
import { toWallTime } from "./zoned-time";

/** Largest unit first; a month counts as 30 days and a year as 365. */
const UNITS = [
  ["year", days(365)],
  ["month", days(30)],
  ["day", days(1)],
  ["hour", hours(1)],
  ["minute", minutes(1)],
] as const;

/**
 * Formats a time by its distance: "4 minutes ago", "in 4 minutes", "just now" below a minute. An age is rounded down, and
 * a time ahead to the nearest unit: what was set for 90 days is still "in 3 months" a second later. Not by Intl: server
 * and browser may have different editions of it, and must render the same page.
 */
export function relativeTime(at: number, now: number): string {
  const isAhead = at > now;
  const words = largestUnit(Math.abs(now - at), isAhead ? Math.round : Math.floor);
  if (words === undefined) return "just now";
  return isAhead ? `in ${words}` : `${words} ago`;
}

/** Formats a length of time in milliseconds, in whole units rounded down: "about 4 minutes". */
export function duration(ms: number): string {
  const words = largestUnit(ms, Math.floor);
  return words === undefined ? "less than a minute" : `about ${words}`;
}

/** "4 minutes"; undefined below one minute. */
function largestUnit(ms: number, round: (count: number) => number): string | undefined {
  for (const [unit, length] of UNITS) {
    if (ms < length) continue;
    const count = round(ms / length);
    return `${count} ${unit}${count === 1 ? "" : "s"}`;
  }
  return undefined;
}

/** Formats the time until `at`: "in 42 seconds" below two minutes, "in 4 minutes"; "now" when it has passed. */
export function countdown(at: number, now: number): string {
  const left = Math.ceil((at - now) / 1000);
  if (left <= 0) return "now";
  if (left < 120) return `in ${left} ${left === 1 ? "second" : "seconds"}`;
  return relativeTime(at, now);
}

/** Formats a time to the minute in UTC: "2026-11-21 08:24 UTC". */
export const utcTime = (at: number): string => formatUtc(at, 16);

/** Formats a time to the second in UTC: "2026-11-21 08:24:05 UTC". */
export const utcSecond = (at: number): string => formatUtc(at, 19);

/** Formats a time to the minute in a zone, which the back office's frame names: "2026-11-21 09:24". */
export const zonedMinute = (at: number, timeZone: string): string => cutUtc(toWallTime(at, timeZone), 16);

/** Formats a time to the second in a zone: "2026-11-21 09:24:05". */
export const zonedSecond = (at: number, timeZone: string): string => cutUtc(toWallTime(at, timeZone), 19);

/** Formats the hour and minute of a time in a zone: "09:24". */
export const zonedClock = (at: number, timeZone: string): string => zonedMinute(at, timeZone).slice(11);

const formatUtc = (at: number, length: number): string => `${cutUtc(at, length)} UTC`;

const cutUtc = (at: number, length: number): string =>
  new Date(at).toISOString().slice(0, length).replace("T", " ");
