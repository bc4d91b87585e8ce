import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** When a send begins, what it waits for, and how many mails went out on a day. */
export const pace: Migration = {
  async up({ schema }: Kysely<unknown>) {
    const sends = () => schema.alterTable("sends");
    // One column a statement: SQLite takes no more.
    await sends()
      .addColumn("waits_for", "text", (column) => column.notNull().defaultTo(""))
      .execute();
    await sends()
      .addColumn("when_missed", "text", (column) => column.notNull().defaultTo(""))
      .execute();
    await sends()
      .addColumn("latest_answers", "integer", (column) => column.notNull().defaultTo(0))
      .execute();

    await schema
      .createTable("mail_days")
      .addColumn("day", "text", (column) => column.primaryKey())
      .addColumn("mails", "bigint", (column) => column.notNull())
      .execute();
  },
};
