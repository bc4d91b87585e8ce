import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Submissions per day, what their tables are filtered and sorted by, and rows that were deleted but can still come back. */
export const submissionTables: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema.alterTable("submissions").dropConstraint("submissions_state").execute();
    await schema
      .alterTable("submissions")
      .addCheckConstraint(
        "submissions_state",
        sql`state in ('accepted', 'quarantined', 'unconfirmed', 'deleted')`,
      )
      .execute();

    await schema
      .createTable("submission_days")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("day", "bigint", (column) => column.notNull())
      .addColumn("count", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("submission_days_key", ["kind", "day"])
      .execute();
    await sql`
      insert into submission_days (kind, day, count)
      select kind, created_at - created_at % 86400000, count(*) from submissions where state = 'accepted' group by 1, 2
    `.execute(db);

    const index = (name: string) => schema.createIndex(name).on("submissions");
    await index("submissions_by_role")
      .columns(["kind", "state", "role", "id"])
      .where(sql<boolean>`role <> ''`)
      .execute();
    await index("submissions_by_inquiry")
      .columns(["kind", "state", "inquiry_type", "id"])
      .where(sql<boolean>`inquiry_type <> ''`)
      .execute();
    await index("submissions_by_name")
      .columns(["kind", "state"])
      .expression(sql`lower(name)`)
      .column("id")
      .execute();

    await schema
      .createTable("deletions")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("deleted_by", "text", (column) => column.notNull())
      .addColumn("deleted_at", "bigint", (column) => column.notNull())
      .addColumn("count", "bigint", (column) => column.notNull())
      .execute();
    await schema.alterTable("submissions").addColumn("deletion_id", "text").execute();
    await index("submissions_deleted")
      .columns(["deletion_id", "id"])
      .where(sql<boolean>`deletion_id is not null`)
      .execute();
  },
};
