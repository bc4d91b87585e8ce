import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database, Read } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import type { SubmissionKind } from "~/db/tables/submissions";
import { newestIds } from "~/lib/newest-ids";
import { searchTerms, wordsFrom } from "~/lib/search-words";
import { isUuid } from "~/lib/uuid";
import { SUBMISSION_KINDS } from "~/services/signups/submission-kinds";

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
  /** Of the submission. */
  readonly id: string;
  readonly kind: SubmissionKind;
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

    /** The same, with who they are. */
    async find(query: PeopleQuery, page: PeoplePage): Promise<FoundPerson[]> {
      const found = await ids(query, page);
      if (found.length === 0) return [];
      return read
        .selectFrom("submissions")
        .select(["id", "kind", "name", "email", "created_at"])
        .where("id", "in", found)
        .orderBy("id", "desc")
        .execute();
    },
  };
}

/** So many blocks are looked up at once at most. */
const MOST_AT_ONCE = 64;
/** Blocks differ a little in how many they have: to look into some too many is quicker than to ask once more. */
const SPARE = 1.2;

/**
 * From the newest block on, in which everything asked for occurs, until the page is full: after the first of them in as many
 * as it takes where the others have as many.
 */
async function idsOf(
  read: Read,
  kind: SubmissionKind,
  terms: readonly string[],
  { before, limit }: PeoplePage,
): Promise<string[]> {
  const olderThan = before && isUuid(before) ? before : undefined;
  const found: string[] = [];
  let beforeBlock: number | undefined;
  let [count, lookedInto] = [1, 0];
  for (;;) {
    const blocks = await blocksWith(read, kind, terms, { olderThan, beforeBlock, count });
    if (blocks.length > 0) {
      found.push(...(await idsIn(read, kind, terms, { blocks, olderThan, limit: limit - found.length })));
    }
    if (found.length === limit || blocks.length < count) return found;
    beforeBlock = blocks.at(-1);
    lookedInto += blocks.length;
    const stillToFind = (SPARE * (limit - found.length) * lookedInto) / found.length;
    count = Math.ceil(Math.min(stillToFind, MOST_AT_ONCE));
  }
}

/** The newest blocks that have words which begin with each of the terms. */
async function blocksWith(
  read: Read,
  kind: SubmissionKind,
  terms: readonly string[],
  within: { olderThan: string | undefined; beforeBlock: number | undefined; count: number },
): Promise<number[]> {
  const { olderThan, beforeBlock, count } = within;
  let query = read.selectFrom("search_blocks").select("number").where("kind", "=", kind);
  if (olderThan !== undefined) query = query.where("first_id", "<", olderThan);
  if (beforeBlock !== undefined) query = query.where("number", "<", beforeBlock);
  for (const term of terms) {
    const [first, last] = wordsFrom(term);
    query = query.where((block) =>
      block.exists(
        block
          .selectFrom("search_words")
          .select("word")
          .where("search_words.kind", "=", kind)
          .whereRef("search_words.block", "=", "search_blocks.number")
          .where("word", ">=", first)
          .where("word", "<=", last),
      ),
    );
  }
  const blocks = await query.orderBy("number", "desc").limit(count).execute();
  return blocks.map((block) => block.number);
}

/** Who of these blocks has all of the terms. */
async function idsIn(
  read: Read,
  kind: SubmissionKind,
  terms: readonly string[],
  within: { blocks: readonly number[]; olderThan: string | undefined; limit: number },
): Promise<string[]> {
  const { blocks, olderThan, limit } = within;
  const [having, ...others] = terms.map((term) => {
    const [first, last] = wordsFrom(term);
    const query = read
      .selectFrom("search_words")
      .select("submission_id")
      .where("kind", "=", kind)
      .where("block", "in", blocks)
      .where("word", ">=", first)
      .where("word", "<=", last);
    return olderThan === undefined ? query : query.where("submission_id", "<", olderThan);
  });
  if (!having) return [];
  // An intersection holds nobody twice: to make each side distinct first takes three times as long. Not "in (...)": there SQLite
  // would rather look up each of the one in the index of the other.
  const all = others.reduce((query, other) => query.intersect(other), having);
  const rows = await (others.length === 0 ? all.distinct() : all)
    .orderBy("submission_id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => row.submission_id);
}

/** Of a query over submissions: whether it would find them. For walks that meet what many have; slow for what few have. */
export function hasWords(
  typed: string,
): (row: ExpressionBuilder<Tables, "submissions">) => Expression<SqlBool> {
  return (row) =>
    row.and(
      searchTerms(typed).map((term) => {
        const [first, last] = wordsFrom(term);
        // Not "exists": PostgreSQL makes a join of that, of everybody who has the word, and then sorts them.
        const word = row
          .selectFrom("search_words")
          .select("word")
          .whereRef("search_words.submission_id", "=", "submissions.id")
          .where("word", ">=", first)
          .where("word", "<=", last)
          .limit(1);
        return row(word, "is not", null);
      }),
    );
}
