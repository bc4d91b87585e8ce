import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import { isPostgres } from "~/db/run-statements";
import type { SubmissionsTable } from "~/db/tables/submissions";
import type { SubmissionKind } from "~/lib/form-fields";
import { inquiryWords, searchWords } from "~/lib/search-words";
import { getUuidTime } from "~/lib/uuid";

/** An index of words: a table with a document for each submission, and on SQLite the FTS5 index over it. */
export interface SearchIndex {
  readonly documents: "search_documents" | "inquiry_documents";
  readonly fts: "search_index" | "search_index_inquiries";
  /** Most documents whose words are compared, which takes some milliseconds: the longer they are, the fewer. */
  readonly maxCompared: number;
  /** Matches among these from which on a search counts as common, if there are older documents. */
  readonly commonAt: number;
}

/** All submissions, by the words of their sender. */
export const PEOPLE_INDEX: SearchIndex = {
  documents: "search_documents",
  fts: "search_index",
  maxCompared: 10_000,
  commonAt: Infinity,
};

/** Inquiries, by the words of their sender and of their text. */
export const INQUIRY_INDEX: SearchIndex = {
  documents: "inquiry_documents",
  fts: "search_index_inquiries",
  maxCompared: 5000,
  commonAt: 100,
};

/** Word that marks each form among the words of its submissions. Nobody can search for a control character. */
export const KIND_WORDS: Record<SubmissionKind, string> = {
  "early-access": "\u0001",
  "contact-form": "\u0002",
  "updates-signup": "\u0003",
};

type Indexed = Pick<SubmissionsTable, "id" | "kind" | "name" | "email" | "message">;

/** Adds submissions to the search indexes, in the transaction that accepts them. */
export async function indexSubmissions(trx: Write, submissions: readonly Indexed[]): Promise<void> {
  await addDocuments(trx, PEOPLE_INDEX, submissions, searchWords);
  const inquiries = submissions.filter(({ kind }) => kind === "contact-form");
  await addDocuments(trx, INQUIRY_INDEX, inquiries, inquiryWords);
}

/** Removes submissions from the search indexes, in the transaction that hides them. */
export async function unindexSubmissions(trx: Write, ids: readonly string[]): Promise<void> {
  for (const { documents } of [PEOPLE_INDEX, INQUIRY_INDEX]) {
    await trx.deleteFrom(documents).where("submission_id", "in", ids).execute();
  }
}

async function addDocuments(
  trx: Write,
  { documents: table }: SearchIndex,
  submissions: readonly Indexed[],
  getWords: (submission: Indexed) => string[],
): Promise<void> {
  if (submissions.length === 0) return;
  const documents = submissions.map((submission) => ({
    submission_id: submission.id,
    words: [KIND_WORDS[submission.kind], ...getWords(submission)].join(" "),
  }));
  if (isPostgres(trx)) {
    await trx.insertInto(table).values(documents).execute();
    return;
  }
  // One by one, because each number follows the one before.
  for (const { submission_id, words } of documents) {
    const first = toNumber(getUuidTime(submission_id));
    // FTS5 reads in the order of `n`, which is that of the ids except within a millisecond.
    const n = sql<number>`(
      select coalesce(max(n) + 1, ${first}) from ${sql.table(table)}
      where n >= ${first} and n < ${first} + ${sql.lit(NUMBERS_PER_MS)}
    )`;
    await trx.insertInto(table).values({ submission_id, words, n }).execute();
  }
}

/** Returns the least `n` of the millisecond of an id. */
export const getFirstNumber = (id: string) => toNumber(getUuidTime(id));

/** Returns the least `n` after the millisecond of an id. */
export const getNextNumber = (id: string) => toNumber(getUuidTime(id) + 1);

/** Documents of one millisecond are numbered consecutively. */
const NUMBERS_PER_MS = 1 << 15;
const toNumber = (time: number) => sql<number>`(cast(${time} as integer) * ${sql.lit(NUMBERS_PER_MS)})`;
