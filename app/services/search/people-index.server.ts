import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import { prepareQuery } from "~/db/prepared-query";
import { isPostgres } from "~/db/run-statements";
import type { SubmissionKind, SubmissionsTable } from "~/db/tables/submissions";
import { searchWords } from "~/lib/search-words";
import { getUuidTime } from "~/lib/uuid";

/** Word that marks each form among the words of its submissions. Nobody can search for a control character. */
export const KIND_WORDS: Record<SubmissionKind, string> = {
  "early-access": "\u0001",
  "contact-form": "\u0002",
  "updates-signup": "\u0003",
};

/** Adds submissions to the search index, in the transaction that accepts them. */
export async function indexPeople(
  trx: Write,
  submissions: readonly Pick<SubmissionsTable, "id" | "kind" | "name" | "email">[],
): Promise<void> {
  if (submissions.length === 0) return;
  const documents = submissions.map(({ id, kind, name, email }) => ({
    submission_id: id,
    words: [KIND_WORDS[kind], ...searchWords({ name, email })].join(" "),
  }));
  if (isPostgres(trx)) {
    await trx.insertInto("search_documents").values(documents).execute();
    return;
  }
  // One by one, because each number follows the one before.
  for (const { submission_id, words } of documents) {
    await insertDocument(trx, { submission_id, words, time: getUuidTime(submission_id) });
  }
}

/** `time` is the millisecond of the id. */
type NewDocument = { submission_id: string; words: string; time: number };

const insertDocument = prepareQuery((db, { submission_id, words, time }: NewDocument) =>
  db.insertInto("search_documents").values({
    submission_id,
    words,
    // FTS5 reads in the order of `n`, which is that of the ids except within a millisecond.
    n: sql<number>`(
      select coalesce(max(n) + 1, ${toNumber(time)}) from search_documents
      where n >= ${toNumber(time)} and n < ${toNumber(time)} + ${sql.lit(NUMBERS_PER_MS)}
    )`,
  }),
);

/** Removes submissions from the search index, in the transaction that hides them. */
export async function unindexPeople(trx: Write, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom("search_documents").where("submission_id", "in", ids).execute();
}

/** Returns the least `n` after the millisecond of an id. */
export const getNextNumber = (id: string) => toNumber(getUuidTime(id) + 1);

/** Documents of one millisecond are numbered consecutively. */
const NUMBERS_PER_MS = 1 << 15;
const toNumber = (time: number) => sql<number>`(cast(${time} as integer) * ${sql.lit(NUMBERS_PER_MS)})`;
