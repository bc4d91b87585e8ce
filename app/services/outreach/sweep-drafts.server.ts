import type { Database } from "~/db/database.server";
import { days } from "~/lib/durations";
import type { Clock } from "~/services/clock";

/** A mail nobody went on writing for so long is thrown away. */
export const DRAFT_KEPT_MS = days(30);
const CHUNK = 500;

/** Throws abandoned drafts away, in pieces. What was confirmed is no draft any more and stays; a draft has no deliveries. */
export async function sweepDrafts(database: Database, clock: Clock): Promise<void> {
  const abandoned = clock() - DRAFT_KEPT_MS;
  for (;;) {
    const { numDeletedRows } = await database.write((trx) =>
      trx
        .deleteFrom("sends")
        .where("id", "in", (db) =>
          db
            .selectFrom("sends")
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
    if (numDeletedRows < CHUNK) return;
  }
}
