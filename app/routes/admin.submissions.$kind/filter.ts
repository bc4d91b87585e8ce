import { submissionMessages as copy } from "~/content/submissions";
import { dayFields, listState, oneOf, shortText, toSearch, type ValuesOf } from "~/http/list-state";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import { CHOICES, EMAIL_STATES, SUBMISSION_SORTS } from "~/services/submissions/submission-filter";
import type { Choice, SubmissionFilter } from "~/services/submissions/submission-filter";

/** The filter of a form's table. It and all ids of a page must fit into a URL of 2 KB (hardening R17). */
export const submissionsList = (kind: SubmissionKind) =>
  listState(
    {
      q: shortText(100, copy.searchTooLong),
      choice: oneOf<Choice>(CHOICES[kind]),
      mail: oneOf(EMAIL_STATES),
      ...dayFields,
      sort: oneOf(SUBMISSION_SORTS),
    },
    ({ q, choice, mail: emailState, from, to, sort = "newest" }) => {
      const matching: SubmissionFilter = { kind, search: q, choice, emailState, from, until: to };
      return { matching, sort };
    },
  );

type List = ReturnType<typeof submissionsList>;
type SubmissionValues = ValuesOf<List>;
export type ReadSubmissions = ReturnType<List["read"]>;

/** Returns whether rows are filtered out; an order alone is no filter. */
export const isFiltered = (values: SubmissionValues): boolean => toSearch({ ...values, sort: "" }) !== "";

/** Returns "early-access, role developer, from 2026-11-01", for the activity. */
export function filterInWords(kind: SubmissionKind, values: SubmissionValues): string {
  const names = {
    q: "found by",
    choice: copy.choice[kind].toLowerCase(),
    mail: "email status",
    from: "from",
    to: "to",
  };
  const parts = Object.entries(names).flatMap(([field, name]) => {
    const value = values[field as keyof typeof names];
    return value === "" ? [] : `${name} ${field === "q" ? `"${value}"` : value}`;
  });
  return `${kind}, ${parts.length > 0 ? parts.join(", ") : "all of it"}`;
}
