import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Copies of submissions elsewhere: what waits to be written there, what stands there, and how each sheet fares. */
export const mirrors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("mirror_rows")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("place", "bigint")
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("fingerprint", "text", (column) => column.notNull())
      .addColumn("detail", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("mirror_rows_places")
      .unique()
      .on("mirror_rows")
      .columns(["kind", "place"])
      .where(sql<boolean>`place is not null`)
      .execute();
    // The few that are not done with: written out in queries as it stands here.
    await db.schema
      .createIndex("mirror_rows_open")
      .on("mirror_rows")
      .columns(["kind", "state", "id"])
      .where(sql<boolean>`state in ('waiting', 'writing', 'uncertain', 'refused', 'left')`)
      .execute();

    await db.schema
      .createTable("mirror_sheets")
      .addColumn("kind", "text", (column) => column.primaryKey())
      .addColumn("target", "text", (column) => column.notNull().defaultTo(""))
      .addColumn("connected_at", "bigint")
      .addColumn("written_at", "bigint")
      .addColumn("checked_at", "bigint")
      .addColumn("drifted", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("is_repair_asked", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("trouble", "text", (column) => column.notNull().defaultTo(""))
      .addColumn("detail", "text", (column) => column.notNull().defaultTo(""))
      .addColumn("not_before", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("lease_owner", "text", (column) => column.notNull().defaultTo(""))
      .addColumn("lease_until", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`insert into mirror_sheets (kind) values ('early-access'), ('contact-form'), ('updates-signup')`.execute(
      db,
    );
  },
};
