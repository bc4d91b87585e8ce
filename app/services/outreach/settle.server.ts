import type { Write } from "~/db/database.server";
import { suppress } from "~/services/suppressions/suppressions.server";
import type { NewId } from "~/services/ids.server";
import type { DeliveryResult, ClaimedDelivery } from "./delivery-result";
import { isRefusedByNearlyAll, countRefusals, addAnswers } from "./latest-answers";
import type { Dialect } from "~/services/queue/leases.server";
import type { Backoff } from "~/services/queue/backoff";
import type { OpenCampaign } from "./campaigns.server";
import { openCampaigns } from "./campaigns.server";
import { rejoinAudiences } from "~/services/signups/audience-position.server";
import { statusBlamesRecipient } from "./delivery-result";
import type { Finished } from "~/services/queue/job-type";

/**
 * Records what results mean for their addresses and sends. May be run again.
 * @returns the campaigns there is something to do for, as they are after it.
 */
export async function settle(
  trx: Write,
  by: { dialect: Dialect; newId: NewId; backoff: Backoff; now: number },
  finished: readonly FinishedDelivery[],
): Promise<OpenCampaign[]> {
  const { dialect, newId, backoff, now } = by;
  const campaigns = await openCampaigns(trx);
  let changed = false;
  for (const campaign of campaigns) {
    const results = finished.filter(({ row }) => row.campaign_id === campaign.id).map(({ result }) => result);
    const latest_answers = await latestAnswersAfter(trx, dialect, campaign, results);
    const change = changeBy(campaign, { results, latest_answers }, backoff, now);
    if (!change) continue;
    changed = true;
    const { numUpdatedRows } = await trx
      .updateTable("campaigns")
      .set({ ...change, ...(latest_answers !== campaign.latest_answers && { latest_answers }) })
      .where("id", "=", campaign.id)
      .where("state", "in", ["preparing", "sending"])
      .executeTakeFirst();
    const isStopped = change.waits_for === "refusals" && numUpdatedRows === 1n;
    if (isStopped) await liftGuesses(trx, campaign.id, countRefusals(latest_answers));
  }
  const refused = await getBlamed(trx, finished);
  await suppress(
    trx,
    newId,
    "refused",
    refused.map(({ row, result }) => ({ address: row.address, detail: result.detail, deliveryId: row.id })),
    now,
  );
  return changed ? openCampaigns(trx) : campaigns;
}

/**
 * What rows taught about the mail server: a login it does not accept, or one that refuses nearly everybody, pauses the
 * send until an admin goes on; a server that cannot be reached makes the campaign wait; an answer to any recipient ends the
 * trouble.
 */
function changeBy(
  campaign: OpenCampaign,
  { results, latest_answers }: { results: readonly DeliveryResult[]; latest_answers: number },
  backoff: Backoff,
  now: number,
): Partial<Pick<OpenCampaign, "state" | "trouble" | "waits_for" | "resume_at">> | undefined {
  const troubles = results.flatMap(({ server }) => (typeof server === "object" ? [server] : []));
  const unauthorized = troubles.find(({ trouble }) => trouble === "unauthorized");
  const unreachable = troubles.find(({ trouble }) => trouble === "unreachable");
  const answers = results.some(({ server }) => server === "answers" || server === "refuses");
  const refusal = results.findLast(({ server }) => server === "refuses");

  if (answers) backoff.over(campaign.id, now);
  if (unauthorized) return { state: "paused", trouble: unauthorized.words };
  if (refusal && isRefusedByNearlyAll(latest_answers)) {
    return { state: "paused", waits_for: "refusals", trouble: refusal.detail };
  }
  if (unreachable) return { resume_at: backoff.waitUntil(campaign.id, now), trouble: unreachable.words };
  // A mail that was under way when the server went away does not end the wait.
  if (answers && campaign.trouble && campaign.resume_at <= now) return { trouble: "" };
  return latest_answers === campaign.latest_answers ? undefined : {};
}

export type FinishedDelivery = Finished<ClaimedDelivery, DeliveryResult>;

/**
 * What a campaign remembers of the last answers once these are added. The row is read again and held, because two instances
 * may add to it; a campaign that nobody refuses remembers nothing and costs nothing.
 */
export async function latestAnswersAfter(
  trx: Write,
  dialect: Dialect,
  campaign: OpenCampaign,
  results: readonly DeliveryResult[],
): Promise<number> {
  const isRefused = results.some(({ server }) => server === "refuses");
  if (results.length === 0 || (campaign.latest_answers === 0 && !isRefused)) return campaign.latest_answers;
  const { latest_answers } = await trx
    .selectFrom("campaigns")
    .select("latest_answers")
    .where("id", "=", campaign.id)
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  return addAnswers(latest_answers, results);
}

/**
 * The rows whose address is to get no mail any more. In a campaign that was paused because nearly everybody was refused, a
 * reply code alone says nothing of the recipient: only an enhanced status that names the address does (RFC 3463).
 */
export async function getBlamed(
  trx: Write,
  finished: readonly FinishedDelivery[],
): Promise<FinishedDelivery[]> {
  const refused = finished.filter(({ result }) => result.suppress);
  const guesses = refused.filter(({ result }) => !statusBlamesRecipient(result.detail));
  if (guesses.length === 0) return refused;
  const paused = await trx
    .selectFrom("campaigns")
    .select("id")
    .where("id", "in", [...new Set(guesses.map(({ row }) => row.campaign_id))])
    .where("waits_for", "=", "refusals")
    .execute();
  const doubtful = new Set(paused.map(({ id }) => id));
  return refused.filter(
    ({ row, result }) => statusBlamesRecipient(result.detail) || !doubtful.has(row.campaign_id),
  );
}

/** Takes back what so many of a campaign's latest refusals made of their addresses by the reply code alone. */
export async function liftGuesses(trx: Write, campaignId: string, latest: number): Promise<void> {
  const suppressed = await trx
    .selectFrom("deliveries")
    .innerJoin("suppressions", "suppressions.delivery_id", "deliveries.id")
    .select(["deliveries.id", "deliveries.detail"])
    .where("deliveries.campaign_id", "=", campaignId)
    .where("deliveries.state", "=", "failed")
    .where("suppressions.reason", "=", "refused")
    .where("suppressions.opted_out", "=", 0)
    .whereRef("suppressions.email_key", "=", "deliveries.email_key")
    // Written by that refusal itself: an address that had unsubscribed before stays off the list.
    .whereRef("suppressions.created_at", "=", "deliveries.updated_at")
    .orderBy("deliveries.updated_at", "desc")
    .limit(latest)
    .execute();
  const guesses = suppressed.filter(({ detail }) => !statusBlamesRecipient(detail));
  if (guesses.length === 0) return;
  const lifted = await trx
    .deleteFrom("suppressions")
    .where(
      "delivery_id",
      "in",
      guesses.map(({ id }) => id),
    )
    .returning("email_key")
    .execute();
  await rejoinAudiences(
    trx,
    lifted.map((row) => row.email_key),
  );
}
