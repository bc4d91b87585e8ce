import { NEWEST_FIRST, type SubmissionFilter, type SubmissionOrder } from "./submission-filter";

/**
 * A way to find a page of matches:
 * - search: take the page from the search index, newest first;
 * - few: fetch all matches by the filter and sort them; when they are too many after all, scan in the same order;
 * - scan: follow an index of the order and skip what does not match, which soon fills a page when many match; newest first,
 *   the nearest results of the search are tried before.
 */
export type ListPlan =
  | { readonly by: "search" }
  | { readonly by: "few" }
  | { readonly by: "scan"; readonly order: SubmissionOrder };

/** What the filter's search finds: nothing was searched for, few enough results to sort, or too many, or too common a search to find them all. */
export type SearchResults = "not-searched" | "few" | "many";

/**
 * Chooses the way that is fast at a million submissions as at ten; the databases would not choose it by themselves.
 *
 * Many results of a search are listed by time whatever `order` asks for: results are next to each other in the order
 * of names, so that a scan in that order may take long to reach them.
 */
export function chooseListPlan(
  filter: SubmissionFilter,
  order: SubmissionOrder,
  results: SearchResults,
): ListPlan {
  // Few of the results have a rare state; in the order of names a scan might have to replace the sort.
  if (results === "many" && isRare(filter) && isByTime(order)) return { by: "few" };
  if (results === "many") {
    const byTime = isByTime(order) ? order : NEWEST_FIRST;
    return isOnlySearch(filter) && isNewestFirst(order) ? { by: "search" } : { by: "scan", order: byTime };
  }
  if (results === "few" || isRare(filter)) return { by: "few" };
  // By time, the index of the filter has the order already.
  return isNarrowed(filter) && !isByTime(order) ? { by: "few" } : { by: "scan", order };
}

export const isNewestFirst = (order: SubmissionOrder) => isByTime(order) && order.direction === "desc";

export const isByTime = ({ sort }: SubmissionOrder) => sort === "received";

/** Whether the filter lets few submissions through in any product: most addresses receive email. */
export const isRare = ({ emailState }: SubmissionFilter) =>
  emailState === "unsubscribed" || emailState === "suppressed";

const isNarrowed = ({ choice, source, inquiryState, from, until, since }: SubmissionFilter) =>
  [choice, source, inquiryState, from, until, since].some((value) => value !== undefined);

/** Whether nothing but a search narrows the list. */
export const isOnlySearch = (filter: SubmissionFilter) =>
  !isNarrowed(filter) && !filter.emailState && filter.through === undefined;
