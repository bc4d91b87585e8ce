import { days, hours } from "~/lib/durations";
import { startOfUtcDay, utcDay } from "~/lib/utc-day";
import { zonedDay } from "~/lib/zoned-day";
import { fromWallTime } from "~/lib/zoned-time";

/**
 * Returns the day of the zone, like 2026-11-28, whose daily email is the last one due. An hour that daylight saving time
 * skips is due at the moment of the change, and one that it repeats at the first of the two.
 * @param hour of the zone's wall clock, 0 to 23.
 */
export function getLastDueDay(now: number, { hour, timeZone }: { hour: number; timeZone: string }): string {
  const today = zonedDay(now, timeZone);
  const midnight = startOfUtcDay(today) ?? 0;
  return fromWallTime(midnight + hours(hour), timeZone) <= now ? today : getDayBefore(today);
}

/** Returns the day before a day like 2026-11-28. */
export function getDayBefore(day: string): string {
  return utcDay((startOfUtcDay(day) ?? 0) - days(1));
}
