import { PostgresAdapter, sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { pairsOf } from "~/lib/search-words";

/** What the words of people are found by here. */
interface Words {
  search_blocks: { number: number };
  search_words: { block: number; all_words: string };
}

/**
 * For each block what two words of one submission in it begin with: a search for both looks into no block that has nobody who
 * could have them (docs/decisions/0018). That is what the initials beside each word were for.
 */
export const wordPairs: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    // On PostgreSQL the key goes with it.
    await schema.alterTable("search_words").dropColumn("initials").execute();
    if (isPostgres) {
      await sql`
        alter table search_words add constraint search_words_key
        primary key (block, word, submission_id) include (all_words)
      `.execute(db);
    }
    await schema
      .createTable("search_pairs")
      .addColumn("block", "integer", (column) => column.notNull())
      .addColumn("pair", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("search_pairs_key", ["block", "pair"])
      .$call((table) => (isPostgres ? table : table.modifyEnd(sql`without rowid`)))
      .execute();
    const before = db as Kysely<Words>;
    const each = isPostgres ? sql`json_array_elements_text` : sql`json_each`;
    const blocks = await before.selectFrom("search_blocks").select("number").execute();
    for (const { number } of blocks) {
      const words = before.selectFrom("search_words").select("all_words").where("block", "=", number);
      const people = await words.distinct().execute();
      const pairs = new Set(people.flatMap(({ all_words }) => pairsOf(all_words.trim().split(" "))));
      await sql`
        insert into search_pairs (block, pair)
        select ${sql.lit(number)}, cast(value as integer) from ${each}(${JSON.stringify([...pairs])})
      `.execute(db);
    }
  },
};
