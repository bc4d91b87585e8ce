import { PostgresAdapter, sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Suppressions as a list that people read, search and correct, and what mail servers report after a mail was sent. */
export const suppressions: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    for (const name of ["id", "address", "detail"]) {
      await schema
        .alterTable("suppressions")
        .addColumn(name, "text", (column) => column.notNull().defaultTo(""))
        .execute();
    }
    await schema
      .alterTable("suppressions")
      .addColumn("opted_out", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    // Ids of the rows there are sort before all new ones, in the order of their time.
    await sql`
      update suppressions set
        id = numbered.id,
        address = coalesce((select address from deliveries where deliveries.id = delivery_id), suppressions.email_key),
        detail = coalesce((select detail from deliveries where deliveries.id = delivery_id and state = 'failed'), ''),
        opted_out = case when reason = 'unsubscribed' then 1 else 0 end
      from (
        select email_key, '00000000-0000-7000-8000-' ||
          cast(100000000000 + row_number() over (order by created_at, email_key) as text) as id
        from suppressions
      ) as numbered
      where numbered.email_key = suppressions.email_key
    `.execute(db);

    // Newest first, with what else a row may be asked for, so that those that do not match are not looked at.
    const index = (name: string) => schema.createIndex(name).on("suppressions");
    await index("suppressions_newest").columns(["id", "reason", "email_key"]).execute();
    await index("suppressions_by_reason").columns(["reason", "id", "email_key"]).execute();
    // For what an address begins with: byte by byte, whatever the database's own order of letters is.
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const inBytes = isPostgres ? sql`email_key collate "C"` : sql`email_key`;
    await sql`create index suppressions_search on suppressions (${inBytes}, reason, id)`.execute(db);

    await schema
      .createTable("bounces")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("permanent", "integer", (column) => column.notNull())
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("send_id", "text")
      .addColumn("delivery_id", "text")
      .addColumn("happened_at", "bigint", (column) => column.notNull())
      .addColumn("received_at", "bigint", (column) => column.notNull())
      .execute();
    // The books of a send, and of one of its rows.
    await schema
      .createIndex("bounces_of_send")
      .on("bounces")
      .columns(["send_id", "delivery_id", "type", "permanent"])
      .where(sql<boolean>`send_id is not null`)
      .execute();
  },
};
