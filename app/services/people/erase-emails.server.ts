import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { clearAttempts } from "~/services/attempts/attempts.server";
import { getFormAttemptsKey } from "~/services/signups/signups.server";
import { ERASED } from "~/services/suppressions/suppressions.server";
import { listDeliveries } from "./person-rows.server";

/** Returns whether an email of any queued kind is being handed over to this address. */
export async function isEmailInProgress(read: Read, email_key: string): Promise<boolean> {
  const [emails, confirmation] = await Promise.all([
    listDeliveries(read, email_key),
    read.selectFrom("confirmations").select("state").where("email_key", "=", email_key).executeTakeFirst(),
  ]);
  return confirmation?.state === "claimed" || emails.some(({ state }) => state === "claimed");
}

/**
 * Removes the person from everything that was or will be sent to them: deliveries stay without the address, so
 * that the totals add up; those not sent count as skipped.
 * @returns false, with nothing changed, while an email to them is being handed over.
 */
export async function eraseEmails(trx: Write, email_key: string, now: number): Promise<boolean> {
  // The locks keep deliveries from being added or claimed until this transaction ends.
  await trx
    .selectFrom("campaigns")
    .select("id")
    .where("state", "=", "preparing")
    .orderBy("id")
    .forUpdate()
    .execute();
  const emails = await listDeliveries(trx, email_key);
  const ids = toIds(emails);
  if (ids.length > 0)
    await trx.selectFrom("deliveries").select("id").where("id", "in", ids).forUpdate().execute();
  await trx.selectFrom("confirmations").select("id").where("email_key", "=", email_key).forUpdate().execute();
  if (await isEmailInProgress(trx, email_key)) return false;
  if (ids.length > 0) {
    await trx
      .updateTable("deliveries")
      .set({
        address: ERASED,
        name: "",
        email_key: sql<string>`'erased ' || id`,
        updated_at: now,
        // Responses of mail servers often name the address; the reason of a skipped delivery is our own.
        detail: sql<string>`case state when 'sent' then '' when 'skipped' then detail else ${ERASED} end`,
        state: sql<"sent" | "skipped">`case state when 'sent' then 'sent' else 'skipped' end`,
      })
      .where("id", "in", ids)
      .execute();
    await clearPauseReason(trx, emails, email_key);
  }
  await eraseReports(trx, emails, email_key);
  await trx.deleteFrom("confirmations").where("email_key", "=", email_key).execute();
  await trx
    .updateTable("campaigns")
    .set({ test_address: "" })
    .where(sql<string>`lower(test_address)`, "=", email_key)
    .execute();
  await clearAttempts(trx, getFormAttemptsKey(email_key));
  await keepOnlyOptOut(trx, email_key);
  return true;
}

type Deliveries = Awaited<ReturnType<typeof listDeliveries>>;

const toIds = (emails: Deliveries) => emails.map(({ id }) => id);
const toCampaignIds = (emails: Deliveries) => [...new Set(emails.map((email) => email.campaign_id))];

/** Clears the reason of a stopped campaign: it quotes the mail server, which may name the address. */
async function clearPauseReason(trx: Write, emails: Deliveries, email_key: string): Promise<void> {
  const paused = await trx
    .selectFrom("campaigns")
    .select(["id", "problem"])
    .where("id", "in", toCampaignIds(emails))
    .where("problem", "!=", "")
    .execute();
  for (const { id, problem } of paused) {
    const text = problem.toLowerCase();
    if (!text.includes(email_key)) continue;
    const cleared = { problem: text.replaceAll(email_key, ERASED) };
    await trx.updateTable("campaigns").set(cleared).where("id", "=", id).execute();
  }
}

/** Keeps a report under its hash, so that the same report, sent again, changes nothing. */
async function eraseReports(trx: Write, emails: Deliveries, email_key: string): Promise<void> {
  const erased = { address: ERASED, reason: "" };
  await trx
    .updateTable("bounces")
    .set(erased)
    .where(sql<string>`lower(address)`, "=", email_key)
    .execute();
  if (emails.length === 0) return;
  // A forwarded email bounces from another address of theirs.
  await trx
    .updateTable("bounces")
    .set(erased)
    .where("campaign_id", "in", toCampaignIds(emails))
    .where("delivery_id", "in", toIds(emails))
    .execute();
}

/**
 * Keeps only the opt-out of a person who unsubscribed. Without it, the next address list imported elsewhere, or
 * the next form filled in for them, would start emails to them again.
 */
async function keepOnlyOptOut(trx: Write, email_key: string): Promise<void> {
  await trx
    .deleteFrom("suppressions")
    .where("email_key", "=", email_key)
    .where("opted_out", "=", 0)
    .execute();
  await trx
    .updateTable("suppressions")
    .where("email_key", "=", email_key)
    .set({
      detail: "",
      delivery_id: null,
      address: email_key,
      reason: sql<
        "complained" | "unsubscribed"
      >`case reason when 'complained' then reason else 'unsubscribed' end`,
    })
    .execute();
}
