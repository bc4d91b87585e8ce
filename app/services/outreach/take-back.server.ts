import type { Database } from "~/db/database.server";
import type { Clock } from "~/services/clock";
import type { Mailer } from "~/services/mail/mailer";
import { interrupted } from "./ending";
import type { Claimed, Holder } from "./ledger.server";
import { recordEndings, takeOver } from "./ledger.server";

const CHUNK = 100;

/**
 * Settles the rows of instances that are gone. Such a row was in flight or not yet begun; which, only the mailer may
 * know. What was never begun was never sent, so that sending it again is no duplicate: duplicates are at most the mails
 * in flight at the crash, each with its first Message-ID.
 * @param has.resendAfterCrash whether a mail that perhaps arrived is sent again; otherwise an admin decides.
 * @param earlierLives also those of this instance's name from before its start, whatever their lease.
 */
export async function takeBack(
  has: { database: Database; mailer: Mailer; clock: Clock; resendAfterCrash: boolean; holder: Holder },
  earlierLives: boolean,
): Promise<void> {
  const { database, clock, holder } = has;
  for (;;) {
    const rows = await database.write((trx) =>
      takeOver(trx, holder, { earlierLives, limit: CHUNK, now: clock() }),
    );
    if (rows.length === 0) return;
    const cancelled = await cancelledAmong(database, rows);
    const endings = await Promise.all(
      rows.map(async (row) => {
        // Whether a cancelled mail arrived is for an admin to say: it is not sent again to make sure.
        const mayRepeat = has.resendAfterCrash && !cancelled.has(row.send_id);
        const known = await has.mailer.knows(row.message_id);
        return { id: row.id, ending: interrupted(row, { known, mayRepeat, now: clock() }) };
      }),
    );
    await database.write((trx) => recordEndings(trx, holder.owner, endings, clock()));
  }
}

async function cancelledAmong(database: Database, rows: readonly Claimed[]): Promise<Set<string>> {
  const sends = await database.read
    .selectFrom("sends")
    .select("id")
    .where("id", "in", [...new Set(rows.map((row) => row.send_id))])
    .where("state", "=", "cancelled")
    .execute();
  return new Set(sends.map(({ id }) => id));
}
