import { sql, type Expression, type SelectQueryBuilder } from "kysely";
import type { Database } from "~/db/database.server";
import { countRows, countUpTo, fetchFrom, hasRows, toIds } from "~/db/rows";
import { reorderPage, toKnownPage, type ListPage } from "~/lib/list-page";
import { searchTerms } from "~/lib/search-words";
import { getUuidTime } from "~/lib/uuid";
import { findDocuments, matchDocuments } from "~/services/search/document-search.server";
import { selectSuppression } from "~/services/suppressions/suppressions.server";
import { selectWave } from "~/services/waves/wave-invitations.server";
import type { MatchCount } from "~/services/submissions/submissions.server";
import { isFilled } from "./fill-people.server";
import { NEWEST_PEOPLE, type PeopleFilter, type PeopleOrder } from "./people-filter";
import {
  findFew,
  isAmong,
  isListed,
  listConditions,
  listFew,
  matchAll,
  matchByTime,
  MAX_FEW,
  type Condition,
  type Match,
} from "./people-match.server";

/** Most results of a search that are sorted: finding a rare word in more of them takes as long as a page may take. */
const MAX_SORTED_RESULTS = 500;
/** Most people that are counted. */
const MAX_COUNTED = 10_000;
const BATCH = 500;

/**
 * A page of the list. Where the person who bounds it has gone, it is the list's first. The order "first" is that of when people
 * were first known, which is that of their ids.
 */
export type PeoplePage = ListPage & { readonly order: PeopleOrder };

interface PeopleListDeps {
  readonly database: Database;
  /** Numbers of matches and of results that are few enough to be sorted; tests use fewer. */
  readonly maxSorted?: number;
  readonly maxResults?: number;
}

interface Found {
  readonly ids: string[];
  readonly total?: number;
  /** Whether too many are found to sort them, so that the newest come first. */
  readonly isTooCommon?: boolean;
  /** Whether more than MAX_FEW match, where that is a by-product. */
  readonly isMany?: boolean;
}

export type PeopleList = ReturnType<typeof createPeopleList>;
export type ListedPerson = Awaited<ReturnType<PeopleList["list"]>>["rows"][number];

/**
 * Lists people: searched, filtered, sorted and paged by keyset, as fast for a million as for ten. Neither database
 * chooses its way well by itself, so that it is chosen here (docs/decisions/0110):
 * - few people match the search or one of the filters: all of these are fetched, filtered and sorted;
 * - many match each: an index of the order is followed, and who does not match is skipped. Results of a search are in the
 *   order of time then, whatever order is asked for.
 */
export function createPeopleList({
  database,
  maxSorted = MAX_FEW,
  maxResults = MAX_SORTED_RESULTS,
}: PeopleListDeps) {
  const { read, longRead } = database;

  /** Lists the ids of a page, with the number of all matches where it is a by-product. */
  async function find(filter: PeopleFilter, page: PeoplePage): Promise<Found> {
    return filter.search === undefined ? findByFilter(filter, page) : findBySearch(filter, page);
  }

  async function findByFilter(filter: PeopleFilter, page: PeoplePage): Promise<Found> {
    const few = await findFew(database, filter, maxSorted);
    if (few) return sortFew(filter, few, page);
    // Each matches many, and together perhaps nobody.
    if (listConditions(filter).length > 1 && page.order.sort !== "first") {
      const ids = await listFew(database, filter, maxSorted);
      if (ids) return sortFew(filter, isAmong(ids), page);
    }
    const [only, ...others] = listConditions(filter);
    const isMany = only !== undefined && only.index !== "none" && others.length === 0;
    return { ids: await scan(filter, page), isMany };
  }

  async function findBySearch(filter: PeopleFilter, page: PeoplePage): Promise<Found> {
    const terms = searchTerms(filter.search ?? "");
    if (terms.length === 0 || filter.form === "none") return { ids: [], total: 0 };
    const search = { table: "people_documents", terms } as const;
    const found = await findDocuments(database, { ...search, page: { limit: maxResults + 1 } });
    if (found.length === 0) return { ids: [], total: 0 };
    if (found.length <= maxResults) return sortFew(filter, isAmong(found), page);
    // By time they need no sorting.
    const isTooCommon = page.order.sort !== "first";
    const byTime = isTooCommon ? reorderPage(page, NEWEST_PEOPLE) : page;
    if (byTime.order.direction === "desc" && listConditions(filter).length === 0) {
      return { ids: await findDocuments(database, { ...search, page: toKnownPage(byTime) }), isTooCommon };
    }
    const hasTerms = await matchDocuments(database, { terms });
    const isFound: Match = (row) => {
      const document = row.selectFrom("people_documents as documents").select("documents.id").where(hasTerms);
      return row(document.whereRef("documents.id", "=", "people.id"), "is not", null);
    };
    return { ids: await scan(filter, byTime, isFound), isTooCommon };
  }

  /** Fetches all who match one condition, filters and sorts them. */
  async function sortFew(filter: PeopleFilter, isCandidate: Match, page: PeoplePage): Promise<Found> {
    const matches = longRead
      .with(
        (cte) => cte("matches").materialized(),
        (db) =>
          db
            .selectFrom("people")
            .select(["people.id as id", ...KEY_COLUMNS])
            .where(isCandidate)
            .where(matchAll(filter)),
      )
      .selectFrom("matches");
    const { sort } = page.order;
    const key = sort === "first" ? undefined : sql.ref<string>(sort);
    const ids = await fetchInOrder(matches.select("id"), page, key);
    return { ids, total: await countRows(matches) };
  }

  /** Follows an index of the order, and skips who does not match. @param isFound the condition of a search. */
  function scan(filter: PeopleFilter, page: PeoplePage, isFound?: Match): Promise<string[]> {
    if (page.order.sort !== "first" || isFound) return scanPeople(matchAll(filter), page, isFound);
    const conditions = listConditions(filter);
    const led = conditions.find(({ selectIds }) => selectIds);
    if (!led?.selectIds) return scanPeople(matchByTime(filter), page);
    const others = conditions.filter((each) => each !== led);
    const isMatch: Match = (row) =>
      row.and([isListed(filter, { hidden: true }), ...others.map(({ isMatchHidden }) => isMatchHidden(row))]);
    return scanIds(led.selectIds(longRead), isMatch, page);
  }

  /** Follows an index of people. */
  function scanPeople(isMatch: Match, page: PeoplePage, isFound?: Match): Promise<string[]> {
    const people = longRead.selectFrom("people").select("people.id as id").where(isMatch);
    const matches = isFound ? people.where(isFound) : people;
    return fetchInOrder(matches, page, SORT_KEYS[page.order.sort]);
  }

  /** Follows the index of another table by time: the newest people of all may be none of those whom it has. */
  function scanIds(
    ids: ReturnType<NonNullable<Condition["selectIds"]>>,
    isMatch: Match,
    page: PeoplePage,
  ): Promise<string[]> {
    const matches = longRead
      .selectFrom(ids.as("led"))
      .select("led.id as id")
      .where((row) => {
        const person = row.selectFrom("people").select("people.id").whereRef("people.id", "=", "led.id");
        // Asked of each by itself: as a join, it would be the planner's to begin with the newest people.
        return row(person.where(isMatch), "is not", null);
      });
    return fetchInOrder(matches, page, undefined);
  }

  /** Fetches a page of ids. @param key sorted by before the id; undefined: by time. */
  async function fetchInOrder<DB, Table extends keyof DB>(
    query: SelectQueryBuilder<DB, Table, { id: string }>,
    { order, ...page }: PeoplePage,
    key: Expression<string> | undefined,
  ): Promise<string[]> {
    const { sort, direction } = order;
    const known = toKnownPage(page);
    const bound = known.before ?? known.after;
    if (sort === "first" || bound === undefined)
      return toIds(await fetchFrom(query, known, { key, direction }));
    const boundKey = known.boundKey ?? (await findKey(bound, sort));
    if (boundKey === undefined) page.onBoundGone?.();
    const place = boundKey === undefined ? { limit: page.limit } : known;
    return toIds(await fetchFrom(query, place, { key, direction }, boundKey));
  }

  /** Finds what a person is sorted by, whether they match a filter or not. */
  async function findKey(
    id: string,
    sort: Exclude<PeopleOrder["sort"], "first">,
  ): Promise<string | undefined> {
    const row = await read.selectFrom("people").select(KEY_COLUMNS).where("id", "=", id).executeTakeFirst();
    return row?.[sort];
  }

  /**
   * Lists these people in the order of the ids, with why their address gets no email.
   * @param sort of the `sortKey` that each has.
   */
  async function listRows(ids: readonly string[], sort: PeopleOrder["sort"]) {
    if (ids.length === 0) return [];
    const rows = await read
      .selectFrom("people")
      .select([
        "id",
        "email",
        "email_domain",
        "name",
        "company",
        "role",
        "source",
        "forms",
        "confirmed_at",
        "first_signup_at",
      ])
      .select([selectSuppression("people"), ...selectWave()])
      .select(sql<string>`${SORT_KEYS[sort] ?? sql.ref("id")}`.as("sortKey"))
      .where("id", "in", ids)
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      return row ? { ...row, first_seen_at: getUuidTime(id) } : [];
    });
  }

  return {
    /** Lists a page of people, with their number, or that they are many, where it is known without counting. */
    async list(filter: PeopleFilter, page: PeoplePage) {
      const { ids, total, isTooCommon = false, isMany = false } = await find(filter, page);
      return { rows: await listRows(ids, page.order.sort), total, isTooCommon, isMany };
    },

    /** Lists the ids of a page of people. */
    listIds: async (filter: PeopleFilter, page: PeoplePage) => (await find(filter, page)).ids,

    /** Counts the people with an accepted form, up to 10,000. */
    async count(): Promise<MatchCount> {
      const count = await countUpTo(
        MAX_COUNTED + 1,
        read,
        read
          .selectFrom("people")
          .select("id")
          .where(isListed({}, { hidden: false })),
      );
      return { count: Math.min(count, MAX_COUNTED), isMore: count > MAX_COUNTED };
    },

    /** Whether anybody was invited from the waiting list, or joined. */
    hasInvitations: () => hasRows(read.selectFrom("wave_invitations")),

    /** Whether everybody is in the list: after an update, people are added for some minutes. */
    isComplete: () => isFilled(read),

    /** Yields all matches in batches: one is in memory at a time. */
    async *batches(filter: PeopleFilter, askedOrder: PeopleOrder) {
      let order = askedOrder;
      for (let last: ListedPerson | undefined; ;) {
        const bound = order.direction === "desc" ? { before: last?.id } : { after: last?.id };
        const page = { order, ...bound, boundKey: last?.sortKey, limit: BATCH };
        const { ids, total, isTooCommon } = await find(filter, page);
        // Whatever is found meanwhile: results in two orders would repeat some and miss others.
        if (isTooCommon) order = NEWEST_PEOPLE;
        const rows = await listRows(ids, order.sort);
        if (rows.length > 0) yield rows;
        const isAll = last === undefined && total === ids.length;
        if (ids.length < BATCH || isAll) return;
        last = rows.at(-1) ?? last;
      }
    },
  };
}

const SORT_KEYS = {
  first: undefined,
  name: sql<string>`lower(name)`,
  address: sql.ref<string>("email_key"),
  company: sql<string>`lower(company)`,
} satisfies Record<PeopleOrder["sort"], Expression<string> | undefined>;

const KEY_COLUMNS = [
  SORT_KEYS.name.as("name"),
  SORT_KEYS.address.as("address"),
  SORT_KEYS.company.as("company"),
] as const;
