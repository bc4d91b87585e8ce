import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { inquiryWords } from "~/lib/search-words";
import { isPostgres, runStatements } from "../run-statements";

/** Inquiries that are indexed at a time. */
const BATCH = 1000;

/** Creates the index of the words of inquiries (docs/decisions/0018), and fills it with those there are. */
export const inquirySearch: Migration = {
  up: async (db) => {
    const onPostgres = isPostgres(db);
    await runStatements(db, onPostgres ? ON_POSTGRES : ON_SQLITE);
    await indexInquiries(db, onPostgres);
    // Faster than row by row.
    await runStatements(db, onPostgres ? INDEX_ON_POSTGRES : INDEX_ON_SQLITE);
  },
};

const ON_POSTGRES = [
  `create table inquiry_documents (
    submission_id text primary key references submissions (id) on delete cascade,
    words text not null
  )`,
];

const INDEX_ON_POSTGRES = [
  `create index inquiry_documents_words on inquiry_documents
    using gin (array_to_tsvector(string_to_array(words, ' ')))`,
];

const ON_SQLITE = [
  `create table inquiry_documents (
    n integer primary key,
    submission_id text not null unique references submissions (id) on delete cascade,
    words text not null
  )`,
  `create virtual table search_index_inquiries using fts5 (
    submission_id unindexed, words, content = 'inquiry_documents', content_rowid = 'n',
    prefix = '3', detail = none, columnsize = 0,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
  )`,
];

const INDEX_ON_SQLITE = [
  `insert into search_index_inquiries (search_index_inquiries) values ('rebuild')`,
  `insert into search_index_inquiries (search_index_inquiries, rank) values ('secure-delete', 1)`,
  `create trigger inquiry_documents_insert after insert on inquiry_documents begin
    insert into search_index_inquiries (rowid, submission_id, words) values (new.n, new.submission_id, new.words);
  end`,
  `create trigger inquiry_documents_delete after delete on inquiry_documents begin
    insert into search_index_inquiries (search_index_inquiries, rowid, submission_id, words)
    values ('delete', old.n, old.submission_id, old.words);
  end`,
];

interface Inquiry {
  id: string;
  /** Its place in the index of SQLite, taken over from search_documents. */
  n: number | null;
  name: string;
  email: string;
  message: string;
}

async function indexInquiries(db: Kysely<unknown>, onPostgres: boolean): Promise<void> {
  const n = onPostgres ? sql`null` : sql`search_documents.n`;
  for (let last = ""; ;) {
    const { rows } = await sql<Inquiry>`
      select submissions.id, ${n} as n, name, email, message
      from submissions join search_documents on submission_id = submissions.id
      where kind = 'contact-form' and state = 'accepted' and submissions.id > ${last}
      order by submissions.id limit ${BATCH}
    `.execute(db);
    if (rows.length === 0) return;
    last = rows.at(-1)?.id ?? "";
    const documents = rows.map(({ id, n: place, ...inquiry }) => {
      const words = `\u0002 ${inquiryWords(inquiry).join(" ")}`;
      return onPostgres ? sql`(${id}, ${words})` : sql`(${place}, ${id}, ${words})`;
    });
    const columns = onPostgres ? sql`submission_id, words` : sql`n, submission_id, words`;
    await sql`insert into inquiry_documents (${columns}) values ${sql.join(documents)}`.execute(db);
  }
}
