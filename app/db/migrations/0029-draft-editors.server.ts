import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Who saved a draft last, so that nobody replaces a colleague's text unknowingly. */
export const draftEditors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("sends")
      .addColumn("touched_by", "text", (column) => column.notNull().defaultTo(""))
      .execute();
  },
};
