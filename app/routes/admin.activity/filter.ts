import { outcomes } from "~/activity-sentences";
import type { Outcome } from "~/activity-sentences";
import { readDays } from "~/filter-days";
import { operatorMessages } from "~/operator-messages";
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
  const { days, errors: wrongDays } = readDays(values);

  const errors: FilterErrors = { ...wrongDays };
  if (outcome !== "" && !isOutcome(outcome)) errors.outcome = operatorMessages.filters.notAChoice;
  if (Object.keys(errors).length > 0) return { ok: false, values, errors };
  return {
    ok: true,
    values,
    filter: {
      actor: who || undefined,
      action: deed || undefined,
      outcome: isOutcome(outcome) ? outcome : undefined,
      ...days,
    },
  };
}

/** The filter for a link: what is any is left out. */
export function filterSearch(values: FilterValues): string {
  return String(new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "")));
}

function isOutcome(value: string): value is Outcome {
  return Object.hasOwn(outcomes, value);
}
