import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Tokens for the API, and what was answered to calls that carried an Idempotency-Key. */
export const apiTokens: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable("api_tokens")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account_id", "text", (column) =>
        column.notNull().references("accounts.id").onDelete("cascade"),
      )
      .addColumn("account_role", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("prefix", "text", (column) => column.notNull())
      .addColumn("token_hash", "text", (column) => column.notNull().unique())
      .addColumn("scopes", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint")
      .addColumn("last_used_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .execute();
    await schema.createIndex("api_tokens_account").on("api_tokens").columns(["account_id", "id"]).execute();
    // A call is looked up by what anybody may see of its token; the secret part is compared in constant time.
    await schema.createIndex("api_tokens_prefix").on("api_tokens").column("prefix").execute();

    await schema
      .createTable("idempotency_keys")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("fingerprint", "text", (column) => column.notNull())
      .addColumn("reference", "text", (column) => column.notNull())
      .addColumn("outcome", "text")
      .addColumn("claimed_at", "bigint", (column) => column.notNull())
      .execute();
    await schema
      .createIndex("idempotency_keys_claimed_at")
      .on("idempotency_keys")
      .column("claimed_at")
      .execute();
  },
};
