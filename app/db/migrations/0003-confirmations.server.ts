import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Signups that wait for the owner of their address, and the mails that ask them. */
export const confirmations: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema.alterTable("submissions").dropConstraint("submissions_state").execute();
    await schema
      .alterTable("submissions")
      .addCheckConstraint("submissions_state", sql`state in ('accepted', 'quarantined', 'unconfirmed')`)
      .execute();

    await schema
      .createTable("confirmations")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("email_key", "text", (column) => column.notNull().unique())
      .addColumn("asked_at", "bigint", (column) => column.notNull())
      .addColumn("confirmed_at", "bigint")
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("detail", "text", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("not_before", "bigint", (column) => column.notNull())
      .addColumn("lease_owner", "text", (column) => column.notNull())
      .addColumn("lease_until", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();
    // The same two as of the ledger: what may be claimed, and claimed rows, to find the ones whose lease ran out.
    await schema
      .createIndex("confirmations_due")
      .on("confirmations")
      .columns(["not_before desc", "id"])
      .where(sql<boolean>`state in ('pending', 'retrying')`)
      .execute();
    await schema
      .createIndex("confirmations_claimed")
      .on("confirmations")
      .column("lease_until")
      .where(sql<boolean>`state = 'claimed'`)
      .execute();
    // To find those nobody answered.
    await schema
      .createIndex("confirmations_unanswered")
      .on("confirmations")
      .column("asked_at")
      .where(sql<boolean>`confirmed_at is null`)
      .execute();
  },
};
