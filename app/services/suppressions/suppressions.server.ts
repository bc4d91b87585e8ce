import type { Database, Write } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import type { Clock } from "~/services/clock";

export type Unsubscription = { ok: true; address: string } | { ok: false; error: "unknown-link" };

/**
 * The address of this mail gets no mail any more: acts at once and for good, and again as often as it is asked
 * (RFC 8058). Resolved means on disk.
 * @param alongside written with it when the address was not suppressed before, such as the audit.
 */
export function unsubscribe(
  { database, clock }: { database: Database; clock: Clock },
  deliveryId: string,
  alongside: (trx: Write, address: string) => Promise<void> = async () => undefined,
): Promise<Unsubscription> {
  return database.write(async (trx): Promise<Unsubscription> => {
    const delivery = await trx
      .selectFrom("deliveries")
      .select(["address", "email_key"])
      .where("id", "=", deliveryId)
      .executeTakeFirst();
    if (!delivery) return { ok: false, error: "unknown-link" };
    const { address, email_key } = delivery;
    const added = await trx
      .insertInto("suppressions")
      .values({ email_key, reason: "unsubscribed", delivery_id: deliveryId, created_at: clock() })
      .onConflict((conflict) => conflict.column("email_key").doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows) await alongside(trx, address);
    return { ok: true, address };
  });
}

export async function isSuppressed(database: Database, address: string): Promise<boolean> {
  const row = await database.read
    .selectFrom("suppressions")
    .select("email_key")
    .where("email_key", "=", emailKey(address))
    .executeTakeFirst();
  return row !== undefined;
}
