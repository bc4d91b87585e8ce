import { sql, type Expression, type ExpressionBuilder, type SqlBool } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { countUpTo, fetchFrom, toIds } from "~/db/rows";
import type { Tables } from "~/db/tables";
import { reorderPage, toKnownPage, type ListPage } from "~/lib/list-page";
import { getLeastUuid } from "~/lib/uuid";
import type { SubmissionCondition, SubmissionSearch } from "~/services/search/submission-search.server";
import { isInEmailState } from "~/services/suppressions/email-states.server";
import { isInquiryIn } from "./inquiry-state";
import { SORT_KEYS } from "./sort-keys";
import { chooseListPlan, isByTime, isNewestFirst, isOnlySearch, isRare } from "./list-plan";
import type { SubmissionFilter, SubmissionOrder } from "./submission-filter";

/** Most matches sorted in memory: that many of a million rows are one in every five hundred. */
export const MAX_SORTED = 2000;
/** Most search results that are sorted: to find so many for a search of two words takes half the time that a page may. */
const MAX_SORTED_RESULTS = 500;
/** The same of inquiries. Many of their words are rare: a scan would skip most rows, and take longer than sorting more. */
const MAX_SORTED_INQUIRIES = MAX_SORTED;

/** A page of a table. A bounding submission that is gone makes it the first page; by time its id alone is enough. */
export type Page = ListPage & { readonly order: SubmissionOrder };

interface MatchingDeps {
  readonly database: Pick<Database, "read" | "longRead">;
  readonly search: SubmissionSearch;
  readonly maxSorted: number;
}

interface Matches {
  readonly ids: string[];
  /** Number of matches on all pages, if it is a by-product. */
  readonly total?: number;
  /** Whether the search finds too much for the requested order, so that the matches are listed newest first. */
  readonly isTooCommon: boolean;
}

/** Lists the ids of matches in the order of a table, by the plan for them (list-plan.ts). */
export async function findMatches(
  deps: MatchingDeps,
  filter: SubmissionFilter,
  page: Page,
): Promise<Matches> {
  const found = await findBySearch(deps, filter, page);
  if (found?.ids.length === 0) return { ids: [], total: 0, isTooCommon: false };
  const plan = chooseListPlan(filter, page.order, found?.results ?? "not-searched");
  // The plan has the order that it was given, or NEWEST_FIRST in its place.
  const isTooCommon = plan.by === "scan" && plan.order !== page.order;
  const bounded = await findBound(deps.database.read, page);
  switch (plan.by) {
    case "search": {
      // The results are the first page, unless a longer one is asked for.
      const isFound = found && !bounded.before && !bounded.after && found.ids.length >= page.limit;
      return {
        ids: isFound ? found.ids.slice(0, page.limit) : await takeFromSearch(deps, filter, bounded),
        isTooCommon,
      };
    }
    case "few": {
      const ids = found?.results === "few" ? found.ids : undefined;
      return { ...(await sortFew(deps, { filter, ids }, bounded)), isTooCommon };
    }
    case "scan": {
      const next = reorderPage(bounded, plan.order);
      const fromSearch =
        found && isNewestFirst(plan.order) ? await filterSearch(deps, filter, found.ids, next) : [];
      // Few of the newest results may match the rest of the filter.
      const isPage = fromSearch.length === page.limit;
      return { ids: isPage ? fromSearch : await scan(deps, filter, next), isTooCommon };
    }
  }
}

/** Finds all results of the filter's search or, when they are many, the newest of them; newest first. */
async function findBySearch({ search, maxSorted }: MatchingDeps, filter: SubmissionFilter, { order }: Page) {
  const { search: typed, kind } = filter;
  if (!typed) return undefined;
  const isInOrder = isNewestFirst(order) && isOnlySearch(filter);
  const sorted = kind === "contact-form" && !isInOrder ? MAX_SORTED_INQUIRIES : MAX_SORTED_RESULTS;
  const { ids, isAll } = await search.findFew({ typed, kind }, Math.min(maxSorted, sorted));
  return { ids, results: isAll ? ("few" as const) : ("many" as const) };
}

/** Takes a page from the search index. */
function takeFromSearch(
  { search }: MatchingDeps,
  { search: typed = "", kind }: SubmissionFilter,
  page: ListPage,
): Promise<string[]> {
  return search.ids({ typed, kind }, page);
}

/**
 * Filters the results of a search that are nearest to the page's bound.
 * @param ids the newest results, for a page without a bound.
 */
async function filterSearch(
  deps: MatchingDeps,
  filter: SubmissionFilter,
  ids: readonly string[],
  page: BoundedPage,
): Promise<string[]> {
  const { before, after } = page;
  const isFirst = before === undefined && after === undefined;
  const results = isFirst
    ? ids
    : await takeFromSearch(deps, filter, { before, after, limit: MAX_SORTED_RESULTS });
  if (results.length === 0) return [];
  return fetchAndSort(deps.database.longRead, isMatch(filter, { ids: results }), page);
}

/** Fetches all matches and sorts them; scans when there are too many. @param ids all results of the search. */
async function sortFew(
  deps: MatchingDeps,
  { filter, ids }: { filter: SubmissionFilter; ids: string[] | undefined },
  page: BoundedPage,
) {
  const { longRead } = deps.database;
  const match = isMatch(filter, { ids, isFound: ids ? undefined : await findCondition(deps, filter) });
  const matches = longRead.selectFrom("submissions").select("id").where(match);
  const total = await countUpTo(deps.maxSorted + 1, longRead, matches);
  if (total > deps.maxSorted) return { ids: await scan(deps, filter, page) };
  return { ids: await fetchAndSort(longRead, match, page), total };
}

/** Follows an index and skips what does not match. */
async function scan(deps: MatchingDeps, filter: SubmissionFilter, page: BoundedPage): Promise<string[]> {
  const { read, longRead } = deps.database;
  const isFound = await findCondition(deps, filter);
  // By time and without a search, the index of the filter has the order already.
  const hidden = Boolean(filter.search) || isRare(filter) || !isByTime(page.order);
  const { choice, source, inquiryState, emailState } = filter;
  const indexed = [choice, source, inquiryState].filter((value) => value !== undefined);
  // The index of one of these leads to the page. Whether a second one matches, or the email state, only rows tell.
  const isIndexed = !hidden && emailState === undefined && indexed.length <= 1;
  return fetchInOrder(isIndexed ? read : longRead, isMatch(filter, { isFound, hidden }), page);
}

/** Returns the condition of the filter's search, if it has one. */
async function findCondition({ search }: MatchingDeps, { search: typed, kind }: SubmissionFilter) {
  return typed ? search.condition({ typed, kind }) : undefined;
}

type Match = (row: ExpressionBuilder<Tables, "submissions">) => Expression<SqlBool>;

/**
 * Creates the condition of a filter.
 * @param how `ids` are the results of its search, or `isFound` is the condition of it; `hidden` hides the filter's
 * columns from the planner, so that it follows the order: SQLite takes any index on a condition for selective and sorts
 * what may be half of the table.
 */
function isMatch(
  { kind, choice, source, emailState, inquiryState, from, until, since, through }: SubmissionFilter,
  {
    ids,
    isFound,
    hidden = false,
  }: { ids?: readonly string[] | undefined; isFound?: SubmissionCondition | undefined; hidden?: boolean },
): Match {
  const column = (name: "id" | "role" | "inquiry_type" | "source") =>
    hidden ? sql<string>`(${sql.ref(name)} || '')` : sql.ref<string>(name);
  const chosen = kind === "contact-form" ? "inquiry_type" : "role";
  return (row) =>
    row.and([
      row("kind", "=", kind),
      row("state", "=", "accepted"),
      ...(ids ? [row("id", "in", ids)] : []),
      ...(isFound ? [isFound(row)] : []),
      // The second condition of each makes its partial index usable.
      ...(choice ? [row(column(chosen), "=", choice), sql<boolean>`${sql.ref(chosen)} <> ''`] : []),
      ...(source ? [row(column("source"), "=", source), sql<boolean>`source <> ''`] : []),
      ...(emailState ? [isInEmailState("submissions", emailState, { hidden })] : []),
      ...(inquiryState ? [isInquiryIn(inquiryState, { hidden })] : []),
      ...(from === undefined ? [] : [row(column("id"), ">=", getLeastUuid(from))]),
      ...(since === undefined ? [] : [row(column("id"), ">=", getLeastUuid(since))]),
      ...(until === undefined ? [] : [row(column("id"), "<", getLeastUuid(until))]),
      // Hidden always: nearly all are before it.
      ...(through === undefined ? [] : [sql<boolean>`(audience_position + 0) <= ${through}`]),
    ]);
}

/** The page with the sort keys of the submission that bounds it. */
type BoundedPage = Page & { readonly keys: Partial<SortKeys> | undefined };

type SortKeys = Readonly<Record<Page["order"]["sort"], string>>;

/** Finds what bounds the page: a submission that may be deleted by now, or even erased. */
async function findBound(read: Read, page: Page): Promise<BoundedPage> {
  const { order, limit } = page;
  const known = toKnownPage(page);
  const bound = known.before ?? known.after;
  if (bound === undefined || isByTime(order)) return { ...known, order, keys: undefined };
  if (known.boundKey !== undefined) return { ...known, order, keys: { [order.sort]: known.boundKey } };
  const keys = await read
    .selectFrom("submissions")
    .select(KEY_COLUMNS)
    .where("id", "=", bound)
    .executeTakeFirst();
  if (!keys) page.onBoundGone?.();
  return keys ? { ...known, order, keys } : { limit, order, keys };
}

const KEY_COLUMNS = [
  "id" as const,
  SORT_KEYS.name.as("name"),
  SORT_KEYS.address.as("address"),
  SORT_KEYS.company.as("company"),
] as const;

async function fetchAndSort(read: Read, match: Match, page: BoundedPage): Promise<string[]> {
  const { sort, direction } = page.order;
  const matches = read
    .with(
      (cte) => cte("matches").materialized(),
      (db) => db.selectFrom("submissions").select(KEY_COLUMNS).where(match),
    )
    .selectFrom("matches")
    .select("id");
  const key = sort === "received" ? undefined : sql.ref<string>(sort);
  return toIds(await fetchFrom(matches, page, { key, direction }, getKey(page)));
}

async function fetchInOrder(read: Read, match: Match, page: BoundedPage): Promise<string[]> {
  const { sort, direction } = page.order;
  const matches = read
    .selectFrom("submissions")
    .select("id")
    .where(match)
    // The conditions of the partial index, literal, because SQLite uses it only then.
    .$if(sort === "company", (query) =>
      query.where(sql<boolean>`state = 'accepted'`).where(sql<boolean>`lower(company) is not null`),
    );
  return toIds(await fetchFrom(matches, page, { key: SORT_KEYS[sort], direction }, getKey(page)));
}

/** Returns the key of what bounds the page, in the page's order. */
function getKey({ keys, order: { sort } }: BoundedPage): string | undefined {
  return sort === "received" ? undefined : keys?.[sort];
}
