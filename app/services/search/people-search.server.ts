import { sql, type Expression, type ExpressionBuilder, type SqlBool } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { fetchIds, type NewestPage } from "~/db/rows";
import type { Tables } from "~/db/tables";
import type { SubmissionKind, SubmissionsTable } from "~/db/tables/submissions";
import { emailKey } from "~/lib/email-address";
import { likeLiteral } from "~/lib/like-literal";
import { newestIds } from "~/lib/newest-ids";
import { searchTerms } from "~/lib/search-words";
import { isUuid, getUuidTime } from "~/lib/uuid";
import { getNextNumber, KIND_WORDS } from "./people-index.server";

interface PeopleQuery {
  /** As typed: words that begin an address or a word of a name, in any order, ignoring case and accents. */
  readonly typed: string;
  /** Limits the search to one form; left out: all forms. */
  readonly kind?: SubmissionKind | undefined;
}

/** The newest matching submission of a person, and the forms of all their matches on this page, each once. */
export interface FoundPerson extends Pick<SubmissionsTable, "id" | "name" | "email" | "created_at"> {
  kinds: SubmissionKind[];
}

export type PeopleSearch = ReturnType<typeof createPeopleSearch>;

/**
 * Finds accepted submissions by name and address. As fast for a million submissions as for ten, both for very
 * common terms and for terms without a match (docs/decisions/0018).
 */
export function createPeopleSearch({ database: { dialect, read, longRead } }: { database: Database }) {
  /** Lists the ids of matches, newest first; none for an empty query. */
  async function ids({ typed, kind }: PeopleQuery, { before, limit }: NewestPage): Promise<string[]> {
    const terms = searchTerms(typed);
    if (terms.length === 0) return [];
    const input = { terms, kind, before: before && isUuid(before) ? before : undefined, limit };
    const newest = await findAmongNewest(longRead, input);
    if (newest.length === limit) return newest;
    return dialect === "postgres" ? findOnPostgres(longRead, input) : findOnSqlite(longRead, input);
  }

  return {
    ids,

    /** Finds people, each once on a page however many of their submissions match; `page.limit` counts people. */
    async find(query: PeopleQuery, page: NewestPage): Promise<FoundPerson[]> {
      const { limit } = page;
      const people = new Map<string, FoundPerson>();
      for (let before = page.before; people.size < limit;) {
        const found = await ids(query, { before, limit });
        const rows = await findRows(read, found);
        for (const { kind, ...row } of rows) {
          const key = emailKey(row.email);
          const known = people.get(key);
          if (known) known.kinds = [...new Set([...known.kinds, kind])];
          else if (people.size < limit) people.set(key, { ...row, kinds: [kind] });
        }
        if (found.length < limit) break;
        before = found.at(-1);
      }
      return [...people.values()];
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

interface SearchInput extends NewestPage {
  readonly terms: readonly string[];
  readonly kind: SubmissionKind | undefined;
}

/** Most documents whose words are compared, which takes 3 ms. */
const MAX_COMPARED = 10_000;

/** Looks through the newest documents before the index is used: a common term fills a page from them. */
function findAmongNewest(read: Read, { terms, kind, before, limit }: SearchInput): Promise<string[]> {
  let newest = read
    .selectFrom("search_documents")
    .select(["submission_id", "words"])
    .orderBy("submission_id", "desc")
    .limit(MAX_COMPARED);
  if (before !== undefined) newest = newest.where("submission_id", "<", before);
  let query = read
    .selectFrom(newest.as("newest"))
    .select("submission_id as id")
    .where((row) => row.and(terms.map(hasTerm)))
    .orderBy("submission_id", "desc")
    .limit(limit);
  if (kind) query = query.where("words", "like", `${KIND_WORDS[kind]} %`);
  return fetchIds(query);
}

function findOnPostgres(read: Read, { terms, kind, before, limit }: SearchInput): Promise<string[]> {
  const quoted = (word: string) => `'${word.replace(/['\\]/g, "$&$&")}'`;
  const words = terms.map((term) => `${quoted(term)}:*`);
  if (kind) words.push(quoted(KIND_WORDS[kind]));
  let query = read
    .with(
      // Materialized: to sort by id, PostgreSQL would otherwise scan everybody's documents.
      (cte) => cte("matches").materialized(),
      (db) =>
        db
          .selectFrom("search_documents")
          .select("submission_id")
          .where(
            sql<boolean>`array_to_tsvector(string_to_array(words, ' ')) @@ ${words.join(" & ")}::tsquery`,
          ),
    )
    .selectFrom("matches")
    .select("submission_id as id")
    .orderBy("submission_id", "desc")
    .limit(limit);
  if (before !== undefined) query = query.where("submission_id", "<", before);
  return fetchIds(query);
}

/** Letters of the longest prefixes that the index of SQLite has. */
const INDEXED_LETTERS = 3;

/**
 * Compares the words of the documents that have the first letters of each term, if these are few: FTS5 reads them
 * one after the other, but collects all documents of a longer term first, which takes 30 ms for a seventh of a
 * million.
 *
 * FTS5 has no order within a millisecond: the rest of the last one is read too, and then everything is sorted.
 */
async function findOnSqlite(read: Read, { terms, kind, before, limit }: SearchInput): Promise<string[]> {
  const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
  const older =
    before === undefined ? sql`` : sql`and rowid < ${getNextNumber(before)} and submission_id < ${before}`;
  const matching = (beginnings: readonly string[]) => {
    const words = beginnings.map((beginning) => `${quoted(beginning)}*`);
    if (kind) words.push(quoted(KIND_WORDS[kind]));
    return sql<boolean>`search_index match ${words.join(" ")} ${older}`;
  };
  const candidates = matching(terms.map((term) => [...term].slice(0, INDEXED_LETTERS).join("")));
  const { rows: counted } = await sql<{ documents: number }>`
    select count(*) as documents from (select 1 from search_index where ${candidates} limit ${MAX_COMPARED})
  `.execute(read);
  const documents = counted[0]?.documents ?? 0;
  if (documents === 0) return [];
  const isMatch =
    documents < MAX_COMPARED ? sql.join([candidates, ...terms.map(hasTerm)], sql` and `) : matching(terms);
  for (let count = limit + 1; ; count *= 2) {
    const { rows } = await sql<{ id: string }>`
      select submission_id as id from search_index where ${isMatch} order by rowid desc limit ${count}
    `.execute(read);
    const ids = rows.map(({ id }) => id);
    const [last, next] = [ids[limit - 1], ids.at(-1)];
    const isComplete = ids.length < count || !last || !next || getUuidTime(next) < getUuidTime(last);
    if (isComplete) return newestIds(ids, limit);
  }
}

/** Condition on a document: one of its words begins with this term. */
const hasTerm = (term: string) => sql<boolean>`words like ${`% ${likeLiteral(term)}%`} escape '!'`;

/** Returns the condition that the search finds a submission: for scans where many rows match. */
export function hasWords(row: ExpressionBuilder<Tables, "submissions">, typed: string): Expression<SqlBool> {
  // Not "exists": PostgreSQL turns that into a join of everybody who has the words, and then sorts them.
  const found = row
    .selectFrom("search_documents")
    .select("submission_id")
    .whereRef("search_documents.submission_id", "=", "submissions.id")
    .where((document) => document.and(searchTerms(typed).map(hasTerm)));
  return row(found, "is not", null);
}
