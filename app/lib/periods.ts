import { days } from "./durations";
import { shortUtcDay, startOfDay, startOfNextDay, utcMonth } from "./utc-day";

export const PERIODS = ["day", "week", "month"] as const;
export type PeriodLength = (typeof PERIODS)[number];

/** A day, a week from its Monday on, or a month, in UTC. */
export interface Period {
  /** The first epoch millisecond of the period. */
  readonly from: number;
  /** The first epoch millisecond after the period. */
  readonly until: number;
  /** "21 Nov" (a week is named by its Monday), or "November 2026". */
  readonly name: string;
}

const SHOWN = { day: 30, week: 26, month: 12 } as const satisfies Record<PeriodLength, number>;

/** Returns the last 30 days, 26 weeks or 12 months, oldest first; the last one is not over yet. */
export function periodsUntil(now: number, length: PeriodLength): Period[] {
  const periods: Period[] = [];
  for (let at = now; periods.length < SHOWN[length];) {
    const period = periodAround(at, length);
    periods.unshift(period);
    at = period.from - 1;
  }
  return periods;
}

function periodAround(at: number, length: PeriodLength): Period {
  const day = startOfDay(at);
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
