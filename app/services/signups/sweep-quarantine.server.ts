import type { Database } from "~/db/database.server";
import { sweepInPieces } from "~/services/sweep-in-pieces.server";
import { purgeRows } from "./quarantine.server";
import { SUBMISSION_KINDS } from "./submission-kinds";

/** Of each form: more than anybody looks through, and some 100 MB. */
export const QUARANTINED_AT_MOST = 100_000;
const CHUNK = 500;

/** Purges what waits longest in quarantine where more does than anybody will look through, in pieces (hardening R36). */
export async function sweepQuarantine(database: Database, atMost = QUARANTINED_AT_MOST): Promise<void> {
  for (const kind of SUBMISSION_KINDS) {
    await sweepInPieces(database, CHUNK, async (trx) => {
      const row = await trx
        .selectFrom("submission_counts")
        .select("count")
        .where("kind", "=", kind)
        .where("state", "=", "quarantined")
        .executeTakeFirst();
      const oldest = await trx
        .selectFrom("submissions")
        .select("id")
        .where("kind", "=", kind)
        .where("state", "=", "quarantined")
        .orderBy("id")
        .limit(Math.min(CHUNK, Math.max(0, (row?.count ?? 0) - atMost)))
        .execute();
      const ids = oldest.map(({ id }) => id);
      return { numDeletedRows: BigInt(ids.length > 0 ? await purgeRows(trx, ids) : 0) };
    });
  }
}
