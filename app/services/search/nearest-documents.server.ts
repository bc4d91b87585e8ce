import { sql, type Expression, type SqlBool } from "kysely";
import type { Read } from "~/db/database.server";
import { fetchFrom, limitToPage } from "~/db/rows";
import { likeLiteral } from "~/lib/like-literal";
import { takePage, type ListPage } from "~/lib/list-page";
import { getUuidTime } from "~/lib/uuid";
import type { Documents } from "./search-index.server";
import type { SearchQuery } from "./search-query";

/** A table of words, by the id of what has them. */
export interface DocumentTable {
  readonly table: Documents | "inquiry_documents";
  readonly key: "id" | "submission_id";
  /** Most documents whose words are compared, which takes some milliseconds: the longer they are, the fewer. */
  readonly maxCompared: number;
}

/** Looks through the nearest documents before the index is used: a common term fills a page from them. */
export async function findAmongNearest(
  read: Read,
  { table, key, maxCompared }: DocumentTable,
  { page }: Pick<SearchQuery, "page">,
  isMatch: Expression<SqlBool>,
): Promise<string[]> {
  const id = sql.ref<string>(key);
  const nearest = limitToPage(
    read
      .selectFrom(table as Documents)
      .select([id.as("id"), "words"])
      .where(id, "is not", null),
    { ...page, limit: maxCompared },
    { id: key },
  );
  const matches = read.selectFrom(nearest.as("nearest")).select("id").where(isMatch);
  return toIds(await fetchFrom(matches, page, {}));
}

/** Condition on a document: one of its words begins with this term. */
export const hasStart = (term: string) => sql<boolean>`words like ${`% ${likeLiteral(term)}%`} escape '!'`;

/**
 * Takes a page from an index of FTS5, which has no order within a millisecond: the rest of the last one is read too, and
 * then everything is sorted.
 * @param read returns the ids of the first `count` matches.
 */
export async function takeFromFts(
  page: ListPage,
  read: (count: number) => Promise<readonly string[]>,
): Promise<string[]> {
  const { limit } = page;
  for (let count = limit + 1; ; count *= 2) {
    const ids = await read(count);
    const [last, next] = [ids[limit - 1], ids.at(-1)];
    const isComplete = ids.length < count || !last || !next || getUuidTime(next) !== getUuidTime(last);
    if (isComplete) return takePage(ids, page);
  }
}

/** Quotes a text as a string of FTS5's queries. */
export const quoteForFts = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Formats terms as a query of PostgreSQL's text search: each is the beginning of a word. */
export const toTsQuery = (terms: readonly string[]) =>
  terms.map((term) => `'${term.replace(/['\\]/g, "$&$&")}':*`).join(" & ");

export const toIds = (rows: readonly { readonly id: string | null }[]): string[] =>
  rows.flatMap(({ id }) => id ?? []);
