import { sql, type Expression, type SqlBool } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { fetchFrom } from "~/db/rows";
import { likeLiteral } from "~/lib/like-literal";
import { isPart, MIN_PART_LENGTH, PARTS_FOLLOW } from "~/lib/search-words";
import {
  findAmongNearest,
  hasStart,
  quoteForFts,
  takeFromFts,
  toIds,
  toTsQuery,
  type DocumentTable,
} from "./nearest-documents.server";
import { DOCUMENTS, getFirstNumber, getNextNumber, type Documents } from "./search-index.server";
import type { SearchQuery } from "./search-query";

/*
 * The search in documents of a name, an address and a company (app/lib/search-words.ts): by the start of any word, and
 * by any part of an address or a company. As fast for a million documents as for ten (docs/decisions/0018).
 */

interface DocumentQuery extends SearchQuery {
  readonly table: Documents;
  /** Limits the search to the submissions of a form. */
  readonly kindWord?: string | undefined;
}

/** Lists the ids of a page of matches, newest first. */
export async function findDocuments(database: Database, query: DocumentQuery): Promise<string[]> {
  const { longRead } = database;
  if (database.dialect === "sqlite") return findOnSqlite(longRead, query);
  const byParts = await hasPartsIndex(database.read);
  const isMatch = toCondition(query, byParts);
  const nearest = await findAmongNearest(longRead, toTable(query), query, isMatch);
  return nearest.length === query.page.limit
    ? nearest
    : findOnPostgres(longRead, query, { byParts, isMatch });
}

const toTable = ({ table }: DocumentQuery): DocumentTable => ({ table, key: "id", maxCompared: 30_000 });

/** Returns the condition, on a document's words, for the search to find it; for scans where many rows match. */
export async function matchDocuments(
  database: Pick<Database, "dialect" | "read">,
  query: Pick<DocumentQuery, "terms">,
): Promise<Expression<SqlBool>> {
  return toCondition(query, database.dialect === "sqlite" || (await hasPartsIndex(database.read)));
}

function toCondition({ terms, kindWord }: Pick<DocumentQuery, "terms" | "kindWord">, byParts: boolean) {
  const conditions = terms.map(byParts ? hasStartOrPart : hasStart);
  if (kindWord) conditions.push(sql<boolean>`words like ${`${kindWord}%`}`);
  return sql.join<SqlBool>(conditions, sql` and `);
}

function hasStartOrPart(term: string) {
  if (!isPart(term)) return hasStart(term);
  const part = `%${PARTS_FOLLOW}%${likeLiteral(term)}%`;
  return sql<boolean>`(${hasStart(term)} or words like ${part} escape '!')`;
}

/** Returns whether PostgreSQL has the index of parts, which needs pg_trgm: a migration creates it where it may. */
export async function hasPartsIndex(read: Read): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('people_documents_parts') is not null as found`.execute(read);
  return rows[0]?.found ?? false;
}

async function findOnPostgres(
  read: Read,
  { table, terms, page }: DocumentQuery,
  { byParts, isMatch }: { byParts: boolean; isMatch: Expression<SqlBool> },
): Promise<string[]> {
  const isIndexed = byParts
    ? sql.join<SqlBool>(terms.map(hasLetters), sql` and `)
    : sql<boolean>`array_to_tsvector(string_to_array(replace(ltrim(words), '  ', ' '), ' '))
        @@ ${toTsQuery(terms)}::tsquery`;
  const query = read
    .with(
      // Materialized: to sort by id, PostgreSQL would otherwise scan everybody's documents.
      (cte) => cte("candidates").materialized(),
      (db) => db.selectFrom(table).select(["id", "words"]).where("id", "is not", null).where(isIndexed),
    )
    .selectFrom("candidates")
    .select("id")
    .where(isMatch);
  return toIds(await fetchFrom(query, page, {}));
}

/** What the index of parts is asked for; a term of one or two letters is the start of a word. */
function hasLetters(term: string) {
  return isPart(term) ? sql<boolean>`words like ${`%${likeLiteral(term)}%`} escape '!'` : hasStart(term);
}

/**
 * Walks the documents that have all triples of letters of the terms, in the order of their numbers, and compares their
 * words. FTS5 skips from one document to the next that all triples have in common.
 */
function findOnSqlite(read: Read, { table, terms, kindWord, page }: DocumentQuery): Promise<string[]> {
  const { before, after } = page;
  const [documents, fts] = [sql.table(table), sql.table(DOCUMENTS[table])];
  const triples = [...terms.flatMap(listTriples), ...(kindWord ? [kindWord] : [])];
  const match = [...new Set(triples)].map(quoteForFts).join(" AND ");
  const older = before === undefined ? sql`` : sql`and rowid < ${getNextNumber(before)}`;
  const newer = after === undefined ? sql`` : sql`and rowid >= ${getFirstNumber(after)}`;
  const beyond =
    before !== undefined ? sql`and id < ${before}` : after !== undefined ? sql`and id > ${after}` : sql``;
  const direction = after === undefined ? sql`desc` : sql`asc`;
  const hasTerms = sql.join(terms.map(hasStartOrPart), sql` and `);
  return takeFromFts(page, async (count) => {
    const { rows } = await sql<{ id: string }>`
      select id from (select rowid as n from ${fts} where ${fts} match ${match} ${older} ${newer}) as found
        cross join ${documents} using (n)
      where id is not null ${beyond} and ${hasTerms}
      order by n ${direction} limit ${count}
    `.execute(read);
    return toIds(rows);
  });
}

/** Most triples of a term that are looked for: more of them hardly ever tell one document from another. */
const MAX_TRIPLES = 32;

/** Returns the letters of a term in groups of three; a short term is one with the spaces before it. */
function listTriples(term: string): string[] {
  const letters = [...term.padStart(term.length + Math.max(0, MIN_PART_LENGTH - [...term].length))];
  const count = Math.min(letters.length - 2, MAX_TRIPLES);
  return Array.from({ length: count }, (_, at) => letters.slice(at, at + 3).join(""));
}
