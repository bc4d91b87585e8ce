import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The order in which submissions joined the audience of their kind, which ids and times do not give: they are taken before
 * the commit, by the clock of any instance (docs/decisions/0061). What is there already was there from the beginning: 0.
 * And what the audit knows of the confirmed content.
 */
export const audiencePositions: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    for (const table of ["submissions", "submission_counts", "sends"]) {
      await schema
        .alterTable(table)
        .addColumn("audience_position", "bigint", (column) => column.notNull().defaultTo(0))
        .execute();
    }
    await schema
      .alterTable("sends")
      .addColumn("counted", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await schema
      .alterTable("audit")
      .addColumn("content_hash", "text", (column) => column.notNull().defaultTo(""))
      .execute();
    // An audience is counted up to a position from the index alone.
    await schema.dropIndex("submissions_audience").execute();
    await schema
      .createIndex("submissions_audience")
      .on("submissions")
      .columns(["kind", "state", "email_key", "id", "audience_position"])
      .execute();
  },
};
