import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** What the quarantine and the sweeps read by. */
export const quarantine: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;

    await schema.alterTable("submissions").addColumn("admitted_at", "bigint").execute();
    // What waits, by reason and form, newest first and counted from the index alone. Accepted rows cost it nothing.
    await schema
      .createIndex("submissions_quarantine")
      .on("submissions")
      .columns(["quarantine_reason", "kind", "id"])
      .where(sql<boolean>`state = 'quarantined'`)
      .execute();

    await schema
      .createIndex("submission_fingerprints_submission")
      .on("submission_fingerprints")
      .column("submission_id")
      .execute();
    await schema
      .createIndex("submission_fingerprints_seen_at")
      .on("submission_fingerprints")
      .column("seen_at")
      .execute();

    await schema
      .alterTable("sends")
      .addColumn("touched_at", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update sends set touched_at = created_at`.execute(db);
  },
};
