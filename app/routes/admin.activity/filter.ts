import { outcomes } from "~/activity-sentences";
import type { Outcome } from "~/activity-sentences";
import { startOfNextDay, startOfUtcDay } from "~/lib/utc-day";
import type { ActivityFilter } from "~/services/audit/activity.server";

const FIELDS = ["who", "deed", "outcome", "from", "to"] as const;
type Field = (typeof FIELDS)[number];

/** The filter's fields as they stand in the URL; empty is any. */
export type FilterValues = Record<Field, string>;
export type FilterErrors = Partial<Record<Field, string>>;

export type ReadFilter =
  | { ok: true; values: FilterValues; filter: ActivityFilter }
  | { ok: false; values: FilterValues; errors: FilterErrors };

/** Reads the filter from the URL. Days are UTC and belong to the range, both of them. */
export function readFilter(search: URLSearchParams): ReadFilter {
  const values = Object.fromEntries(
    FIELDS.map((field) => [field, (search.get(field) ?? "").replaceAll("\0", "").trim()]),
  ) as FilterValues;
  const { who, deed, outcome } = values;
  const [from, to] = [values.from, values.to].map((day) => (day === "" ? undefined : startOfUtcDay(day)));

  const errors: FilterErrors = {};
  if (values.from !== "" && from === undefined) errors.from = NO_DAY;
  if (values.to !== "" && to === undefined) errors.to = NO_DAY;
  if (from !== undefined && to !== undefined && to < from) errors.to = "This day is before the first one.";
  if (outcome !== "" && !isOutcome(outcome)) errors.outcome = "Please choose one of these.";
  if (Object.keys(errors).length > 0) return { ok: false, values, errors };
  return {
    ok: true,
    values,
    filter: {
      actor: who || undefined,
      action: deed || undefined,
      outcome: isOutcome(outcome) ? outcome : undefined,
      from,
      until: to === undefined ? undefined : startOfNextDay(to),
    },
  };
}

/** The filter for a link: what is any is left out. */
export function filterSearch(values: FilterValues): string {
  return String(new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "")));
}

const NO_DAY = "Please write a day like 2026-11-21.";

function isOutcome(value: string): value is Outcome {
  return Object.hasOwn(outcomes, value);
}
