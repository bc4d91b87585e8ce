import { days, minutes } from "./durations";
import { startOfDay } from "./utc-day";
import { fromWallTime, toWallTime } from "./zoned-time";

/** How often a wave repeats. "weekday": Monday to Friday. */
export const REPEATS = ["day", "weekday", "week"] as const;
export type Repeats = (typeof REPEATS)[number];

/** A time of the day in a zone, and on which days. */
export interface RepeatTime {
  readonly repeats: Repeats;
  /** Minutes after midnight. */
  readonly minute: number;
  readonly timeZone: string;
}

/** Returns the minutes after midnight of a time in a zone. */
export function getMinuteOfDay(at: number, timeZone: string): number {
  const wall = toWallTime(at, timeZone);
  return Math.floor((wall - startOfDay(wall)) / minutes(1));
}

/**
 * Returns the first time of a series after `now`, in epoch milliseconds.
 * @param last the time of the series before it, from whose day it counts: a weekly one keeps the day of the week.
 */
export function getNextTime({ repeats, minute, timeZone }: RepeatTime, last: number, now: number): number {
  let day = startOfDay(toWallTime(last, timeZone));
  for (;;) {
    day += days(repeats === "week" ? 7 : 1);
    const at = fromWallTime(day + minutes(minute), timeZone);
    if (at > now && !(repeats === "weekday" && isWeekend(day))) return at;
  }
}

function isWeekend(day: number): boolean {
  const weekday = new Date(day).getUTCDay();
  return weekday === 0 || weekday === 6;
}
