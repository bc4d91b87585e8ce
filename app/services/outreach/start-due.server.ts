import type { Write } from "~/db/database.server";
import { isMissed, isPlanned } from "./plan";
import type { OpenCampaign } from "./campaigns.server";

/**
 * Begins the campaigns whose hold or schedule is over, or pauses one that missed its time. Before it has begun nobody gets a
 * mail of a campaign, so that a cancel which came first holds on every instance.
 * @returns the campaigns as they are after it.
 */
export async function startDue(
  trx: Write,
  campaigns: readonly OpenCampaign[],
  now: number,
): Promise<OpenCampaign[]> {
  const after: OpenCampaign[] = [];
  for (const campaign of campaigns) {
    const isMoving = campaign.state === "preparing" || campaign.state === "sending";
    const isDue = isMoving && isPlanned(campaign) && campaign.resume_at <= now;
    if (!isDue) {
      after.push(campaign);
      continue;
    }
    const missed = isMissed(campaign, now);
    const { numUpdatedRows } = await trx
      .updateTable("sends")
      .set(missed ? { state: "paused", waits_for: "missed" } : { waits_for: "" })
      .where("id", "=", campaign.id)
      // An operator or another instance may have been quicker.
      .where("state", "=", campaign.state)
      .where("waits_for", "=", campaign.waits_for)
      .where("resume_at", "=", campaign.resume_at)
      .executeTakeFirst();
    if (numUpdatedRows === 1n && !missed) after.push({ ...campaign, waits_for: "" });
  }
  return after;
}
