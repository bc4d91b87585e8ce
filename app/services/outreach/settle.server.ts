import type { Write } from "~/db/database.server";
import { recordAlert } from "~/services/alerts/record-alert.server";
import { hasStatus } from "~/services/mail/delivery/refusal";
import type { NewId } from "~/services/service-deps";
import { suppressRefused } from "~/services/mail/delivery/settle.server";
import { MOVING_STATES } from "~/services/queue/life-cycle";
import { isRefusedByNearlyAll, countRefusals, addAnswers } from "./latest-answers";
import type { Backoff } from "~/services/mail/delivery/backoff";
import {
  isHoldAhead,
  listOpenCampaigns,
  NO_HOLD,
  type DeliveryJob,
  type OpenCampaign,
} from "./campaigns.server";
import { settleInvitations } from "~/services/waves/wave-deliveries.server";
import { rejoinAudiences } from "~/services/signups/audience-position.server";
import type { DeliveryResult } from "~/services/mail/delivery/delivery-result";
import type { Finished } from "~/services/queue/job-type";

/**
 * Applies results to suppressions and campaigns. Runs again for the same results after a pass that was rolled back.
 * @returns the open campaigns in their new state.
 */
export async function settle(
  trx: Write,
  { newId, backoff, now }: { newId: NewId; backoff: Backoff; now: number },
  finished: readonly FinishedDelivery[],
): Promise<OpenCampaign[]> {
  const campaigns = await listOpenCampaigns(trx);
  let changed = false;
  for (const campaign of campaigns) {
    const results = finished.filter(({ row }) => row.campaign_id === campaign.id).map(({ result }) => result);
    const latest_answers = await addToLatestAnswers(trx, campaign, results);
    const change = getCampaignChanges(campaign, { results, latest_answers }, backoff, now);
    if (!change) continue;
    changed = true;
    const { numUpdatedRows } = await trx
      .updateTable("campaigns")
      .set({ ...change, ...(latest_answers !== campaign.latest_answers && { latest_answers }) })
      .where("id", "=", campaign.id)
      .where("state", "in", MOVING_STATES)
      .executeTakeFirst();
    if (change.state === "paused" && numUpdatedRows === 1n) {
      await recordAlert(trx, { event: "campaign", subject: campaign.id, at: now });
    }
    const isStopped = change.hold === "refusals" && numUpdatedRows === 1n;
    if (isStopped) await removeGuessedSuppressions(trx, campaign.id, countRefusals(latest_answers));
  }
  const refused = (await listRefusedRecipients(trx, finished)).map(({ row, result }) => ({
    row: { address: row.address, deliveryId: row.id },
    result,
  }));
  await suppressRefused(trx, { newId, now }, refused);
  await settleWaves(trx, finished, now);
  return changed ? listOpenCampaigns(trx) : campaigns;
}

/** Records what became of the invitations that emails carried. */
export function settleWaves(trx: Write, finished: readonly FinishedDelivery[], now: number): Promise<void> {
  const results = finished.flatMap(({ row: { invitation }, result: { state } }) =>
    invitation ? [{ invitation, state }] : [],
  );
  return settleInvitations(trx, results, now);
}

/**
 * Returns how results change a campaign. A rejected login, or a mail server that refuses nearly everything,
 * pauses it until an operator resumes it. An unreachable server makes it wait, longer each time; the first answer
 * after the wait clears it.
 */
function getCampaignChanges(
  campaign: OpenCampaign,
  { results, latest_answers }: { results: readonly DeliveryResult[]; latest_answers: string },
  backoff: Backoff,
  now: number,
): Partial<Pick<OpenCampaign, "state" | "hold" | "hold_until" | "hold_detail">> | undefined {
  const problems = results.flatMap(({ server }) => (typeof server === "object" ? [server] : []));
  const unauthorized = problems.find(({ problem }) => problem === "unauthorized");
  const unreachable = problems.find(({ problem }) => problem === "unreachable");
  const answers = results.some(({ server }) => server === "answers" || server === "refuses");
  const refusal = results.findLast(({ server }) => server === "refuses");

  if (answers) backoff.reset(campaign.id, now);
  if (unauthorized) {
    return { state: "paused", hold: "login", hold_until: null, hold_detail: unauthorized.detail };
  }
  if (refusal && isRefusedByNearlyAll(latest_answers)) {
    return { state: "paused", hold: "refusals", hold_until: null, hold_detail: refusal.detail };
  }
  if (unreachable) {
    const retryAt = backoff.getRetryTime(campaign.id, now);
    return { hold: "server", hold_until: retryAt, hold_detail: unreachable.detail };
  }
  // The answer to an email sent before the outage does not end the wait.
  if (answers && campaign.hold === "server" && !isHoldAhead(campaign, now)) return NO_HOLD;
  return latest_answers === campaign.latest_answers ? undefined : {};
}

type FinishedDelivery = Finished<DeliveryJob, DeliveryResult>;

/**
 * Adds results to a campaign's latest answers. Locks and rereads the row, because two instances may add to it;
 * without a refusal, before or now, it runs no query.
 */
async function addToLatestAnswers(trx: Write, campaign: OpenCampaign, results: readonly DeliveryResult[]) {
  const isRefused = results.some(({ server }) => server === "refuses");
  if (results.length === 0 || (countRefusals(campaign.latest_answers) === 0 && !isRefused))
    return campaign.latest_answers;
  const { latest_answers } = await trx
    .selectFrom("campaigns")
    .select("latest_answers")
    .where("id", "=", campaign.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return addAnswers(latest_answers, results);
}

/**
 * Lists the deliveries whose address is to be suppressed. In a campaign paused because nearly all emails were
 * refused, words alone do not blame the recipient: only an enhanced status about the address does (RFC 3463).
 */
async function listRefusedRecipients(trx: Write, finished: readonly FinishedDelivery[]) {
  const refused = finished.filter(({ result }) => result.suppress);
  const guesses = refused.filter(({ result }) => !hasStatus(result.detail));
  if (guesses.length === 0) return refused;
  const paused = await trx
    .selectFrom("campaigns")
    .select("id")
    .where("id", "in", [...new Set(guesses.map(({ row }) => row.campaign_id))])
    .where("hold", "=", "refusals")
    .execute();
  const doubtful = new Set(paused.map(({ id }) => id));
  return refused.filter(({ row, result }) => hasStatus(result.detail) || !doubtful.has(row.campaign_id));
}

/**
 * Removes the suppressions that the words of refusals alone caused, in the passes of a campaign's `latest` newest failed
 * deliveries.
 */
async function removeGuessedSuppressions(trx: Write, campaignId: string, latest: number): Promise<void> {
  const newest = trx
    .selectFrom("deliveries")
    .select("updated_at")
    .where("campaign_id", "=", campaignId)
    .where("state", "=", "failed")
    .orderBy("updated_at", "desc")
    .limit(latest);
  const first = trx.selectFrom(newest.as("newest")).select(({ fn }) => fn.min("updated_at").as("at"));
  const suppressed = await trx
    .selectFrom("deliveries")
    .innerJoin("suppressions", "suppressions.delivery_id", "deliveries.id")
    .select(["deliveries.id", "deliveries.detail"])
    .where("deliveries.campaign_id", "=", campaignId)
    .where("deliveries.state", "=", "failed")
    // Those of one pass have one time, so that the oldest pass counts as a whole.
    .where("deliveries.updated_at", ">=", first)
    .where("suppressions.reason", "=", "refused")
    .where("suppressions.opted_out", "=", 0)
    .whereRef("suppressions.email_key", "=", "deliveries.email_key")
    // Matches only suppressions written by that refusal: an earlier unsubscription stays.
    .whereRef("suppressions.created_at", "=", "deliveries.updated_at")
    .execute();
  const guesses = suppressed.filter(({ detail }) => !hasStatus(detail)).map(({ id }) => id);
  if (guesses.length === 0) return;
  const lifted = await trx
    .deleteFrom("suppressions")
    .where("delivery_id", "in", guesses)
    .returning("email_key")
    .execute();
  const emailKeys = lifted.map(({ email_key }) => email_key);
  await rejoinAudiences(trx, emailKeys);
}
