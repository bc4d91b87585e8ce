import { filterMessages } from "~/content/lists";
import { submissionMessages as copy } from "~/content/submissions";
import {
  anyText,
  dayFields,
  describeFilterInWords,
  listState,
  oneOf,
  shortText,
  sortFields,
  toOrder,
  toSearch,
  withoutOrder,
  type ValuesOf,
} from "../list-state";
import { CHOICES, type Choice, type SubmissionKind } from "~/lib/form-fields";
import { cleanSource } from "~/lib/source";
import { startOfUtcMinute } from "~/lib/utc-minute";
import { ADDRESS_STATES, INQUIRY_STATES, SUBMISSION_SORTS } from "~/services/submissions/submission-filter";
import type { SubmissionFilter } from "~/services/submissions/submission-filter";

/** The filter of a form's table. It and all ids of a page must fit into a URL of 2 KB (hardening R17). */
export const submissionsList = (kind: SubmissionKind) =>
  listState(
    {
      q: shortText(100, copy.searchTooLong),
      choice: oneOf<Choice>(CHOICES[kind]),
      source: { ...anyText, clean: cleanSource },
      mail: oneOf(ADDRESS_STATES),
      status: oneOf(kind === "contact-form" ? INQUIRY_STATES : []),
      ...dayFields,
      since: { error: filterMessages.notAMinute, parse: startOfUtcMinute },
      ...sortFields(SUBMISSION_SORTS),
    },
    ({ q, choice, source, mail: emailState, status: inquiryState, from, to, since, ...order }) => {
      const matching: SubmissionFilter = {
        kind,
        search: q,
        choice,
        source,
        emailState,
        inquiryState,
        from,
        until: to,
        since,
      };
      return { matching, order: toOrder(SUBMISSION_SORTS, order) };
    },
  );

type List = ReturnType<typeof submissionsList>;
type SubmissionValues = ValuesOf<List>;
export type ReadSubmissions = ReturnType<List["read"]>;

/** Returns whether rows are filtered out; an order alone is no filter. */
export const isFiltered = (values: SubmissionValues): boolean => toSearch(withoutOrder(values)) !== "";

/** Returns "early-access, role developer, from 2026-11-01 (Europe/Berlin)", for the activity. */
export function filterInWords(kind: SubmissionKind, values: SubmissionValues, timeZone: string): string {
  const names = {
    q: "found by",
    choice: copy.choice[kind].toLowerCase(),
    source: "source",
    mail: "email status",
    status: "status",
    from: "from",
    to: "to",
    since: "received since",
  };
  const words = describeFilterInWords(values, names, { typed: ["q", "source"], timeZone });
  return `${kind}, ${words || "all of it"}`;
}
