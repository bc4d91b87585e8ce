import type { Write } from "~/db/database.server";
import type { MirrorRowsTable } from "~/db/tables/mirrors";
import type { SubmissionKind } from "~/db/tables/submissions";

/**
 * What is to be copied elsewhere.
 *
 * Contract
 * - `add` is called in the transaction that makes submissions accepted, so that none is stored without its copy being owed.
 *   Asked again, nothing is copied twice.
 */
export interface MirrorQueue {
  add(trx: Write, kind: SubmissionKind, ids: readonly string[]): Promise<void>;
}

/** SUBMISSION_MIRROR=none: nothing is owed. */
export const noMirror: MirrorQueue = { add: async () => undefined };

export const mirrorQueue: MirrorQueue = {
  async add(trx, kind, ids) {
    if (ids.length === 0) return;
    const rows = ids.map((id): MirrorRowsTable => ({ ...NEW, id, kind }));
    await trx
      .insertInto("mirror_rows")
      .values(rows)
      // Its submission was deleted and came back: the row has its place already.
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ state: "waiting" }))
      .execute();
  },
};

const NEW = { place: null, state: "waiting", fingerprint: "", detail: "" } as const;

/**
 * In the transaction that takes submissions out of sight, whatever mirror there is or was: what was not written is not
 * written any more, and what was is to be emptied.
 */
export async function forgetCopies(trx: Write, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom("mirror_rows").where("id", "in", ids).where("place", "is", null).execute();
  await trx.updateTable("mirror_rows").set({ state: "waiting", detail: "" }).where("id", "in", ids).execute();
}
