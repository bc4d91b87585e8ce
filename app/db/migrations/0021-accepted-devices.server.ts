import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Since when a device is known to work, what push services say of us in a row, and first tries before second ones. */
export const acceptedDevices: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema.alterTable("devices").addColumn("first_accepted_at", "bigint").execute();
    await sql`
      update devices set first_accepted_at = accepted.first_at
      from (
        select device_id, min(updated_at) as first_at from pushes where state = 'accepted' group by device_id
      ) as accepted
      where accepted.device_id = devices.id
    `.execute(db);
    await schema
      .alterTable("broadcasts")
      .addColumn("service_refusals", "text", (column) => column.notNull().defaultTo("{}"))
      .execute();
    await schema.dropIndex("pushes_due").execute();
    await schema
      .createIndex("pushes_due")
      .on("pushes")
      .columns(["broadcast_id", "not_before", "id"])
      .where(sql<boolean>`state in ('pending', 'retrying')`)
      .execute();
  },
};
