import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** What an account logs in with besides its password. Both go with the account. */
export const secondFactor: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable("second_factors")
      .addColumn("account_id", "text", (column) =>
        column.primaryKey().references("accounts.id").onDelete("cascade"),
      )
      .addColumn("sealed_secret", "text", (column) => column.notNull())
      .addColumn("begun_at", "bigint", (column) => column.notNull())
      .addColumn("confirmed_at", "bigint")
      .addColumn("last_step", "bigint", (column) => column.notNull())
      .execute();

    await schema
      .createTable("recovery_codes")
      .addColumn("account_id", "text", (column) =>
        column.notNull().references("accounts.id").onDelete("cascade"),
      )
      .addColumn("code_hash", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("recovery_codes_key", ["account_id", "code_hash"])
      .execute();
  },
};
