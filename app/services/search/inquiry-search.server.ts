import { sql } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { fetchFrom, hasRows } from "~/db/rows";
import {
  findAmongNearest,
  hasStart,
  quoteForFts,
  takeFromFts,
  toIds,
  toTsQuery,
  type DocumentTable,
} from "./nearest-documents.server";
import { getFirstNumber, getNextNumber } from "./search-index.server";
import type { FewResults, SearchQuery } from "./search-query";

/*
 * The search in the text of inquiries, by the start of any word of the text and of its sender. These documents are long,
 * so that the words are indexed and not their triples of letters (docs/decisions/0018).
 */

const INQUIRIES: DocumentTable = { table: "inquiry_documents", key: "submission_id", maxCompared: 5000 };
/** A search with so many matches among the newest 5,000 documents counts as common, where there are older ones. */
const COMMON_AT = 100;

/** Lists the ids of a page of matches, newest first. */
export async function findInquiries({ dialect, longRead }: Database, query: SearchQuery): Promise<string[]> {
  const nearest = await findNearest(longRead, query);
  if (nearest.length === query.page.limit) return nearest;
  return dialect === "postgres" ? findOnPostgres(longRead, query) : findOnSqlite(longRead, query);
}

/** Lists all matches if they are at most so many and the search is not common: the index would collect many. */
export async function findFewInquiries(
  database: Database,
  { terms }: Pick<SearchQuery, "terms">,
  most: number,
): Promise<FewResults> {
  const query = { terms, page: { limit: most + 1 } };
  const newest = await findNearest(database.longRead, query);
  if (newest.length > most) return { ids: newest, isAll: false };
  if (newest.length >= COMMON_AT && (await hasOlder(database.longRead))) return { ids: newest, isAll: false };
  const ids = await findInquiries(database, query);
  return { ids, isAll: ids.length <= most };
}

const findNearest = (read: Read, query: SearchQuery) =>
  findAmongNearest(read, INQUIRIES, query, hasTerms(query.terms));

/** Condition on the words of an inquiry that the search finds it. */
export const hasTerms = (terms: readonly string[]) => sql.join<boolean>(terms.map(hasStart), sql` and `);

/** Returns whether there are more documents than are compared. */
function hasOlder(read: Read): Promise<boolean> {
  const older = read.selectFrom("inquiry_documents").select("submission_id").orderBy("submission_id", "desc");
  return hasRows(older.limit(1).offset(INQUIRIES.maxCompared));
}

/** A term with so many matches among the newest 5,000 documents is common: beside a rarer one the index does not look for it. */
const MATCHES_OF_A_COMMON_TERM = 100;

/** The index collects all documents of a term: beside a rarer term, those of a common one are compared instead. */
async function splitTerms(read: Read, query: SearchQuery) {
  const { terms } = query;
  if (terms.length === 1) return { indexed: terms, compared: [] };
  const page = { ...query.page, limit: MATCHES_OF_A_COMMON_TERM };
  const counts = await Promise.all(
    terms.map((term) => findAmongNearest(read, INQUIRIES, { page }, hasStart(term))),
  );
  const rare = terms.filter((_, at) => (counts[at]?.length ?? 0) < MATCHES_OF_A_COMMON_TERM);
  const indexed = rare.length > 0 ? rare : terms;
  return { indexed, compared: terms.filter((term) => !indexed.includes(term)) };
}

async function findOnPostgres(read: Read, query: SearchQuery): Promise<string[]> {
  const { indexed, compared } = await splitTerms(read, query);
  const matches = read
    .with(
      // Materialized: to sort by id, PostgreSQL would otherwise scan everybody's documents.
      (cte) => cte("matches").materialized(),
      (db) =>
        db
          .selectFrom("inquiry_documents")
          .select("submission_id")
          .where(
            sql<boolean>`array_to_tsvector(string_to_array(words, ' ')) @@ ${toTsQuery(indexed)}::tsquery`,
          )
          .where((row) => row.and(compared.map(hasStart))),
    )
    .selectFrom("matches")
    .select("submission_id as id");
  return toIds(await fetchFrom(matches, query.page, { id: "submission_id" }));
}

/** Letters of the longest prefixes that the indexes of SQLite have. */
const INDEXED_LETTERS = 3;

/**
 * FTS5 reads the documents with the first three letters of a word one after the other, but collects all those of a
 * longer beginning first, which takes 30 ms for a seventh of a million. So the words of the documents are compared
 * where few have the first letters of the terms, and the index looks for whole terms otherwise.
 */
async function findOnSqlite(read: Read, query: SearchQuery): Promise<string[]> {
  const { terms, page } = query;
  const { before, after } = page;
  const { maxCompared } = INQUIRIES;
  const { indexed, compared } = await splitTerms(read, query);
  const fts = sql.table("search_index_inquiries");
  const older =
    before === undefined ? sql`` : sql`and rowid < ${getNextNumber(before)} and submission_id < ${before}`;
  const newer =
    after === undefined ? sql`` : sql`and rowid >= ${getFirstNumber(after)} and submission_id > ${after}`;
  const direction = after === undefined ? sql`desc` : sql`asc`;
  const matching = (beginnings: readonly string[]) => {
    const words = beginnings.map((beginning) => `${quoteForFts(beginning)}*`);
    return sql<boolean>`${fts} match ${words.join(" ")} ${older} ${newer}`;
  };
  const candidates = matching(indexed.map((term) => [...term].slice(0, INDEXED_LETTERS).join("")));
  const { rows: counted } = await sql<{ documents: number }>`
    select count(*) as documents from (select 1 from ${fts} where ${candidates} limit ${maxCompared})
  `.execute(read);
  const documents = counted[0]?.documents ?? 0;
  if (documents === 0) return [];
  const isMatch =
    documents < maxCompared
      ? sql.join([candidates, ...terms.map(hasStart)], sql` and `)
      : sql.join([matching(indexed), ...compared.map(hasStart)], sql` and `);
  return takeFromFts(page, async (count) => {
    const { rows } = await sql<{ id: string }>`
      select submission_id as id from ${fts} where ${isMatch} order by rowid ${direction} limit ${count}
    `.execute(read);
    return toIds(rows);
  });
}
