import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import { isPostgres } from "~/db/run-statements";
import type { PeopleTable } from "~/db/tables/people";
import type { SubmissionsTable } from "~/db/tables/submissions";
import type { SubmissionKind } from "~/lib/form-fields";
import { inquiryWords, searchDocument } from "~/lib/search-words";
import { getUuidTime } from "~/lib/uuid";
import { sweepInChunks } from "~/services/sweep-in-chunks.server";

/*
 * What the search finds submissions and people by (docs/decisions/0018). A document is added in the transaction that
 * accepts a submission or changes a person, and removed in the one that hides or erases it. Removing its words from
 * SQLite's index takes 5 ms: of many documents only the ids are removed, so that nothing finds them, and a sweep does the
 * rest. Documents of inquiries, which are few, are always removed whole.
 */

/** Tables of documents of an address, a name and a company, with the index that SQLite has over each. */
export const DOCUMENTS = {
  submission_documents: "submission_index",
  people_documents: "people_index",
} as const;
export type Documents = keyof typeof DOCUMENTS;

/** Word that marks each form among the words of its submissions. Nobody can search for a control character. */
export const KIND_WORDS: Record<SubmissionKind, string> = {
  "early-access": "\u0002\u0002\u0002",
  "contact-form": "\u0003\u0003\u0003",
  "updates-signup": "\u0004\u0004\u0004",
};
/** Begins each document of an inquiry, so that every word has a space before it (`hasStart`). Nothing searches for it. */
const INQUIRY_BEGINNING = "\u0002";

interface SearchDocument {
  readonly id: string;
  readonly words: string;
}

type Indexed = Pick<SubmissionsTable, "id" | "kind" | "name" | "email" | "company" | "message">;

/** Adds submissions to the search, in the transaction that accepts them. Those that are in it stay. */
export async function indexSubmissions(trx: Write, submissions: readonly Indexed[]): Promise<void> {
  await addDocuments(trx, { table: "submission_documents", key: "id" }, submissions.map(toDocument));
  await indexInquiries(trx, submissions);
}

/**
 * Adds accepted submissions of an earlier version, and rewrites the documents that this version writes differently;
 * inquiries that have a document keep it.
 */
export async function reindexSubmissions(trx: Write, submissions: readonly Indexed[]): Promise<void> {
  const ids = submissions.map(({ id }) => id);
  await rewriteDocuments(trx, "submission_documents", ids, submissions.map(toDocument));
  await indexInquiries(trx, submissions);
}

const toDocument = ({ id, kind, ...submission }: Indexed): SearchDocument => ({
  id,
  words: KIND_WORDS[kind] + searchDocument(submission),
});

async function indexInquiries(trx: Write, submissions: readonly Indexed[]): Promise<void> {
  const inquiries = submissions
    .filter(({ kind }) => kind === "contact-form")
    .map((inquiry) => ({ id: inquiry.id, words: [INQUIRY_BEGINNING, ...inquiryWords(inquiry)].join(" ") }));
  await addDocuments(trx, { table: "inquiry_documents", key: "submission_id" }, inquiries);
}

/** Removes submissions from the search, in the transaction that hides them. */
export async function unindexSubmissions(trx: Write, ids: readonly string[]): Promise<void> {
  await removeDocuments(trx, "submission_documents", ids);
  await trx.deleteFrom("inquiry_documents").where("submission_id", "in", ids).execute();
}

type IndexedPerson = Pick<PeopleTable, "id" | "name" | "email" | "company" | "first_signup_at">;

/**
 * Rewrites the documents of people where they changed, in the transaction that changes the people. Whoever has no
 * accepted form has none: anybody could put words into the search.
 */
export async function indexPeople(trx: Write, people: readonly IndexedPerson[]): Promise<void> {
  const accepted = people.filter(({ first_signup_at }) => first_signup_at !== null);
  await rewriteDocuments(
    trx,
    "people_documents",
    people.map(({ id }) => id),
    accepted.map(({ id, ...person }) => ({ id, words: searchDocument(person) })),
  );
}

/** Gives those with these ids these documents, and rewrites only what changed. */
async function rewriteDocuments(
  trx: Write,
  table: Documents,
  ids: readonly string[],
  documents: readonly SearchDocument[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await trx.selectFrom(table).select(["id", "words"]).where("id", "in", ids).execute();
  const stored = new Map(rows.map(({ id, words }) => [id, words]));
  const current = new Map(documents.map(({ id, words }) => [id, words]));
  const changed = [...stored.keys()].filter(
    (id): id is string => id !== null && stored.get(id) !== current.get(id),
  );
  await removeDocuments(trx, table, changed);
  const added = documents.filter(({ id, words }) => stored.get(id) !== words);
  await addDocuments(trx, { table, key: "id" }, added);
}

/** Adds people who are new, and so have no document yet. */
export const indexNewPeople = (trx: Write, people: readonly IndexedPerson[]): Promise<void> =>
  addDocuments(
    trx,
    { table: "people_documents", key: "id" },
    people.map(({ id, ...person }) => ({ id, words: searchDocument(person) })),
  );

/** Removes people from the search, in the transaction that erases them. */
export const unindexPeople = (trx: Write, ids: readonly string[]): Promise<void> =>
  removeDocuments(trx, "people_documents", ids);

/** Removed documents whose words go at once: what somebody erases is gone with it. */
const FEW = 10;

async function removeDocuments(trx: Write, table: Documents, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  if (ids.length <= FEW) await trx.deleteFrom(table).where("id", "in", ids).execute();
  else await trx.updateTable(table).set({ id: null }).where("id", "in", ids).execute();
}

/** Removes the words of documents that were removed. */
export async function sweepDocuments(database: Pick<Database, "write">): Promise<void> {
  for (const table of Object.keys(DOCUMENTS) as Documents[]) {
    await sweepInChunks(database, FEW, async (trx) => {
      const key = isPostgres(trx) ? sql`ctid` : sql`n`;
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)}
        where ${key} in (select ${key} from ${sql.table(table)} where id is null limit ${sql.lit(FEW)})
      `.execute(trx);
      return Number(numAffectedRows);
    });
  }
}

type Place = { table: Documents; key: "id" } | { table: "inquiry_documents"; key: "submission_id" };

async function addDocuments(
  trx: Write,
  { table, key }: Place,
  documents: readonly SearchDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const [into, id] = [sql.table(table), sql.ref(key)];
  if (isPostgres(trx)) {
    const values = sql.join(documents.map((document) => sql`(${document.id}, ${document.words})`));
    await sql`insert into ${into} (${id}, words) values ${values} on conflict (${id}) do nothing`.execute(
      trx,
    );
    return;
  }
  // One by one, because each number follows the one before; rising, because FTS5 writes to the disk whenever they fall.
  for (const document of documents.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const first = toNumber(getUuidTime(document.id));
    // FTS5 reads in the order of `n`, which is that of the ids except within a millisecond.
    const n = sql`(
      select coalesce(max(n) + 1, ${first}) from ${into}
      where n >= ${first} and n < ${first} + ${sql.lit(NUMBERS_PER_MS)}
    )`;
    await sql`
      insert into ${into} (n, ${id}, words) values (${n}, ${document.id}, ${document.words})
      on conflict (${id}) do nothing
    `.execute(trx);
  }
}

/** Returns the least `n` of the millisecond of an id. */
export const getFirstNumber = (id: string) => toNumber(getUuidTime(id));

/** Returns the least `n` after the millisecond of an id. */
export const getNextNumber = (id: string) => toNumber(getUuidTime(id) + 1);

/** Documents of one millisecond are numbered consecutively. */
const NUMBERS_PER_MS = 1 << 15;
const toNumber = (time: number) => sql<number>`(cast(${time} as integer) * ${sql.lit(NUMBERS_PER_MS)})`;
