import { PostgresAdapter, sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Where the blocks of each form count on from, so that a number alone says which block it is. */
const OFFSETS = { "early-access": 0, "contact-form": 500_000_000, "updates-signup": 1_000_000_000 };

/**
 * Beside each word of a submission all of its words and what they begin with, in the index that is read for the one word: who
 * has several of them is told without looking up the others (docs/decisions/0018).
 */
export const allWords: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const codePoint = sql.raw(isPostgres ? "ascii" : "unicode");
    const words = isPostgres ? sql`text collate "C"` : sql`text`;

    // Names of letters that fold into many: all of such words do not fit into a row of an index of PostgreSQL. The address does.
    await sql`
      delete from search_words where submission_id in (
        select submission_id from search_words group by submission_id having sum(octet_length(word)) > 1200
      ) and word <> (select email_key from submissions where id = submission_id)
    `.execute(db);
    await schema.alterTable("search_words").renameTo("search_words_before").execute();
    await schema
      .createTable("search_words")
      .addColumn("block", "integer", (column) => column.notNull())
      .addColumn("word", words, (column) => column.notNull())
      .addColumn("submission_id", "text", (column) =>
        column.notNull().references("submissions.id").onDelete("cascade"),
      )
      .addColumn("initials", "integer", (column) => column.notNull())
      .addColumn("all_words", words, (column) => column.notNull())
      .$call((table) =>
        isPostgres
          ? table
          : table
              .addPrimaryKeyConstraint("search_words_key", ["block", "word", "submission_id"])
              .modifyEnd(sql`without rowid`),
      )
      .execute();
    for (const [kind, offset] of Object.entries(OFFSETS)) {
      const [form, by] = [sql.lit(kind), sql.lit(offset)];
      await sql`update search_blocks set number = number + ${by} where kind = ${form}`.execute(db);
      const ofSame = sql`from search_words_before as each where each.submission_id = one.submission_id`;
      await sql`
        insert into search_words (block, word, submission_id, initials, all_words)
        select block + ${by}, word, submission_id,
          (select sum(distinct 1 << (${codePoint}(each.word) % 31)) ${ofSame}),
          (select ' ' || string_agg(each.word, ' ') ${ofSame})
        from search_words_before as one where kind = ${form} order by block, word, submission_id
      `.execute(db);
    }
    await schema.dropTable("search_words_before").execute();
    if (isPostgres) {
      await sql`
        alter table search_words add constraint search_words_key
        primary key (block, word, submission_id) include (initials, all_words)
      `.execute(db);
    }
    // To forget the words of a submission that is deleted.
    await schema.createIndex("search_words_submission").on("search_words").column("submission_id").execute();
  },
};
