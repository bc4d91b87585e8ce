import type { Database } from "~/db/database.server";
import { days } from "~/lib/durations";
import type { Clock } from "./clock";
import { sweepInPieces } from "./sweep-in-pieces.server";

/** What nobody went on writing for so long is thrown away. */
export const DRAFT_KEPT_MS = days(30);
const CHUNK = 500;

/**
 * Throws abandoned drafts of mails or notifications away, in pieces. What was confirmed is no draft any more and stays; a
 * draft has no rows in a ledger.
 */
export async function sweepDrafts(
  database: Database,
  table: "campaigns" | "broadcasts",
  clock: Clock,
): Promise<void> {
  const abandoned = clock() - DRAFT_KEPT_MS;
  // Both have the columns named here, so that it may be typed as if there were one only.
  const drafts = table as "campaigns";
  await sweepInPieces(database, CHUNK, (trx) =>
    trx
      .deleteFrom(drafts)
      .where("id", "in", (db) =>
        db
          .selectFrom(drafts)
          .select("id")
          .where("state", "=", "draft")
          .where("touched_at", "<=", abandoned)
          .limit(CHUNK),
      )
      // It may have been confirmed or saved this very moment.
      .where("state", "=", "draft")
      .where("touched_at", "<=", abandoned)
      .executeTakeFirst(),
  );
}
