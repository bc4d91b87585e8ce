import type { Database, Write } from "~/db/database.server";
import type { PushState } from "~/db/tables/broadcast";
import type { Clock } from "~/services/clock";
import { judgeAnew } from "./circuit";
import { CHUNK } from "./snapshot-audience.server";
import { lockBroadcast } from "./ledger.server";
import { movingState } from "./steering";
import type { Steering } from "./steering";

/**
 * Has rows that ended badly tried again from the start, and lets the broadcast go on, judged anew. In pieces, so that no
 * write holds the process for long; stopped half way, asking again does the rest.
 * @param states of the rows; those that are gone have devices only while the circuit keeps them.
 */
export async function tryAgain(
  { database, clock }: { database: Database; clock: Clock },
  id: string,
  states: readonly PushState[],
  alongside: (trx: Write) => Promise<void>,
): Promise<Steering> {
  for (let isFirst = true; ; isFirst = false) {
    const piece = await database.write(async (trx): Promise<Steering & { changed?: bigint }> => {
      const broadcast = await lockBroadcast(trx, database.dialect, id);
      if (!broadcast || broadcast.state === "draft") return { ok: false, error: "unknown-broadcast" };
      if (broadcast.state === "cancelled") return { ok: false, error: "wrong-state" };
      const { numUpdatedRows: changed } = await trx
        .updateTable("pushes")
        .set({ state: "pending", attempts: 0, not_before: 0, detail: "", updated_at: clock() })
        .where("id", "in", (db) =>
          db
            .selectFrom("pushes")
            .select("id")
            .where("broadcast_id", "=", id)
            .where("state", "in", states)
            .limit(CHUNK),
        )
        .executeTakeFirst();
      if (isFirst && changed === 0n && broadcast.state === "finished") {
        return { ok: false, error: "wrong-state" };
      }
      if (isFirst) {
        await alongside(trx);
        const goesOn = { ...judgeAnew(broadcast), trouble: "", stopped_by: "" as const, finished_at: null };
        await trx
          .updateTable("broadcasts")
          .set({ ...goesOn, state: movingState(broadcast) })
          .where("id", "=", id)
          .execute();
      }
      return { ok: true, changed };
    });
    if (!piece.ok) return piece;
    if ((piece.changed ?? 0n) < CHUNK) return { ok: true };
  }
}
