import { PERIODS, periodsUntil } from "~/lib/periods";
import type { PeriodLength } from "~/lib/periods";
import { signups } from "~/services/container.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";

/** Signups by `?over=day`, `week` or `month`; by day when the URL does not say. */
export async function signupsOverTime(search: URLSearchParams, now: number) {
  const over: PeriodLength = PERIODS.find((length) => length === search.get("over")) ?? "day";
  const periods = periodsUntil(now, over);
  const days = await signups.days(periods[0]?.from ?? now);
  const rows = periods.map(({ name, from, until }) => {
    const within = days.filter(({ day }) => day >= from && day < until);
    const counts = SUBMISSION_KINDS.map((kind) =>
      within.reduce((sum, row) => (row.kind === kind ? sum + row.count : sum), 0),
    );
    return { name, counts };
  });
  return { over, rows };
}

export type SignupsOverTime = Awaited<ReturnType<typeof signupsOverTime>>;
