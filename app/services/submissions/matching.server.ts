import { sql, type Expression, type ExpressionBuilder, type SqlBool } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { countUpTo, fetchIds } from "~/db/rows";
import type { Tables } from "~/db/tables";
import { isUuid, getLeastUuid } from "~/lib/uuid";
import { hasWords, type PeopleSearch } from "~/services/search/people-search.server";
import type { SubmissionFilter, SubmissionSort } from "./submission-filter";

/** Most matches sorted in memory: that many of a million rows are one in every five hundred. */
export const MAX_SORTED = 2000;
/** Most search results that are sorted: finding two words in more of them takes half the time a page may take. */
const MAX_SORTED_RESULTS = 500;

export interface Page {
  readonly sort: SubmissionSort;
  /** Submission that the page follows; an invalid id counts as left out. */
  readonly after?: string | undefined;
  readonly limit: number;
}

interface MatchingDeps {
  readonly database: Pick<Database, "read" | "longRead">;
  readonly peopleSearch: PeopleSearch;
  readonly maxSorted: number;
}

/**
 * Lists the ids of matches in the order of a table: as fast at a million submissions as at ten. There are three
 * ways, none of which the databases would choose by themselves:
 * - by time: the index of the filter already has that order;
 * - few matches: fetch all of them by the filter, and sort;
 * - many matches: scan in the order of the table and skip what does not match, which soon fills a page.
 *
 * Results of a search are not spread over the order of names, as those of other filters are, but are next to each
 * other, so a scan may take long to reach them: many of them stay in the order they are found in, which is by time
 * (`isTooCommon`).
 * @returns `total`, the number of matches on all pages, if it is a by-product.
 */
export async function findMatches(
  { database, peopleSearch, maxSorted }: MatchingDeps,
  filter: SubmissionFilter,
  page: Page,
) {
  const { read, longRead } = database;
  const after = await findSortKeys(read, page.after);
  const found = await findBySearch(peopleSearch, filter, maxSorted);
  if (found?.ids.length === 0) return { ids: [], total: 0, isTooCommon: false };
  const isCommon = found?.isCommon ?? false;
  const isTooCommon = isCommon && page.sort !== "newest" && page.sort !== "oldest";
  const sort = isTooCommon ? "newest" : page.sort;
  const isByTime = sort === "newest" || sort === "oldest";
  const isRare =
    (found && !isCommon) || filter.emailState === "unsubscribed" || filter.emailState === "suppressed";
  const isNarrowed =
    isRare || [filter.choice, filter.from, filter.until].some((bound) => bound !== undefined);

  if (!isCommon && (isRare || (isNarrowed && !isByTime))) {
    const match = isMatch(filter, { ids: found?.ids });
    const matches = longRead.selectFrom("submissions").select("id").where(match);
    const total = await countUpTo(maxSorted + 1, longRead, matches);
    if (total <= maxSorted) {
      return { ids: await fetchAndSort(longRead, match, { ...page, after }), total, isTooCommon };
    }
  }
  if (isCommon && sort === "newest" && !isNarrowed && !filter.emailState && !filter.through) {
    const query = { typed: filter.search ?? "", kind: filter.kind };
    const ids = await peopleSearch.ids(query, { before: after?.id, limit: page.limit });
    return { ids, total: undefined, isTooCommon };
  }
  const hidden = isCommon || isRare || !isByTime;
  const match = isMatch(filter, { ids: undefined, hidden });
  // Without a condition that only rows can tell, an index leads to the page.
  const isIndexed = !hidden && filter.emailState === undefined;
  const ids = await scan(isIndexed ? read : longRead, match, { ...page, sort, after });
  return { ids, total: undefined, isTooCommon };
}

/** Finds all results of the filter's search or, when they are common, the newest of them; newest first. */
async function findBySearch(
  peopleSearch: PeopleSearch,
  { search, kind }: SubmissionFilter,
  maxSorted: number,
) {
  if (!search) return undefined;
  const most = Math.min(maxSorted, MAX_SORTED_RESULTS);
  const ids = await peopleSearch.ids({ typed: search, kind }, { limit: most + 1 });
  return { ids, isCommon: ids.length > most };
}

type Match = (row: ExpressionBuilder<Tables, "submissions">) => Expression<SqlBool>;

/**
 * Creates the condition of a filter.
 * @param how `hidden` hides the filter's columns from the planner, so that it follows the order: SQLite takes any
 *   index on a condition for selective and sorts what may be half of the table.
 */
function isMatch(
  { kind, search, choice, emailState, from, until, through }: SubmissionFilter,
  { ids, hidden = false }: { ids: string[] | undefined; hidden?: boolean },
): Match {
  const column = (name: "id" | "role" | "inquiry_type") =>
    hidden ? sql<string>`(${sql.ref(name)} || '')` : sql.ref<string>(name);
  const chosen = kind === "contact-form" ? "inquiry_type" : "role";
  return (row) => {
    const isSuppressed = (reason?: "unsubscribed" | "suppressed") => {
      const suppressed = row.selectFrom("suppressions").select("suppressions.email_key");
      const because = reason
        ? suppressed.where("reason", reason === "unsubscribed" ? "=" : "!=", "unsubscribed")
        : suppressed;
      return hidden || !reason
        ? row.exists(because.whereRef("suppressions.email_key", "=", "submissions.email_key"))
        : row("email_key", "in", because);
    };
    return row.and([
      row("kind", "=", kind),
      row("state", "=", "accepted"),
      ...(ids ? [row("id", "in", ids)] : []),
      ...(search && !ids ? [hasWords(row, search)] : []),
      // The second condition makes the partial index usable.
      ...(choice ? [row(column(chosen), "=", choice), sql<boolean>`${sql.ref(chosen)} <> ''`] : []),
      ...(emailState === "open" ? [row.not(isSuppressed())] : []),
      ...(emailState === "unsubscribed" || emailState === "suppressed" ? [isSuppressed(emailState)] : []),
      ...(from === undefined ? [] : [row(column("id"), ">=", getLeastUuid(from))]),
      ...(until === undefined ? [] : [row(column("id"), "<", getLeastUuid(until))]),
      ...(through === undefined ? [] : [row(column("id"), "<=", through)]),
    ]);
  };
}

/** Finds the sort keys of a submission, which may be deleted by now. */
async function findSortKeys(read: Read, id: string | undefined) {
  if (id === undefined || !isUuid(id)) return undefined;
  return read
    .selectFrom("submissions")
    .select(["id", "email_key as address", sql<string>`lower(name)`.as("name")])
    .where("id", "=", id)
    .executeTakeFirst();
}

type SortKeys = Awaited<ReturnType<typeof findSortKeys>>;
type PageAfter = Omit<Page, "after"> & { after: SortKeys };

function fetchAndSort(read: Read, match: Match, { sort, after, limit }: PageAfter): Promise<string[]> {
  const matches = read
    .with(
      (cte) => cte("matches").materialized(),
      (db) =>
        db
          .selectFrom("submissions")
          .select(["id", "email_key as address", sql<string>`lower(name)`.as("name")])
          .where(match),
    )
    .selectFrom("matches")
    .select("id")
    .where(isAfter(sort, after, sql.ref(sort === "name" ? "name" : "address")))
    .orderBy(sort === "name" || sort === "address" ? sql.ref(sort) : sql.ref("id"), direction(sort))
    .orderBy("id", direction(sort))
    .limit(limit);
  return fetchIds(matches);
}

function scan(read: Read, match: Match, { sort, after, limit }: PageAfter): Promise<string[]> {
  const key = sort === "name" ? sql<string>`lower(name)` : sql.ref<string>("email_key");
  const query = read
    .selectFrom("submissions")
    .select("id")
    .where(match)
    .where(isAfter(sort, after, key))
    .limit(limit);
  const sorted = sort === "name" || sort === "address" ? query.orderBy(key) : query;
  return fetchIds(sorted.orderBy("id", direction(sort)));
}

const direction = (sort: SubmissionSort) => (sort === "newest" ? "desc" : "asc");

/** Creates the keyset condition. An index on an expression can start at the first of its two bounds. */
function isAfter(sort: SubmissionSort, after: SortKeys, key: Expression<string>): Expression<SqlBool> {
  if (!after) return sql<boolean>`1 = 1`;
  if (sort === "newest") return sql<boolean>`id < ${after.id}`;
  if (sort === "oldest") return sql<boolean>`id > ${after.id}`;
  const at = after[sort];
  return sql<boolean>`${key} >= ${at} and (${key} > ${at} or id > ${after.id})`;
}
