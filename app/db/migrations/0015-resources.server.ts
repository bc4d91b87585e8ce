import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** How the server's resources were, and when there was too little of them. */
export const resources: Migration = {
  async up({ schema }: Kysely<unknown>) {
    // Its key is what its rows are asked for: those of one instance and step, in the order of time.
    await schema
      .createTable("resource_samples")
      .addColumn("instance", "text", (column) => column.notNull())
      .addColumn("step", "bigint", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("samples", "integer", (column) => column.notNull())
      .addColumn("cpu", "double precision", (column) => column.notNull())
      .addColumn("cpu_peak", "double precision", (column) => column.notNull())
      .addColumn("memory", "double precision", (column) => column.notNull())
      .addColumn("memory_peak", "double precision", (column) => column.notNull())
      .addColumn("disk", "double precision", (column) => column.notNull())
      .addColumn("inbound", "double precision", (column) => column.notNull())
      .addColumn("outbound", "double precision", (column) => column.notNull())
      .addColumn("meetings", "double precision")
      .addPrimaryKeyConstraint("resource_samples_key", ["instance", "step", "at"])
      .execute();
    // For what is over, of all instances.
    await schema.createIndex("resource_samples_age").on("resource_samples").columns(["step", "at"]).execute();

    await schema
      .createTable("resource_incidents")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("instance", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("began_at", "bigint", (column) => column.notNull())
      .addColumn("ended_at", "bigint")
      .addColumn("peak", "double precision", (column) => column.notNull())
      .addColumn("mailed_at", "bigint")
      .execute();
  },
};
