import type { Database } from "~/db/database.server";
import type { Clock } from "~/services/clock";
import { sweepInPieces } from "~/services/sweep-in-pieces.server";
import { SAME_CONTENT_MS } from "./signups.server";

const CHUNK = 500;

/** Forgets what was sent so long ago that the same content counts as new again, in pieces. */
export async function sweepFingerprints(database: Database, clock: Clock): Promise<void> {
  const over = clock() - SAME_CONTENT_MS;
  await sweepInPieces(database, CHUNK, (trx) =>
    trx
      .deleteFrom("submission_fingerprints")
      .where("fingerprint", "in", (db) =>
        db
          .selectFrom("submission_fingerprints")
          .select("fingerprint")
          .where("seen_at", "<=", over)
          .limit(CHUNK),
      )
      // The same content may have been sent again this very moment.
      .where("seen_at", "<=", over)
      .executeTakeFirst(),
  );
}
