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

/**
 * Notes addresses a mail server refused for good: they get no mail any more (hardening C20). That weighs more than having
 * unsubscribed, which a confirmed signup takes back.
 * @param refused `delivery_id` is null for a mail that was no outreach.
 */
export async function suppressRefused(
  trx: Write,
  refused: readonly { readonly email_key: string; readonly delivery_id: string | null }[],
  now: number,
): Promise<void> {
  if (refused.length === 0) return;
  // PostgreSQL takes no row twice in one statement.
  const once = new Map(refused.map((row) => [row.email_key, row]));
  await trx
    .insertInto("suppressions")
    .values([...once.values()].map((row) => ({ ...row, reason: "refused" as const, created_at: now })))
    .onConflict((conflict) => conflict.column("email_key").doUpdateSet({ reason: "refused" }))
    .execute();
}

/** Takes back an unsubscription; a refusal stays. */
export async function liftUnsubscription(trx: Write, email_key: string): Promise<void> {
  await trx
    .deleteFrom("suppressions")
    .where("email_key", "=", email_key)
    .where("reason", "=", "unsubscribed")
    .execute();
}
