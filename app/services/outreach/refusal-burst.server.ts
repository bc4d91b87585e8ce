import type { Write } from "~/db/database.server";
import { rejoinAudiences } from "~/services/signups/audience-position.server";
import { statusBlamesRecipient } from "./delivery-result";
import type { ClaimedDelivery, DeliveryResult } from "./delivery-result";
import { addAnswers } from "./latest-answers";
import type { Dialect } from "~/services/queue/leases.server";
import type { Finished } from "~/services/queue/job-type";
import type { OpenCampaign } from "./campaigns.server";

export type FinishedDelivery = Finished<ClaimedDelivery, DeliveryResult>;

/**
 * What a campaign remembers of the last answers once these are added. The row is read anew and held, because two instances
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
    .selectFrom("sends")
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
export async function blamed(trx: Write, finished: readonly FinishedDelivery[]): Promise<FinishedDelivery[]> {
  const refused = finished.filter(({ result }) => result.suppress);
  const guesses = refused.filter(({ result }) => !statusBlamesRecipient(result.detail));
  if (guesses.length === 0) return refused;
  const paused = await trx
    .selectFrom("sends")
    .select("id")
    .where("id", "in", [...new Set(guesses.map(({ row }) => row.send_id))])
    .where("waits_for", "=", "refusals")
    .execute();
  const doubtful = new Set(paused.map(({ id }) => id));
  return refused.filter(
    ({ row, result }) => statusBlamesRecipient(result.detail) || !doubtful.has(row.send_id),
  );
}

/** Takes back what so many of a campaign's latest refusals made of their addresses by the reply code alone. */
export async function liftGuesses(trx: Write, campaignId: string, latest: number): Promise<void> {
  const suppressed = await trx
    .selectFrom("deliveries")
    .innerJoin("suppressions", "suppressions.delivery_id", "deliveries.id")
    .select(["deliveries.id", "deliveries.detail"])
    .where("deliveries.send_id", "=", campaignId)
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
