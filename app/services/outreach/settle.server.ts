import type { Write } from "~/db/database.server";
import { suppress } from "~/services/suppressions/suppressions.server";
import type { NewId } from "~/services/ids.server";
import type { DeliveryResult } from "./delivery-result";
import { isRefusedByNearlyAll, refusalsIn } from "./latest-answers";
import type { Dialect } from "~/services/queue/leases.server";
import type { Backoff } from "~/services/queue/backoff";
import type { FinishedDelivery } from "./refusal-burst.server";
import { blamed, latestAnswersAfter, liftGuesses } from "./refusal-burst.server";
import type { OpenCampaign } from "./campaigns.server";
import { openCampaigns } from "./campaigns.server";

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
    const results = finished.filter(({ row }) => row.send_id === campaign.id).map(({ result }) => result);
    const latest_answers = await latestAnswersAfter(trx, dialect, campaign, results);
    const change = changeBy(campaign, { results, latest_answers }, backoff, now);
    if (!change) continue;
    changed = true;
    const { numUpdatedRows } = await trx
      .updateTable("sends")
      .set({ ...change, ...(latest_answers !== campaign.latest_answers && { latest_answers }) })
      .where("id", "=", campaign.id)
      .where("state", "in", ["preparing", "sending"])
      .executeTakeFirst();
    const isStopped = change.waits_for === "refusals" && numUpdatedRows === 1n;
    if (isStopped) await liftGuesses(trx, campaign.id, refusalsIn(latest_answers));
  }
  const refused = await blamed(trx, finished);
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
