import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Browsers that take push messages. */
export const devices: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable("devices")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("token_hash", "text", (column) => column.notNull().unique())
      .addColumn("token", "text", (column) => column.notNull())
      .addColumn("uid", "text", (column) => column.notNull())
      .addColumn("app_type", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("endpoint", "text", (column) => column.notNull())
      .addColumn("p256dh", "text", (column) => column.notNull())
      .addColumn("auth", "text", (column) => column.notNull())
      .addColumn("scope", "text", (column) => column.notNull())
      .addColumn("public_key", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("first_seen_at", "bigint", (column) => column.notNull())
      .addColumn("last_seen_at", "bigint", (column) => column.notNull())
      .execute();
    // To find the one a visitor used longest ago.
    await schema
      .createIndex("devices_by_visitor")
      .on("devices")
      .columns(["uid", "last_seen_at", "id"])
      .execute();
  },
};
