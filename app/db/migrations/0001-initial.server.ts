import { sql } from "kysely";
import type { Kysely, CreateTableBuilder } from "kysely";
import type { Migration } from "kysely/migration";

/** `bigint` is an integer on both databases; text is unlimited on both. */
export const initial: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    const table = (name: string) => schema.createTable(name);

    await table("secrets")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("value", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();

    await text(
      table("accounts").addColumn("id", "text", (column) => column.primaryKey()),
      "full_name",
      "role",
      "password_hash",
    )
      .addColumn("email", "text", (column) => column.notNull().unique())
      .addColumn("password_is_temporary", "integer", (column) => column.notNull())
      .addColumn("password_expires_at", "bigint")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("last_login_at", "bigint")
      .addCheckConstraint("accounts_role", sql`role in ('admin', 'superadmin')`)
      .execute();

    await text(
      table("sessions").addColumn("id_hash", "text", (column) => column.primaryKey()),
      "user_agent",
      "network",
    )
      .addColumn("account_id", "text", (column) =>
        column.notNull().references("accounts.id").onDelete("cascade"),
      )
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("last_seen_at", "bigint", (column) => column.notNull())
      .execute();
    await schema.createIndex("sessions_account").on("sessions").column("account_id").execute();

    await table("attempts")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("count", "integer", (column) => column.notNull())
      .addColumn("resets_at", "bigint", (column) => column.notNull())
      .execute();
    await schema.createIndex("attempts_resets_at").on("attempts").column("resets_at").execute();

    await text(
      table("submissions").addColumn("id", "text", (column) => column.primaryKey()),
      "kind",
      "state",
      "quarantine_reason",
      "name",
      "email",
      "email_key",
      "company",
      "role",
      "inquiry_type",
      "message",
    )
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addCheckConstraint("submissions_kind", sql`kind in ('early-access', 'contact-form', 'updates-signup')`)
      .addCheckConstraint("submissions_state", sql`state in ('accepted', 'quarantined')`)
      .execute();
    await schema
      .createIndex("submissions_listing")
      .on("submissions")
      .columns(["kind", "state", "id"])
      .execute();
    // The distinct addresses of a group, from the index alone, and which signup of an address came first.
    await schema
      .createIndex("submissions_audience")
      .on("submissions")
      .columns(["kind", "state", "email_key", "id"])
      .execute();

    await table("submission_fingerprints")
      .addColumn("fingerprint", "text", (column) => column.primaryKey())
      .addColumn("submission_id", "text", (column) => column.notNull())
      .addColumn("seen_at", "bigint", (column) => column.notNull())
      .execute();

    await text(table("submission_counts"), "kind", "state")
      .addColumn("count", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("submission_counts_key", ["kind", "state"])
      .execute();

    await text(table("consents"), "email_key", "form", "wording", "wording_version", "network")
      .addColumn("submission_id", "text", (column) =>
        column.primaryKey().references("submissions.id").onDelete("cascade"),
      )
      .addColumn("given_at", "bigint", (column) => column.notNull())
      .execute();

    await text(
      table("suppressions").addColumn("email_key", "text", (column) => column.primaryKey()),
      "reason",
    )
      .addColumn("delivery_id", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();

    await text(
      table("sends").addColumn("id", "text", (column) => column.primaryKey()),
      "state",
      "audience",
      "title",
      "message",
      "test_address",
      "created_by",
      "prepared_through",
      "audience_through",
      "trouble",
    )
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("confirmed_at", "bigint")
      .addColumn("finished_at", "bigint")
      .addColumn("resume_at", "bigint", (column) => column.notNull())
      .execute();
    await schema.createIndex("sends_state").on("sends").columns(["state", "id"]).execute();

    await text(
      table("deliveries").addColumn("id", "text", (column) => column.primaryKey()),
      "address",
      "email_key",
      "name",
      "message_id",
      "state",
      "detail",
      "lease_owner",
    )
      .addColumn("send_id", "text", (column) => column.notNull().references("sends.id").onDelete("cascade"))
      .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("not_before", "bigint", (column) => column.notNull())
      .addColumn("lease_until", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addUniqueConstraint("deliveries_once_per_address", ["send_id", "email_key"])
      .execute();
    // What may be claimed, due retries before first tries; claimed rows, to find the ones whose lease ran out.
    await schema
      .createIndex("deliveries_due")
      .on("deliveries")
      .columns(["send_id", "not_before desc", "id"])
      .where(sql<boolean>`state in ('pending', 'retrying')`)
      .execute();
    await schema
      .createIndex("deliveries_claimed")
      .on("deliveries")
      .column("lease_until")
      .where(sql<boolean>`state = 'claimed'`)
      .execute();
    await schema
      .createIndex("deliveries_books")
      .on("deliveries")
      .columns(["send_id", "state", "id"])
      .execute();

    await text(
      table("outbox_mails").addColumn("id", "text", (column) => column.primaryKey()),
      "to_address",
      "subject",
      "file",
    )
      .addColumn("message_id", "text", (column) => column.notNull().unique())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();

    await text(
      table("audit").addColumn("id", "text", (column) => column.primaryKey()),
      "actor",
      "action",
      "subject",
      "outcome",
      "network",
      "request_id",
    )
      .addColumn("at", "bigint", (column) => column.notNull())
      .execute();
  },
};

/** Adds text columns that are never null: what is absent is the empty string. */
function text<Table extends string, Column extends string>(
  builder: CreateTableBuilder<Table, Column>,
  ...names: string[]
): CreateTableBuilder<Table, string> {
  return names.reduce<CreateTableBuilder<Table, string>>(
    (next, name) => next.addColumn(name, "text", (column) => column.notNull()),
    builder,
  );
}
