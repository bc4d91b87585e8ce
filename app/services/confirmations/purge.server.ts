import type { Database } from "~/db/database.server";
import { days } from "~/lib/durations";
import { addToCount } from "~/services/signups/submission-counts.server";
import { CONFIRMED_KIND, LINK_LIFE_MS } from "./asking";

/** How long a signup is kept whose link expired unused; its owner can still ask for a new one until then. */
const KEPT_UNANSWERED_MS = days(30);
const BATCH = 500;

/**
 * Removes signups nobody confirmed, with their consents, and what was asked about them, a batch a write.
 * @returns how many signups were removed.
 */
export async function purgeUnanswered(database: Database, now: number): Promise<number> {
  const askedBefore = now - LINK_LIFE_MS - KEPT_UNANSWERED_MS;
  let removed = 0;
  for (;;) {
    const batch = await database.write(async (trx) => {
      const unanswered = trx
        .selectFrom("confirmations")
        .select("email_key")
        .where("confirmed_at", "is", null)
        .where("asked_at", "<=", askedBefore);
      const { numDeletedRows } = await trx
        .deleteFrom("submissions")
        .where("id", "in", (db) =>
          db
            .selectFrom("submissions")
            .select("id")
            .where("kind", "=", CONFIRMED_KIND)
            .where("state", "=", "unconfirmed")
            .where("email_key", "in", unanswered)
            .limit(BATCH),
        )
        .executeTakeFirst();
      const signups = Number(numDeletedRows);
      if (signups > 0) {
        await addToCount(trx, { kind: CONFIRMED_KIND, state: "unconfirmed" }, -signups);
        return { signups, more: true };
      }
      // Only now that no signup waits for them any more.
      const askings = await trx
        .deleteFrom("confirmations")
        .where("id", "in", unanswered.clearSelect().select("id").limit(BATCH))
        .where("asked_at", "<=", askedBefore)
        .executeTakeFirst();
      return { signups, more: askings.numDeletedRows > 0n };
    });
    removed += batch.signups;
    if (!batch.more) return removed;
  }
}
