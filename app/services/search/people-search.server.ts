import { sql } from "kysely";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database, Read } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import type { SubmissionKind } from "~/db/tables/submissions";
import { emailKey } from "~/lib/email-address";
import { likeLiteral } from "~/lib/like-literal";
import { newestIds } from "~/lib/newest-ids";
import { pairsFor, searchTerms, wordsFrom } from "~/lib/search-words";
import { isUuid } from "~/lib/uuid";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";

/** Who to look for. */
export interface PeopleQuery {
  /**
   * As typed. Its words are the beginnings of an address or of words of a name, in any order; case and accents do not
   * count. Everyone found has all of them.
   */
  readonly typed: string;
  /** Of one form; left out: of all. */
  readonly kind?: SubmissionKind | undefined;
}

/** A page of what was found: newest first, before the given id (keyset). What is no id of ours counts as not given. */
export interface PeoplePage {
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface FoundPerson {
  /** Of their newest submission that was found. */
  readonly id: string;
  /** The forms of all that were found on this page, each once. */
  readonly kinds: readonly SubmissionKind[];
  readonly name: string;
  readonly email: string;
  /** Epoch milliseconds. */
  readonly created_at: number;
}

export type PeopleSearch = ReturnType<typeof createPeopleSearch>;

/**
 * Finds accepted submissions by the name and the address in them. As quick at a million of them as at ten, for what all
 * have in common and for what nobody has (docs/decisions/0018).
 */
export function createPeopleSearch({ database: { read } }: { database: Database }) {
  /** Ids of what matches, newest first; none when nothing is asked for. */
  async function ids({ typed, kind }: PeopleQuery, page: PeoplePage): Promise<string[]> {
    const terms = searchTerms(typed);
    if (terms.length === 0) return [];
    const kinds = kind ? [kind] : SUBMISSION_KINDS;
    const pieces = await Promise.all(kinds.map((of) => idsOf(read, of, terms, page)));
    return newestIds(pieces.flat(), page.limit);
  }

  return {
    ids,

    /** Finds people, each once on a page however many submissions of theirs match; `page.limit` counts people. */
    async find(query: PeopleQuery, page: PeoplePage): Promise<FoundPerson[]> {
      const { limit } = page;
      const people = new Map<string, FoundPerson & { kinds: SubmissionKind[] }>();
      for (let before = page.before; people.size < limit;) {
        const found = await ids(query, { before, limit });
        const rows = await rowsOf(read, found);
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

function rowsOf(read: Read, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return read
    .selectFrom("submissions")
    .select(["id", "kind", "name", "email", "created_at"])
    .where("id", "in", ids)
    .orderBy("id", "desc")
    .execute();
}

/** So many blocks are looked into at once at most. */
const MOST_AT_ONCE = 256;
/** Blocks differ a little in how many they have: to look into some too many is quicker than to ask once more. */
const SPARE = 1.2;

interface Block {
  readonly number: number;
  readonly first_id: string;
}

/**
 * From the newest block on, of those in which everything asked for occurs, until the page is full: after the first of them in
 * as many as it takes where the others have as many.
 */
async function idsOf(
  read: Read,
  kind: SubmissionKind,
  terms: readonly string[],
  { before, limit }: PeoplePage,
): Promise<string[]> {
  const olderThan = before && isUuid(before) ? before : undefined;
  const found: string[] = [];
  let [lookedInto, count, next] = [0, 1, olderThan];
  while (found.length < limit) {
    const blocks = await blocksWith(read, kind, terms, { before: next, limit: count });
    // One block is soon read, whatever is in it.
    const sorted = blocks.length > 1 ? await rarestFirst(read, blocks, terms) : terms;
    const within = { olderThan, limit: limit - found.length };
    // Side by side: PostgreSQL does both halves at once.
    const middle = Math.ceil(blocks.length / 2);
    const halves = [blocks.slice(0, middle), blocks.slice(middle)];
    const pieces = await Promise.all(halves.map((half) => idsIn(read, half, sorted, within)));
    found.push(...pieces.flat().slice(0, within.limit));
    if (blocks.length < count) break;
    lookedInto += count;
    next = blocks.at(-1)?.first_id;
    const stillToLook = Math.ceil((SPARE * (limit - found.length) * lookedInto) / found.length);
    count = Math.min(stillToLook, MOST_AT_ONCE);
  }
  return found;
}

/** The newest blocks that begin before an id and have words which begin with each of the terms, and with each two of them at once. */
async function blocksWith(
  read: Read,
  kind: SubmissionKind,
  terms: readonly string[],
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Block[]> {
  let query = read.selectFrom("search_blocks").select(["number", "first_id"]).where("kind", "=", kind);
  if (before !== undefined) query = query.where("first_id", "<", before);
  return query
    .where((block) =>
      block.and([
        ...terms.map((term) =>
          block.exists(
            block
              .selectFrom("search_words")
              .select("word")
              .whereRef("search_words.block", "=", "search_blocks.number")
              .where(beginsWith(term)),
          ),
        ),
        ...pairsFor(terms).map((pair) =>
          block.exists(
            block
              .selectFrom("search_pairs")
              .select("pair")
              .whereRef("search_pairs.block", "=", "search_blocks.number")
              .where("pair", "=", pair),
          ),
        ),
      ]),
    )
    .orderBy("first_id", "desc")
    .limit(limit)
    .execute();
}

/** The terms by how many words of the first of the blocks begin with them: everybody who has the first is read. */
async function rarestFirst(
  read: Read,
  [block]: readonly Block[],
  terms: readonly string[],
): Promise<readonly string[]> {
  if (!block || terms.length < 2) return terms;
  const counts = await read
    .selectNoFrom((db) =>
      terms.map((term, at) =>
        db
          .selectFrom("search_words")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("block", "=", block.number)
          .where(beginsWith(term))
          .as(String(at)),
      ),
    )
    .executeTakeFirstOrThrow();
  return terms
    .map((term, at) => ({ term, count: counts[String(at)] ?? 0 }))
    .sort((one, other) => one.count - other.count)
    .map(({ term }) => term);
}

/** Who of these blocks has all of the terms: of those who have the first, whose words are read with the others beside them. */
async function idsIn(
  read: Read,
  blocks: readonly Block[],
  [first = "", ...others]: readonly string[],
  { olderThan, limit }: { olderThan: string | undefined; limit: number },
): Promise<string[]> {
  if (blocks.length === 0) return [];
  const numbers = blocks.map(({ number }) => number);
  const rows = await read
    .with(
      // Made by itself: to sort by id PostgreSQL would rather go through the ids of everybody.
      (cte) => cte("matches").materialized(),
      (db) => {
        let query = db
          .selectFrom("search_words")
          .select("submission_id")
          .where("block", "in", numbers)
          .where(beginsWith(first));
        if (olderThan !== undefined) query = query.where("submission_id", "<", olderThan);
        for (const term of others) {
          query = query.where(sql<boolean>`all_words like ${`% ${likeLiteral(term)}%`} escape '!'`);
        }
        return query;
      },
    )
    .selectFrom("matches")
    .select("submission_id")
    .distinct()
    .orderBy("submission_id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => row.submission_id);
}

/** Of a word: it begins with this term. */
function beginsWith(term: string): (word: ExpressionBuilder<Tables, "search_words">) => Expression<SqlBool> {
  const [first, last] = wordsFrom(term);
  return (word) => word.and([word("word", ">=", first), word("word", "<=", last)]);
}

/** Of a query over submissions: whether it would find them. For walks that meet what many have; slow for what few have. */
export function hasWords(
  typed: string,
): (row: ExpressionBuilder<Tables, "submissions">) => Expression<SqlBool> {
  return (row) =>
    row.and(
      searchTerms(typed).map((term) => {
        // Not "exists": PostgreSQL makes a join of that, of everybody who has the word, and then sorts them.
        const word = row
          .selectFrom("search_words")
          .select("word")
          .whereRef("search_words.submission_id", "=", "submissions.id")
          .where(beginsWith(term))
          .limit(1);
        return row(word, "is not", null);
      }),
    );
}
