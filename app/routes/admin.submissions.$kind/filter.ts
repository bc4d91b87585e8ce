import { readDays } from "~/filter-days";
import { codePoints } from "~/lib/clean-text";
import { operatorMessages } from "~/operator-messages";
import type { SubmissionKind } from "~/services/signups/submission-kinds";
import { CHOICES, MAIL_STATES, SUBMISSION_SORTS } from "~/services/submissions/submission-filter";
import type { SubmissionFilter, SubmissionSort } from "~/services/submissions/submission-filter";

const { submissions: copy, filters } = operatorMessages;

export const FIELDS = ["q", "choice", "mail", "from", "to", "sort"] as const;
type Field = (typeof FIELDS)[number];

/** So that what is searched for and all ids of a page stand in one URL, which holds 2 KB (hardening R17). */
const LONGEST_SEARCH = 100;

/** The filter's fields as they stand in the URL; empty is any, and of the sort the newest first. */
export type FilterValues = Readonly<Record<Field, string>>;
export type FilterErrors = Partial<Record<Field, string>>;

export type ReadFilter =
  | { ok: true; values: FilterValues; filter: SubmissionFilter; sort: SubmissionSort }
  | { ok: false; values: FilterValues; errors: FilterErrors };

/** Reads the filter of a form's table. Days are UTC and belong to the range, both of them. */
export function readFilter(kind: SubmissionKind, given: (field: Field) => string | undefined): ReadFilter {
  const values = Object.fromEntries(
    FIELDS.map((field) => [field, (given(field) ?? "").replaceAll("\0", "").toWellFormed().trim()]),
  ) as FilterValues;
  const { days, errors: wrongDays } = readDays(values);
  const choices: readonly string[] = CHOICES[kind];
  const choice = CHOICES[kind].find((known) => known === values.choice);
  const mail = MAIL_STATES.find((known) => known === values.mail);
  const sort = SUBMISSION_SORTS.find((known) => known === values.sort);

  const errors: FilterErrors = { ...wrongDays };
  if (codePoints(values.q) > LONGEST_SEARCH) errors.q = copy.searchTooLong;
  if (values.choice !== "" && !choices.includes(values.choice)) errors.choice = filters.notAChoice;
  if (values.mail !== "" && !mail) errors.mail = filters.notAChoice;
  if (values.sort !== "" && !sort) errors.sort = filters.notAChoice;
  if (Object.keys(errors).length > 0) return { ok: false, values, errors };
  return {
    ok: true,
    values,
    filter: { kind, search: values.q || undefined, choice, mail, ...days },
    sort: sort ?? "newest",
  };
}

/** What of the filter is not any, for a link. */
export const filterEntries = (values: FilterValues): [Field, string][] =>
  FIELDS.flatMap((field) => (values[field] === "" ? [] : [[field, values[field]]]));

/** Whether anything is left out; an order leaves out nothing. */
export const isFiltered = (values: FilterValues): boolean =>
  filterEntries(values).some(([field]) => field !== "sort");

/** "early-access: role developer, from 2026-11-01; sorted by name", for the activity. */
export function filterInWords(kind: SubmissionKind, values: FilterValues): string {
  const names = {
    q: "found by",
    choice: copy.choice[kind].toLowerCase(),
    mail: "mail",
    from: "from",
    to: "to",
  };
  const parts = Object.entries(names).flatMap(([field, name]) => {
    const value = values[field as keyof typeof names];
    return value === "" ? [] : `${name} ${field === "q" ? `"${value}"` : value}`;
  });
  return `${kind}, ${parts.length > 0 ? parts.join(", ") : "all of it"}`;
}
