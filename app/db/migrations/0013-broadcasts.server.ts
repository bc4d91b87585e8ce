import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Companies, push messages to many devices, and the ledger of who got them. */
export const broadcasts: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable("tenants")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("domain", "text", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();

    await schema.alterTable("devices").addColumn("tenant_id", "text").execute();
    // An audience is counted from an index alone.
    await schema.createIndex("devices_by_app").on("devices").columns(["kind", "app_type"]).execute();
    await schema
      .createIndex("devices_by_tenant")
      .on("devices")
      .columns(["kind", "tenant_id"])
      .where(sql<boolean>`tenant_id is not null`)
      .execute();

    let broadcasts = schema
      .createTable("broadcasts")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("tenant_id", "text");
    for (const text of [
      ...(["state", "audience", "tenant_name", "title", "body", "link"] as const),
      ...(["created_by", "prepared_through", "audience_through", "trouble", "stopped_by"] as const),
    ]) {
      broadcasts = broadcasts.addColumn(text, "text", (column) => column.notNull());
    }
    await broadcasts
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("touched_at", "bigint", (column) => column.notNull())
      .addColumn("confirmed_at", "bigint")
      .addColumn("finished_at", "bigint")
      .addColumn("answers", "integer", (column) => column.notNull())
      .addColumn("refusals", "integer", (column) => column.notNull())
      .execute();
    await schema.createIndex("broadcasts_state").on("broadcasts").columns(["state", "id"]).execute();

    let pushes = schema
      .createTable("pushes")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("broadcast_id", "text", (column) =>
        column.notNull().references("broadcasts.id").onDelete("cascade"),
      );
    for (const text of ["device_id", "service", "state", "detail", "lease_owner"] as const) {
      pushes = pushes.addColumn(text, "text", (column) => column.notNull());
    }
    await pushes
      .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("not_before", "bigint", (column) => column.notNull())
      .addColumn("lease_until", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();
    // As of deliveries: what may be claimed, what is claimed, and the books.
    await schema
      .createIndex("pushes_due")
      .on("pushes")
      .columns(["broadcast_id", "not_before desc", "id"])
      .where(sql<boolean>`state in ('pending', 'retrying')`)
      .execute();
    await schema
      .createIndex("pushes_claimed")
      .on("pushes")
      .column("lease_until")
      .where(sql<boolean>`state = 'claimed'`)
      .execute();
    await schema.createIndex("pushes_books").on("pushes").columns(["broadcast_id", "state", "id"]).execute();
  },
};
