import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** What the platform does with a broadcast: at most one row each, written with its confirmation. */
export const platformBroadcasts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("platform_broadcasts")
      .addColumn("broadcast_id", "text", (column) => column.primaryKey())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("success_count", "bigint", (column) => column.notNull())
      .addColumn("failure_count", "bigint", (column) => column.notNull())
      .addColumn("detail", "text", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("not_before", "bigint", (column) => column.notNull())
      .addColumn("asked_until", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("platform_broadcasts_by_state")
      .on("platform_broadcasts")
      .column("state")
      .execute();
  },
};
