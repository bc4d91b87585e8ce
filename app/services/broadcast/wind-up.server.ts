import type { Database } from "~/db/database.server";
import { IS_DUE } from "~/services/outreach/leases.server";
import { CHUNK } from "./freeze.server";
import { skipPart } from "./platform-part.server";
import { finishIfSettled } from "./settle.server";

/**
 * Skips the next thousand waiting rows of a cancelled broadcast; what is in flight ends as it ends.
 * @returns whether there may be more to skip at once.
 */
export function windUpChunk(database: Database, broadcastId: string, now: number): Promise<boolean> {
  return database.write(async (trx) => {
    await skipPart(trx, broadcastId, now);
    const skipped = await trx
      .updateTable("pushes")
      .set({ state: "skipped", detail: "", updated_at: now })
      .where("id", "in", (db) =>
        db
          .selectFrom("pushes")
          .select("id")
          .where("broadcast_id", "=", broadcastId)
          .where(IS_DUE)
          .limit(CHUNK),
      )
      .executeTakeFirst();
    if (skipped.numUpdatedRows > 0n) return true;
    await finishIfSettled(trx, { dialect: database.dialect, now }, broadcastId);
    return false;
  });
}
