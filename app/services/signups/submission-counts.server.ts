import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import type { SubmissionsTable } from "~/db/tables";

/** Keeps the number of submissions of a kind and state, in the transaction that makes or changes them. */
export async function changeCount(
  trx: Write,
  { kind, state }: Pick<SubmissionsTable, "kind" | "state">,
  by: number,
): Promise<void> {
  if (by === 0) return;
  await trx
    .insertInto("submission_counts")
    .values({ kind, state, count: by })
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "state"])
        .doUpdateSet({ count: sql`submission_counts.count + excluded.count` }),
    )
    .execute();
}
