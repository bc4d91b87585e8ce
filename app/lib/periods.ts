import { days } from "./durations";
import { shortUtcDay, startOfDay, startOfNextDay, utcDay, utcMonth } from "./utc-day";
import { fromWallTime, toWallTime } from "./zoned-time";

export const PERIODS = ["day", "week", "month"] as const;
export type PeriodLength = (typeof PERIODS)[number];

/** A day, a week from its Monday on, or a month, in a time zone. */
export interface Period {
  /** The first epoch millisecond of the period. */
  readonly from: number;
  /** The first epoch millisecond after the period. */
  readonly until: number;
  /** "21 Nov" (a week is named by its Monday), or "November 2026". */
  readonly name: string;
  /** Its first and its last day, as a filter has them: "2026-11-16" and "2026-11-22". */
  readonly days: { readonly from: string; readonly to: string };
}

const SHOWN = { day: 30, week: 26, month: 12 } as const satisfies Record<PeriodLength, number>;

/** Returns the last 30 days, 26 weeks or 12 months of the zone, oldest first; the last one is not over yet. */
export function periodsUntil(now: number, length: PeriodLength, timeZone: string): Period[] {
  const periods: Period[] = [];
  for (let wall = toWallTime(now, timeZone); periods.length < SHOWN[length];) {
    const { from, until, name } = getPeriodOnWall(wall, length);
    periods.unshift({
      from: fromWallTime(from, timeZone),
      until: periods[0]?.from ?? fromWallTime(until, timeZone),
      name,
      days: { from: utcDay(from), to: utcDay(until - 1) },
    });
    wall = from - 1;
  }
  return periods;
}

/** Returns the period around a time on the wall clock, in times of that clock. */
function getPeriodOnWall(wall: number, length: PeriodLength): Omit<Period, "days"> {
  const day = startOfDay(wall);
  if (length === "day") return { from: day, until: startOfNextDay(day), name: shortUtcDay(day) };
  if (length === "week") {
    // Sunday is day 0 and ends the week.
    const monday = day - days((new Date(day).getUTCDay() + 6) % 7);
    return { from: monday, until: monday + days(7), name: shortUtcDay(monday) };
  }
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const from = Date.UTC(year, month);
  return { from, until: Date.UTC(year, month + 1), name: utcMonth(from) };
}
