import { PostgresAdapter, sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** The server's log: its lines, how many there are of each level and hour, and where it begins and ends. */
export const logs: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    await schema
      .createTable("log_lines")
      // In SQLite exactly this type makes the id the row's own place, so that the table is in its order.
      .addColumn("id", isPostgres ? "bigint" : "integer", (column) => column.primaryKey())
      .addColumn("at", "bigint")
      .addColumn("level", "text", (column) => column.notNull())
      .addColumn("line", "text", (column) => column.notNull())
      .execute();
    await schema
      .createIndex("log_lines_by_level")
      .on("log_lines")
      .columns(isPostgres ? ["level", "id"] : ["level"])
      .execute();
    await schema
      .createTable("log_hours")
      .addColumn("hour", "bigint", (column) => column.notNull())
      .addColumn("level", "text", (column) => column.notNull())
      .addColumn("lines", "bigint", (column) => column.notNull())
      .addColumn("bytes", "bigint", (column) => column.notNull())
      .addColumn("least_id", "bigint", (column) => column.notNull())
      .addColumn("greatest_id", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("log_hours_key", ["hour", "level"])
      .execute();
    await schema
      .createTable("log_state")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("next_id", "bigint", (column) => column.notNull())
      .addColumn("first_id", "bigint", (column) => column.notNull())
      .addColumn("swept_id", "bigint", (column) => column.notNull())
      .execute();
    await sql`insert into log_state (id, next_id, first_id, swept_id) values (1, 1, 1, 1)`.execute(db);
  },
};
