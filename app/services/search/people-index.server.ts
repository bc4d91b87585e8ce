import type { NotNull } from "kysely";
import type { Write } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import type { SearchBlocksTable, SearchPairsTable, SearchWordsTable } from "~/db/tables/search";
import type { SubmissionsTable } from "~/db/tables/submissions";
import { seconds } from "~/lib/durations";
import { pairsOf, searchWords } from "~/lib/search-words";
import { leastUuidAt, timeOfUuid } from "~/lib/uuid";

/**
 * A full block is followed by the next one. Larger ones make a search for what many have read more than it shows, smaller
 * ones make a search for what few have look into more of them: at a million submissions 2,000 costs some 5 ms either way.
 */
const BLOCK_SIZE = 2000;
/** By then every submission that was under way when a block became full has been stored in it. */
const UNDER_WAY_MS = seconds(2);

/** Gives a new submission its place, and when it is accepted, the words it is found by. In the transaction that stores it. */
export async function indexNewSubmission(
  trx: Write,
  row: Pick<SubmissionsTable, "id" | "kind" | "state" | "name" | "email">,
): Promise<void> {
  const block = await takePlace(trx, row);
  if (row.state === "accepted") await insertWords(trx, [{ ...row, block }]);
}

/** Makes submissions found that were accepted after they came; in the transaction that accepts them. Asked again, changes nothing. */
export async function indexAccepted(trx: Write, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await trx
    .selectFrom("submissions")
    .select(["id", "kind", "name", "email"])
    .select((row) =>
      row
        .selectFrom("search_blocks")
        .select("number")
        .whereRef("search_blocks.kind", "=", "submissions.kind")
        .whereRef("search_blocks.first_id", "<=", "submissions.id")
        .orderBy("first_id", "desc")
        .limit(1)
        .as("block"),
    )
    .where("id", "in", ids)
    .where("state", "=", "accepted")
    // The first block of a form begins with any id.
    .$narrowType<{ block: NotNull }>()
    .execute();
  await insertWords(trx, rows);
}

async function takePlace(trx: Write, { id, kind }: Pick<SubmissionsTable, "id" | "kind">): Promise<number> {
  const { number, filled } = await trx
    .updateTable("search_blocks")
    .set((row) => ({ filled: row("filled", "+", 1) }))
    .where("kind", "=", kind)
    .where("number", "=", (db) =>
      db
        .selectFrom("search_blocks as of")
        .select("of.number")
        .where("of.kind", "=", kind)
        .where("of.first_id", "<=", id)
        .orderBy("of.first_id", "desc")
        .limit(1),
    )
    .returning(["number", "filled"])
    .executeTakeFirstOrThrow();
  // Exactly one submission fills it up.
  if (filled === BLOCK_SIZE) {
    const next: SearchBlocksTable = {
      kind,
      number: number + 1,
      filled: 0,
      first_id: leastUuidAt(timeOfUuid(id) + UNDER_WAY_MS),
    };
    await trx
      .insertInto("search_blocks")
      .values(next)
      // An old id filled an old block: it has its next one already.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return number;
}

async function insertWords(
  trx: Write,
  rows: readonly (Pick<SubmissionsTable, "id" | "name" | "email"> & { block: number })[],
): Promise<void> {
  const words: SearchWordsTable[] = [];
  const pairs = new Map<string, SearchPairsTable>();
  for (const { id, name, email, block } of rows) {
    const all = searchWords({ name, email });
    const all_words = all.map((word) => ` ${word}`).join("");
    words.push(...all.map((word) => ({ block, word, submission_id: id, all_words })));
    for (const pair of pairsOf(all)) pairs.set(`${block} ${pair}`, { block, pair });
  }
  await insertNew(trx, "search_words", words);
  // In one order, so that no two who store the same ones wait for each other.
  const inOrder = [...pairs.values()].toSorted((a, b) => a.block - b.block || a.pair - b.pair);
  await insertNew(trx, "search_pairs", inOrder);
}

/** What is there stays as it is. */
async function insertNew<Name extends "search_words" | "search_pairs">(
  trx: Write,
  table: Name,
  rows: readonly Tables[Name][],
): Promise<void> {
  for (let at = 0; at < rows.length; at += 1000) {
    await trx
      .insertInto<"search_words" | "search_pairs">(table)
      .values(rows.slice(at, at + 1000))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Makes submissions no longer found; in the transaction that takes them out of sight. */
export async function forgetWords(trx: Write, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom("search_words").where("submission_id", "in", ids).execute();
}
