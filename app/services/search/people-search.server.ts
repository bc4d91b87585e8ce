import { sql, type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { fetchFrom, hasRows, limitToPage } from "~/db/rows";
import type { Tables } from "~/db/tables";
import type { SubmissionsTable } from "~/db/tables/submissions";
import { emailKey } from "~/lib/email-address";
import { likeLiteral } from "~/lib/like-literal";
import { takePage, toKnownPage, type ListPage } from "~/lib/list-page";
import { searchTerms } from "~/lib/search-words";
import { getUuidTime } from "~/lib/uuid";
import {
  getFirstNumber,
  getNextNumber,
  INQUIRY_INDEX,
  KIND_WORDS,
  PEOPLE_INDEX,
  type SearchIndex,
} from "./search-index.server";
import type { SubmissionKind } from "~/lib/form-fields";

interface PeopleQuery {
  /** As typed: words that begin an address or a word of a name, in any order, ignoring case and accents. */
  readonly typed: string;
  /** Limits the search to one form; left out: all forms. Inquiries are found by the words of their text too. */
  readonly kind?: SubmissionKind | undefined;
}

/** The newest matching submission of a person, and the forms of all their matches on this page, each once. */
export interface FoundPerson extends Pick<SubmissionsTable, "id" | "name" | "email" | "created_at"> {
  kinds: SubmissionKind[];
}

export type PeopleSearch = ReturnType<typeof createPeopleSearch>;

/**
 * Finds accepted submissions by name and address, and inquiries by their text too. As fast for a million submissions as
 * for ten, both for very common terms and for terms without a match (docs/decisions/0018).
 */
export function createPeopleSearch({ database: { dialect, read, longRead } }: { database: Database }) {
  /** Lists the ids of matches, newest first; none for an empty query. */
  async function ids(query: PeopleQuery, page: ListPage): Promise<string[]> {
    const input = toInput(query, page);
    if (input.terms.length === 0) return [];
    const nearest = await findAmongNearest(longRead, input);
    return nearest.length === page.limit ? nearest : findInIndex(input);
  }

  function findInIndex(input: SearchInput): Promise<string[]> {
    return dialect === "postgres" ? findOnPostgres(longRead, input) : findOnSqlite(longRead, input);
  }

  return {
    ids,

    /**
     * Lists the ids of all matches, newest first, if they are few. `isAll` is false, and only some of the newest are
     * listed, when there are more than `most`, or when a word is so common that the index would have to collect many.
     */
    async findFew(query: PeopleQuery, most: number): Promise<{ ids: string[]; isAll: boolean }> {
      const input = toInput(query, { limit: most + 1 });
      if (input.terms.length === 0) return { ids: [], isAll: true };
      const newest = await findAmongNearest(longRead, input);
      if (newest.length > most) return { ids: newest, isAll: false };
      const { commonAt } = input.index;
      if (newest.length >= commonAt && (await hasOlder(longRead, input.index))) {
        return { ids: newest, isAll: false };
      }
      const found = await findInIndex(input);
      return { ids: found, isAll: found.length <= most };
    },

    /** Finds people, each once on a page however many of their submissions match; `page.limit` counts people. */
    async find(query: PeopleQuery, page: ListPage): Promise<FoundPerson[]> {
      const { limit } = page;
      const isTowardsNewer = toKnownPage(page).after !== undefined;
      const people = new Map<string, FoundPerson>();
      for (let next = page; people.size < limit;) {
        const found = await ids(query, next);
        const rows = await findRows(read, found);
        for (const { kind, ...row } of isTowardsNewer ? rows.reverse() : rows) {
          const key = emailKey(row.email);
          const known = people.get(key);
          // Whoever comes first when the page is full begins the next one.
          if (!known && people.size === limit) break;
          const kinds = [...new Set([...(known?.kinds ?? []), kind])];
          people.set(key, known && !isTowardsNewer ? { ...known, kinds } : { ...row, kinds });
        }
        if (found.length < limit) break;
        next = isTowardsNewer ? { after: found[0], limit } : { before: found.at(-1), limit };
      }
      return [...people.values()].sort((one, other) => (one.id > other.id ? -1 : 1));
    },
  };
}

function findRows(read: Read, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return read
    .selectFrom("submissions")
    .select(["id", "kind", "name", "email", "created_at"])
    .where("id", "in", ids)
    .orderBy("id", "desc")
    .execute();
}

interface SearchInput {
  readonly index: SearchIndex;
  readonly terms: readonly string[];
  /** Undefined: the documents of every form in the index. */
  readonly kindWord: string | undefined;
  /** With a valid bound. */
  readonly page: ListPage;
}

const getIndex = (kind: SubmissionKind | undefined): SearchIndex =>
  kind === "contact-form" ? INQUIRY_INDEX : PEOPLE_INDEX;

function toInput({ typed, kind }: PeopleQuery, page: ListPage): SearchInput {
  const index = getIndex(kind);
  const kindWord = kind && index === PEOPLE_INDEX ? KIND_WORDS[kind] : undefined;
  return { index, terms: searchTerms(typed), kindWord, page: toKnownPage(page) };
}

/** Returns whether there are more documents than are compared. */
function hasOlder(read: Read, { documents, maxCompared }: SearchIndex): Promise<boolean> {
  const older = read.selectFrom(documents).select("submission_id").orderBy("submission_id", "desc");
  return hasRows(older.limit(1).offset(maxCompared));
}

/** Looks through the nearest documents before the index is used: a common term fills a page from them. */
function findAmongNearest(read: Read, { index, terms, kindWord, page }: SearchInput): Promise<string[]> {
  const nearest = limitToPage(
    read.selectFrom(index.documents).select(["submission_id", "words"]),
    { ...page, limit: index.maxCompared },
    BY_SUBMISSION,
  );
  let query = read
    .selectFrom(nearest.as("nearest"))
    .select("submission_id as id")
    .where((row) => row.and(terms.map(hasTerm)));
  if (kindWord) query = query.where("words", "like", `${kindWord} %`);
  return listIds(query, page);
}

const BY_SUBMISSION = { id: "submission_id" };

async function listIds<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, { id: string }>,
  page: ListPage,
): Promise<string[]> {
  return (await fetchFrom(query, page, BY_SUBMISSION)).map(({ id }) => id);
}

/** Matches among the newest documents from which on the index does not look for a term, if there is a rarer one. */
const MATCHES_OF_A_COMMON_TERM = 100;

/** The index collects all documents of a term: beside a rarer term, those of a common one are compared instead. */
async function splitTerms(read: Read, input: SearchInput) {
  const { terms } = input;
  if (terms.length === 1) return { indexed: terms, compared: [] };
  const page = { ...input.page, limit: MATCHES_OF_A_COMMON_TERM };
  const counts = await Promise.all(
    terms.map((term) => findAmongNearest(read, { ...input, terms: [term], page })),
  );
  const rare = terms.filter((_, at) => (counts[at]?.length ?? 0) < MATCHES_OF_A_COMMON_TERM);
  const indexed = rare.length > 0 ? rare : terms;
  return { indexed, compared: terms.filter((term) => !indexed.includes(term)) };
}

async function findOnPostgres(read: Read, input: SearchInput): Promise<string[]> {
  const { index, kindWord, page } = input;
  const quoted = (word: string) => `'${word.replace(/['\\]/g, "$&$&")}'`;
  const { indexed, compared } = await splitTerms(read, input);
  const words = indexed.map((term) => `${quoted(term)}:*`);
  if (kindWord) words.push(quoted(kindWord));
  const query = read
    .with(
      // Materialized: to sort by id, PostgreSQL would otherwise scan everybody's documents.
      (cte) => cte("matches").materialized(),
      (db) =>
        db
          .selectFrom(index.documents)
          .select("submission_id")
          .where(
            sql<boolean>`array_to_tsvector(string_to_array(words, ' ')) @@ ${words.join(" & ")}::tsquery`,
          )
          .where((row) => row.and(compared.map(hasTerm))),
    )
    .selectFrom("matches")
    .select("submission_id as id");
  return listIds(query, page);
}

/** Letters of the longest prefixes that the indexes of SQLite have. */
const INDEXED_LETTERS = 3;

/**
 * Compares the words of the documents that have the first letters of each term, if these are few: FTS5 reads them
 * one after the other, but collects all documents of a longer term first, which takes 30 ms for a seventh of a
 * million.
 *
 * FTS5 has no order within a millisecond: the rest of the last one is read too, and then everything is sorted.
 */
async function findOnSqlite(read: Read, input: SearchInput): Promise<string[]> {
  const { index, terms, kindWord, page } = input;
  const { before, after, limit } = page;
  const { indexed, compared } = await splitTerms(read, input);
  const fts = sql.table(index.fts);
  const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
  const older =
    before === undefined ? sql`` : sql`and rowid < ${getNextNumber(before)} and submission_id < ${before}`;
  const newer =
    after === undefined ? sql`` : sql`and rowid >= ${getFirstNumber(after)} and submission_id > ${after}`;
  const direction = after === undefined ? sql`desc` : sql`asc`;
  const matching = (beginnings: readonly string[]) => {
    const words = beginnings.map((beginning) => `${quoted(beginning)}*`);
    if (kindWord) words.push(quoted(kindWord));
    return sql<boolean>`${fts} match ${words.join(" ")} ${older} ${newer}`;
  };
  const candidates = matching(indexed.map((term) => [...term].slice(0, INDEXED_LETTERS).join("")));
  const { rows: counted } = await sql<{ documents: number }>`
    select count(*) as documents from (select 1 from ${fts} where ${candidates} limit ${index.maxCompared})
  `.execute(read);
  const documents = counted[0]?.documents ?? 0;
  if (documents === 0) return [];
  const isMatch =
    documents < index.maxCompared
      ? sql.join([candidates, ...terms.map(hasTerm)], sql` and `)
      : sql.join([matching(indexed), ...compared.map(hasTerm)], sql` and `);
  for (let count = limit + 1; ; count *= 2) {
    const { rows } = await sql<{ id: string }>`
      select submission_id as id from ${fts} where ${isMatch} order by rowid ${direction} limit ${count}
    `.execute(read);
    const ids = rows.map(({ id }) => id);
    const [last, next] = [ids[limit - 1], ids.at(-1)];
    const isComplete = ids.length < count || !last || !next || getUuidTime(next) !== getUuidTime(last);
    if (isComplete) return takePage(ids, page);
  }
}

/** Condition on a document: one of its words begins with this term. */
const hasTerm = (term: string) => sql<boolean>`words like ${`% ${likeLiteral(term)}%`} escape '!'`;

/** Returns the condition that the search finds a submission of a form: for scans where many rows match. */
export function hasWords(
  row: ExpressionBuilder<Tables, "submissions">,
  { typed, kind }: { typed: string; kind: SubmissionKind },
): Expression<SqlBool> {
  // Not "exists": PostgreSQL turns that into a join of everybody who has the words, and then sorts them.
  const found = row
    .selectFrom(getIndex(kind).documents)
    .select("submission_id")
    .whereRef("submission_id", "=", "submissions.id")
    .where((document) => document.and(searchTerms(typed).map(hasTerm)));
  return row(found, "is not", null);
}
