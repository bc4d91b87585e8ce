import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import { CHUNK } from "./freeze.server";
import { hasOpenRows } from "./sends.server";

/**
 * Skips the next thousand waiting rows of a cancelled send. Rows in flight end as they end; when none is left the send
 * is over.
 * @returns whether there may be more to skip at once.
 */
export async function windUpChunk(database: Database, sendId: string, now: number): Promise<boolean> {
  return database.write(async (trx) => {
    const skipped = await trx
      .updateTable("deliveries")
      .set({ state: "skipped", detail: "cancelled", updated_at: now })
      .where("id", "in", (db) =>
        db
          .selectFrom("deliveries")
          .select("id")
          .where("send_id", "=", sendId)
          .where(sql<boolean>`state in ('pending', 'retrying')`)
          .limit(CHUNK),
      )
      .executeTakeFirst();
    if (skipped.numUpdatedRows > 0n) return true;
    if (!(await hasOpenRows(trx, sendId))) {
      await trx.updateTable("sends").set({ finished_at: now }).where("id", "=", sendId).execute();
    }
    return false;
  });
}
