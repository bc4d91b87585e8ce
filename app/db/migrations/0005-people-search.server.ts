import { PostgresAdapter, sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { searchWords } from "~/lib/search-words";
import type { Tables } from "../tables";
import type { SearchBlocksTable } from "../tables/search";
import type { SubmissionKind } from "../tables/submissions";

/** As it was then. */
interface SearchWordsTable {
  kind: SubmissionKind;
  block: number;
  word: string;
  submission_id: string;
}
type TablesThen = Omit<Tables, "search_words"> & { search_words: SearchWordsTable };

const BLOCK_SIZE = 2000;
const PIECE = 1000;

/** The words people are found by, in blocks (docs/decisions/0018), of those who are there already too. */
export const peopleSearch: Migration = {
  async up(db: Kysely<TablesThen>) {
    const { schema } = db;
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;

    await schema
      .createTable("search_blocks")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("number", "integer", (column) => column.notNull())
      .addColumn("first_id", "text", (column) => column.notNull())
      .addColumn("filled", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("search_blocks_key", ["kind", "number"])
      .execute();
    await schema
      .createIndex("search_blocks_first")
      .on("search_blocks")
      .columns(["kind", "first_id"])
      .unique()
      .execute();

    await schema
      .createTable("search_words")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("block", "integer", (column) => column.notNull())
      // In the order of code points, in which words that begin alike stand together; SQLite has no other order.
      .addColumn("word", isPostgres ? sql`text collate "C"` : "text", (column) => column.notNull())
      .addColumn("submission_id", "text", (column) =>
        column.notNull().references("submissions.id").onDelete("cascade"),
      )
      .addPrimaryKeyConstraint("search_words_key", ["kind", "block", "word", "submission_id"])
      .$call((table) => (isPostgres ? table : table.modifyEnd(sql`without rowid`)))
      .execute();
    // To forget the words of a submission that is deleted.
    await schema.createIndex("search_words_submission").on("search_words").column("submission_id").execute();

    // The outbox is looked through from the newest mail on.
    await schema
      .createIndex("outbox_mails_newest")
      .on("outbox_mails")
      .columns(["created_at", "id"])
      .execute();

    await findThoseWhoAreThere(db);
  },
};

async function findThoseWhoAreThere(db: Kysely<TablesThen>): Promise<void> {
  const blocks: SearchBlocksTable[] = (["early-access", "contact-form", "updates-signup"] as const).map(
    (kind) => ({ kind, number: 1, first_id: "", filled: 0 }),
  );
  const newest = new Map(blocks.map((block) => [block.kind, block]));

  for (let last = ""; ;) {
    const rows = await db
      .selectFrom("submissions")
      .select(["id", "kind", "state", "name", "email"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(PIECE)
      .execute();
    const words: SearchWordsTable[] = [];
    for (const { id, kind, state, name, email } of rows) {
      let block = newest.get(kind);
      if (!block || block.filled === BLOCK_SIZE) {
        block = { kind, number: (block?.number ?? 0) + 1, first_id: id, filled: 0 };
        blocks.push(block);
        newest.set(kind, block);
      }
      block.filled += 1;
      if (state !== "accepted") continue;
      for (const word of searchWords({ name, email })) {
        words.push({ kind, block: block.number, word, submission_id: id });
      }
    }
    await insertInPieces(db, "search_words", words);
    if (rows.length < PIECE) break;
    last = rows.at(-1)?.id ?? "";
  }
  await insertInPieces(db, "search_blocks", blocks);
}

async function insertInPieces<Table extends "search_blocks" | "search_words">(
  db: Kysely<TablesThen>,
  table: Table,
  rows: readonly TablesThen[Table][],
): Promise<void> {
  for (let at = 0; at < rows.length; at += PIECE) {
    await db
      .insertInto<"search_blocks" | "search_words">(table)
      .values(rows.slice(at, at + PIECE))
      .execute();
  }
}
