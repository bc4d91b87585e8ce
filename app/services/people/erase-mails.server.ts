import { sql } from "kysely";
import type { Database, Read, Write } from "~/db/database.server";
import { forgetAttempts } from "~/services/attempts/attempts.server";
import { triesKey } from "~/services/signups/signups.server";
import { ERASED } from "./erased";
import { mailsOf } from "./person-rows.server";

/** Whether a mail to this address is being handed over, of any kind that is kept in a queue. */
export async function isMailUnderWay(read: Read, email_key: string): Promise<boolean> {
  const [mails, confirmation] = await Promise.all([
    mailsOf(read, email_key),
    read.selectFrom("confirmations").select("state").where("email_key", "=", email_key).executeTakeFirst(),
  ]);
  return confirmation?.state === "claimed" || mails.some(({ state }) => state === "claimed");
}

/**
 * Takes the person out of everything that was sent to them or is to be: rows of the ledger stay without them, so that the
 * totals add up; what was not sent counts as skipped.
 * @returns false, and nothing was changed, while a mail to them is under way.
 */
export async function eraseMails(
  trx: Write,
  dialect: Database["dialect"],
  email_key: string,
  now: number,
): Promise<boolean> {
  // Nobody is copied into the ledger, and none of their rows claimed, before this transaction ends.
  if (dialect === "postgres") {
    await trx
      .selectFrom("campaigns")
      .select("id")
      .where("state", "=", "preparing")
      .orderBy("id")
      .forUpdate()
      .execute();
    const rows = await mailsOf(trx, email_key);
    if (rows.length > 0)
      await trx.selectFrom("deliveries").select("id").where("id", "in", idsOf(rows)).forUpdate().execute();
    await trx
      .selectFrom("confirmations")
      .select("id")
      .where("email_key", "=", email_key)
      .forUpdate()
      .execute();
  }
  if (await isMailUnderWay(trx, email_key)) return false;
  const mails = await mailsOf(trx, email_key);
  const ids = idsOf(mails);
  if (ids.length > 0) {
    await trx
      .updateTable("deliveries")
      .set({
        address: ERASED,
        name: "",
        email_key: sql<string>`'erased ' || id`,
        updated_at: now,
        // In a mail server's words, which often name the address; of a skipped row it is a reason of ours.
        detail: sql<string>`case state when 'sent' then '' when 'skipped' then detail else ${ERASED} end`,
        state: sql<"sent" | "skipped">`case state when 'sent' then 'sent' else 'skipped' end`,
      })
      .where("id", "in", ids)
      .execute();
    await forgetTrouble(
      trx,
      mails.map((mail) => mail.campaign_id),
      email_key,
    );
  }
  await eraseReports(trx, mails, email_key);
  await trx.deleteFrom("confirmations").where("email_key", "=", email_key).execute();
  await trx
    .updateTable("campaigns")
    .set({ test_address: "" })
    .where(sql<string>`lower(test_address)`, "=", email_key)
    .execute();
  await forgetAttempts(trx, triesKey(email_key));
  await keepOptOutAlone(trx, email_key);
  return true;
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** A refusal that stopped a campaign is kept in the mail server's words. */
async function forgetTrouble(trx: Write, campaignIds: readonly string[], email_key: string): Promise<void> {
  const troubled = await trx
    .selectFrom("campaigns")
    .select(["id", "trouble"])
    .where("id", "in", campaignIds)
    .where("trouble", "!=", "")
    .execute();
  for (const { id, trouble } of troubled) {
    const words = trouble.toLowerCase().split(email_key);
    if (words.length === 1) continue;
    await trx
      .updateTable("campaigns")
      .set({ trouble: words.join(ERASED) })
      .where("id", "=", id)
      .execute();
  }
}

/** A report stays under the hash it is known by, so that the same one, sent again, changes nothing. */
async function eraseReports(
  trx: Write,
  mails: readonly { readonly id: string; readonly campaign_id: string }[],
  email_key: string,
): Promise<void> {
  const nothing = { address: ERASED, reason: "" };
  await trx
    .updateTable("bounces")
    .set(nothing)
    .where(sql<string>`lower(address)`, "=", email_key)
    .execute();
  if (mails.length === 0) return;
  // A mail that was forwarded comes back from another address of theirs.
  await trx
    .updateTable("bounces")
    .set(nothing)
    .where("campaign_id", "in", [...new Set(mails.map((mail) => mail.campaign_id))])
    .where("delivery_id", "in", idsOf(mails))
    .execute();
}

/**
 * Who asked for no more mail is kept for that, and for nothing else: without it the next file of addresses that is imported
 * elsewhere, or the next form somebody fills in for them, would have them written to again.
 */
async function keepOptOutAlone(trx: Write, email_key: string): Promise<void> {
  const row = () => trx.updateTable("suppressions").where("email_key", "=", email_key);
  await trx
    .deleteFrom("suppressions")
    .where("email_key", "=", email_key)
    .where("opted_out", "=", 0)
    .execute();
  await row()
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
