import type { Database } from "~/db/database.server";
import type { Clock } from "~/services/clock";
import type { Mailer } from "~/services/mail/mailer";
import { interrupted } from "./ending";
import { markResent, recordEndings } from "./leases.server";
import type { Holder } from "./leases.server";
import { takeOver } from "./ledger.server";
import type { Claimed } from "./ledger.server";

const CHUNK = 100;

/**
 * Settles the rows of instances that are gone, and of our own those whose claim was committed without our hearing of it.
 * Such a row was in flight at the crash, or claimed a moment before and not begun: which of the two, only the mailer may
 * know. What was not begun was not sent, so that sending it now is no duplicate.
 * @param has.resendAfterCrash whether a mail that perhaps arrived is sent again, once; otherwise an admin decides.
 * @param whose.earlierLives also the rows of this instance's name from before its start, whatever their lease.
 */
export async function takeBack(
  has: { database: Database; mailer: Mailer; clock: Clock; resendAfterCrash: boolean; holder: Holder },
  whose: { held: readonly string[]; earlierLives: boolean },
): Promise<void> {
  const { database, clock, holder } = has;
  for (;;) {
    const rows = await database.write((trx) =>
      takeOver(trx, holder, { ...whose, limit: CHUNK, now: clock() }),
    );
    if (rows.length === 0) return;
    const cancelled = await cancelledAmong(database, rows);
    const endings = await Promise.all(
      rows.map(async (row) => {
        // Whether a cancelled mail arrived is for an admin to say: it is not sent again to make sure.
        const mayResend = has.resendAfterCrash && !cancelled.has(row.send_id);
        const known = await has.mailer.knows(row.message_id);
        return { row, ending: interrupted(row, { known, mayResend, now: clock() }) };
      }),
    );
    const resent = endings.filter(({ ending }) => ending.isResend).map(({ row }) => row.id);
    await database.write(async (trx) => {
      await markResent(trx, "deliveries", holder.owner, resent);
      await recordEndings(trx, "deliveries", holder.owner, endings, clock());
    });
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
