import type { Database } from "~/db/database.server";
import { days } from "~/lib/durations";
import { sweepInPieces } from "~/services/sweep-in-pieces.server";
import { eraseSubmissions } from "~/services/submissions/submission-states.server";
import { CONFIRMED_KIND, LINK_LIFE_MS } from "./asking";

/** How long a signup is kept whose link expired unused; its owner can still ask for a new one until then. */
const KEPT_UNANSWERED_MS = days(30);
const CHUNK = 500;

/**
 * Removes signups nobody confirmed, with their consents, and what was asked about them, in pieces.
 * @returns how many signups were removed.
 */
export async function purgeUnanswered(database: Database, now: number): Promise<number> {
  const askedBefore = now - LINK_LIFE_MS - KEPT_UNANSWERED_MS;
  const unanswered = database.read
    .selectFrom("confirmations")
    .select("email_key")
    .where("confirmed_at", "is", null)
    .where("asked_at", "<=", askedBefore);
  const signups = await sweepInPieces(database, CHUNK, async (trx) => {
    const some = await trx
      .selectFrom("submissions")
      .select("id")
      .where("kind", "=", CONFIRMED_KIND)
      .where("state", "=", "unconfirmed")
      .where("email_key", "in", unanswered)
      .limit(CHUNK)
      .execute();
    const ids = some.map(({ id }) => id);
    return { numDeletedRows: BigInt(await eraseSubmissions(trx, ids, "unconfirmed")) };
  });
  // Only now that no signup waits for them any more.
  await sweepInPieces(database, CHUNK, (trx) =>
    trx
      .deleteFrom("confirmations")
      .where("id", "in", unanswered.clearSelect().select("id").limit(CHUNK))
      .where("asked_at", "<=", askedBefore)
      .executeTakeFirst(),
  );
  return signups;
}
