const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Largest unit first; a month is 30 days and a year 365, as people reckon when they look back. */
const UNITS = [
  ["year", 365 * DAY],
  ["month", 30 * DAY],
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
] as const;

/**
 * How long ago, in whole units rounded down: "4 minutes ago", "just now" below one minute. Written out by hand, because
 * the server and the browser may know different editions of Intl, and the same page must come out of both.
 * @param at epoch milliseconds; a time after `now`, from another machine's clock, is "in 4 minutes".
 */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(now - at);
  for (const [unit, length] of UNITS) {
    const count = Math.floor(distance / length);
    if (count === 0) continue;
    const words = `${count} ${unit}${count === 1 ? "" : "s"}`;
    return at > now ? `in ${words}` : `${words} ago`;
  }
  return "just now";
}

/** To the minute, in the one zone that needs no guessing: "2026-11-21 08:24 UTC". */
export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
