import { days } from "./durations";
import { startOfUtcDay, utcDay } from "./utc-day";
import { fromWallTime, toWallTime } from "./zoned-time";

/** Formats the day of a time in a zone: "2026-11-21". */
export const zonedDay = (at: number, timeZone: string): string => utcDay(toWallTime(at, timeZone));

/** Parses a day of a zone, like 2026-11-21, to its first millisecond; undefined when there is no such day. */
export function startOfZonedDay(day: string, timeZone: string): number | undefined {
  const midnight = startOfUtcDay(day);
  return midnight === undefined ? undefined : fromWallTime(midnight, timeZone);
}

/** Returns the first millisecond after a day of a zone, which has 23 or 25 hours when its clocks change. */
export function endOfZonedDay(day: string, timeZone: string): number | undefined {
  const midnight = startOfUtcDay(day);
  return midnight === undefined ? undefined : fromWallTime(midnight + days(1), timeZone);
}
