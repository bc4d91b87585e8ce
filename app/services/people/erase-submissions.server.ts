import type { Write } from "~/db/database.server";
import { forgetCopies } from "~/services/mirrors/mirror-queue.server";
import { addToCount, addToDays, cameAt } from "~/services/signups/submission-counts.server";

/**
 * Erases submissions whatever became of them, and keeps the counts. Their consents and the words they are found by go with
 * them (on delete cascade). @returns how many of them were still there.
 */
export async function eraseSubmissions(trx: Write, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await trx
    .deleteFrom("submissions")
    .where("id", "in", ids)
    .returning(["id", "kind", "state", "created_at", "deletion_id"])
    .execute();
  if (rows.length === 0) return 0;
  const gone = rows.map((row) => row.id);
  await trx.deleteFrom("submission_fingerprints").where("submission_id", "in", gone).execute();
  await forgetCopies(trx, gone);
  for (const [, some] of Map.groupBy(rows, ({ kind, state }) => `${kind} ${state}`)) {
    const [first] = some;
    if (!first) continue;
    const { kind, state } = first;
    await addToCount(trx, { kind, state }, -some.length);
    if (state === "accepted") await addToDays(trx, kind, cameAt(some), -1);
  }
  for (const [id, some] of Map.groupBy(rows, (row) => row.deletion_id)) {
    if (id !== null) await takeFromDeletion(trx, id, some.length);
  }
  return rows.length;
}

/** What was erased can no longer be brought back; a deletion with nothing left is over. */
async function takeFromDeletion(trx: Write, id: string, by: number): Promise<void> {
  await trx
    .updateTable("deletions")
    .set((row) => ({ count: row("count", "-", by) }))
    .where("id", "=", id)
    .execute();
  await trx.deleteFrom("deletions").where("id", "=", id).where("count", "<=", 0).execute();
}
