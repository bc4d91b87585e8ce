import { sql } from "kysely";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Read } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import { isUuid, leastUuidAt } from "~/lib/uuid";
import { hasWords } from "~/services/search/people-search.server";
import type { PeopleSearch } from "~/services/search/people-search.server";
import type { SubmissionFilter, SubmissionSort } from "./submission-filter";

/** As many are sorted at most. In a walk through a million, one of so many is met every five hundredth row. */
export const FEW = 2000;
/** As many of a search are sorted at most: to find two words in more takes half of the time a page may take. */
const FEW_FOUND = 500;

export interface Page {
  readonly sort: SubmissionSort;
  /** The page after this submission; what is no id of ours counts as not given. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface Matches {
  readonly ids: string[];
  /** How many match on all pages, where that came out by the way. */
  readonly total: number | undefined;
  /** Whether so many were found by a search that they stand by time instead of by name or address. */
  readonly isTooCommon: boolean;
}

/**
 * Ids of what matches, in the order of a table: as quick at a million submissions as at ten. Three ways, none of which
 * the databases would choose by themselves:
 * - by time: the index of the filter is in that order already;
 * - few that match: all of them are fetched by their filter and sorted;
 * - many: they are met soon enough on a walk in the order, which leaves out what does not match.
 *
 * What a search has found in many does not stand all over the order of names, as the rest of a filter does, but in one
 * place of it, to which a walk would be long: it stays in the order it is found in, which is by time.
 */
export async function matching(
  { read, peopleSearch, few }: { read: Read; peopleSearch: PeopleSearch; few: number },
  filter: SubmissionFilter,
  page: Page,
): Promise<Matches> {
  const after = await placeOf(read, page.after);
  const found = await foundBySearch(peopleSearch, filter, few);
  if (found?.ids.length === 0) return { ids: [], total: 0, isTooCommon: false };
  const isCommon = found?.isCommon ?? false;
  const isTooCommon = isCommon && page.sort !== "newest" && page.sort !== "oldest";
  const sort = isTooCommon ? "newest" : page.sort;
  const isByTime = sort === "newest" || sort === "oldest";
  const isRare = (found && !isCommon) || filter.mail === "unsubscribed" || filter.mail === "suppressed";
  const isNarrowed =
    isRare || [filter.choice, filter.from, filter.until].some((bound) => bound !== undefined);

  if (!isCommon && (isRare || (isNarrowed && !isByTime))) {
    const match = isMatch(filter, { ids: found?.ids });
    const total = await countUpTo(few, read, match);
    if (total <= few) {
      return { ids: await fetchAndSort(read, match, { ...page, after }), total, isTooCommon };
    }
  }
  if (isCommon && sort === "newest" && !isNarrowed && !filter.mail && !filter.through) {
    const query = { typed: filter.search ?? "", kind: filter.kind };
    const ids = await peopleSearch.ids(query, { before: after?.id, limit: page.limit });
    return { ids, total: undefined, isTooCommon };
  }
  const hidden = isCommon || isRare || !isByTime;
  const match = isMatch(filter, { ids: undefined, hidden });
  return { ids: await walk(read, match, { ...page, sort, after }), total: undefined, isTooCommon };
}

interface Found {
  /** All, or when they are many the newest of them, newest first. */
  readonly ids: string[];
  readonly isCommon: boolean;
}

async function foundBySearch(
  peopleSearch: PeopleSearch,
  { search, kind }: SubmissionFilter,
  few: number,
): Promise<Found | undefined> {
  if (!search) return undefined;
  const most = Math.min(few, FEW_FOUND);
  const ids = await peopleSearch.ids({ typed: search, kind }, { limit: most + 1 });
  return { ids, isCommon: ids.length > most };
}

type Match = (row: ExpressionBuilder<Tables, "submissions">) => Expression<SqlBool>;

/**
 * @param how `hidden` keeps the columns of the filter from the planner, so that it goes by the order: SQLite takes any
 * index of a condition for narrow and sorts what may be half of the table.
 */
function isMatch(
  { kind, search, choice, mail, from, until, through }: SubmissionFilter,
  { ids, hidden = false }: { ids: string[] | undefined; hidden?: boolean },
): Match {
  const column = (name: "id" | "role" | "inquiry_type") =>
    hidden ? sql<string>`(${sql.ref(name)} || '')` : sql.ref<string>(name);
  return (row) => {
    const isSuppressed = (which?: "unsubscribed" | "suppressed") => {
      const suppressed = row.selectFrom("suppressions").select("suppressions.email_key");
      const because = which
        ? suppressed.where("reason", which === "unsubscribed" ? "=" : "!=", "unsubscribed")
        : suppressed;
      return hidden || !which
        ? row.exists(because.whereRef("suppressions.email_key", "=", "submissions.email_key"))
        : row("email_key", "in", because);
    };
    return row.and([
      row("kind", "=", kind),
      row("state", "=", "accepted"),
      ...(ids ? [row("id", "in", ids)] : []),
      ...(search && !ids ? [hasWords(search)(row)] : []),
      // The second term is written out for the partial index.
      ...(choice && kind === "early-access"
        ? [row(column("role"), "=", choice), sql<boolean>`role <> ''`]
        : []),
      ...(choice && kind === "contact-form"
        ? [row(column("inquiry_type"), "=", choice), sql<boolean>`inquiry_type <> ''`]
        : []),
      ...(mail === "open" ? [row.not(isSuppressed())] : []),
      ...(mail === "unsubscribed" || mail === "suppressed" ? [isSuppressed(mail)] : []),
      ...(from === undefined ? [] : [row(column("id"), ">=", leastUuidAt(from))]),
      ...(until === undefined ? [] : [row(column("id"), "<", leastUuidAt(until))]),
      ...(through === undefined ? [] : [row(column("id"), "<=", through)]),
    ]);
  };
}

/** Where a submission stands in each order; it may be deleted by now. */
async function placeOf(read: Read, id: string | undefined) {
  if (id === undefined || !isUuid(id)) return undefined;
  return read
    .selectFrom("submissions")
    .select(["id", "email_key as address", sql<string>`lower(name)`.as("name")])
    .where("id", "=", id)
    .executeTakeFirst();
}

type Place = Awaited<ReturnType<typeof placeOf>>;
type From = Omit<Page, "after"> & { after: Place };

async function countUpTo(most: number, read: Read, match: Match): Promise<number> {
  const { count } = await read
    .selectFrom((db) =>
      db
        .selectFrom("submissions")
        .select("id")
        .where(match)
        .limit(most + 1)
        .as("some"),
    )
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

async function fetchAndSort(read: Read, match: Match, { sort, after, limit }: From): Promise<string[]> {
  const matches = await read
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
    .where(isBeyond(sort, after, sql.ref(sort === "name" ? "name" : "address")))
    .orderBy(sort === "name" || sort === "address" ? sql.ref(sort) : sql.ref("id"), direction(sort))
    .orderBy("id", direction(sort))
    .limit(limit)
    .execute();
  return matches.map(({ id }) => id);
}

async function walk(read: Read, match: Match, { sort, after, limit }: From): Promise<string[]> {
  const key = sort === "name" ? sql<string>`lower(name)` : sql.ref<string>("email_key");
  const query = read
    .selectFrom("submissions")
    .select("id")
    .where(match)
    .where(isBeyond(sort, after, key))
    .limit(limit);
  const rows = await (sort === "name" || sort === "address" ? query.orderBy(key) : query)
    .orderBy("id", direction(sort))
    .execute();
  return rows.map(({ id }) => id);
}

const direction = (sort: SubmissionSort) => (sort === "newest" ? "desc" : "asc");

/** Keyset. The first of the two bounds of a key is the one an index on an expression can begin at. */
function isBeyond(sort: SubmissionSort, after: Place, key: Expression<string>): Expression<SqlBool> {
  if (!after) return sql<boolean>`1 = 1`;
  if (sort === "newest") return sql<boolean>`id < ${after.id}`;
  if (sort === "oldest") return sql<boolean>`id > ${after.id}`;
  const at = after[sort];
  return sql<boolean>`${key} >= ${at} and (${key} > ${at} or id > ${after.id})`;
}
