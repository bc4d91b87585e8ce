import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import type { SubmissionsTable } from "~/db/tables";

/** Keeps the counts, in the transaction of what changes them. `by` may be negative. */
export async function addToCount(
  trx: Write,
  { kind, state }: Pick<SubmissionsTable, "kind" | "state">,
  by: number,
): Promise<void> {
  await trx
    .insertInto("submission_counts")
    .values({ kind, state, count: by })
    .onConflict((conflict) =>
      conflict.columns(["kind", "state"]).doUpdateSet({ count: sql`submission_counts.count + ${by}` }),
    )
    .execute();
}
