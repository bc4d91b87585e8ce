import { startOfNextDay, startOfUtcDay } from "~/lib/utc-day";
import { operatorMessages } from "~/operator-messages";

const copy = operatorMessages.filters;

/** The two days of a filter, as they were typed; empty is any. */
interface TypedDays {
  readonly from: string;
  readonly to: string;
}

/** Days are UTC and belong to the range, both of them: it ends before `until`. */
export function readDays(typed: TypedDays) {
  const [from, to] = [typed.from, typed.to].map((day) => (day === "" ? undefined : startOfUtcDay(day)));
  const errors: { from?: string; to?: string } = {};
  if (typed.from !== "" && from === undefined) errors.from = copy.notADay;
  if (typed.to !== "" && to === undefined) errors.to = copy.notADay;
  if (from !== undefined && to !== undefined && to < from) errors.to = copy.dayBefore;
  return { days: { from, until: to === undefined ? undefined : startOfNextDay(to) }, errors };
}
