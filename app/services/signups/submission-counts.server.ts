import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import type { SubmissionKind, SubmissionsTable } from "~/db/tables/submissions";
import { startOfDay } from "~/lib/utc-day";

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

/**
 * Keeps the number of accepted submissions of each day, in the transaction of what accepts them or takes them away.
 * @param cameAt when each of them came.
 * @param by 1 for what is accepted now, -1 for what no longer is.
 */
export async function addToDays(
  trx: Write,
  kind: SubmissionKind,
  cameAt: readonly number[],
  by: 1 | -1,
): Promise<void> {
  const days = Map.groupBy(cameAt, startOfDay);
  if (days.size === 0) return;
  await trx
    .insertInto("submission_days")
    .values(
      [...days].map(([day, rows]) => ({ kind, day, count: by * rows.length })).sort((a, b) => a.day - b.day),
    )
    .onConflict((conflict) =>
      conflict.columns(["kind", "day"]).doUpdateSet({ count: sql`submission_days.count + excluded.count` }),
    )
    .execute();
}

/** When rows came, for addToDays. */
export const cameAt = (rows: readonly { readonly created_at: number }[]): number[] =>
  rows.map((row) => row.created_at);
