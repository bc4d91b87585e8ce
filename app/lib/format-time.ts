import { days, hours, minutes } from "./durations";

/** Largest unit first; a month counts as 30 days and a year as 365. */
const UNITS = [
  ["year", days(365)],
  ["month", days(30)],
  ["day", days(1)],
  ["hour", hours(1)],
  ["minute", minutes(1)],
] as const;

/**
 * Formats the time since `at`: "4 minutes ago", "just now" below a minute, "in 4 minutes" by another machine's
 * clock. Not by Intl: server and browser may have different editions of it, and must render the same page.
 */
export function relativeTime(at: number, now: number): string {
  const words = largestUnit(Math.abs(now - at));
  if (words === undefined) return "just now";
  return at > now ? `in ${words}` : `${words} ago`;
}

/** Formats a length of time in milliseconds, in whole units rounded down: "about 4 minutes". */
export function duration(ms: number): string {
  const words = largestUnit(ms);
  return words === undefined ? "less than a minute" : `about ${words}`;
}

/** "4 minutes"; undefined below one minute. */
function largestUnit(ms: number): string | undefined {
  for (const [unit, length] of UNITS) {
    const count = Math.floor(ms / length);
    if (count > 0) return `${count} ${unit}${count === 1 ? "" : "s"}`;
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

/** As utcTime, for a place whose time zone is named elsewhere on the screen: "2026-11-21 08:24". */
export const bareUtcMinute = (at: number): string => cutUtc(at, 16);

/** As utcSecond, for a place whose time zone is named elsewhere on the screen: "2026-11-21 08:24:05". */
export const bareUtcSecond = (at: number): string => cutUtc(at, 19);

const formatUtc = (at: number, length: number): string => `${cutUtc(at, length)} UTC`;

const cutUtc = (at: number, length: number): string =>
  new Date(at).toISOString().slice(0, length).replace("T", " ");

/** Formats a day with hour and minute in this machine's time zone: "21/11/2026 09:24". Only for the browser. */
export function localDayAndMinute(at: number): string {
  const date = new Date(at);
  return `${date.toLocaleDateString()} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");
