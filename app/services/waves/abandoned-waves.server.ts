import type { Database } from "~/db/database.server";
import type { Campaign } from "~/db/tables/outreach";
import { minutes } from "~/lib/durations";
import { lockCampaign } from "~/services/outreach/campaigns.server";
import type { Clock } from "~/services/service-deps";
import { sweepInChunks } from "~/services/sweep-in-chunks.server";
import { releaseInvitations, WAVE_CHUNK } from "./wave-invitations.server";

/** Longer than the confirmation of the largest wave takes. */
const ABANDONED_MS = minutes(15);

/**
 * Releases the reservations that no wave will use: the server ended while one was being confirmed or edited, the draft was
 * confirmed without its link, or the undoing of a merge brought one back. Nobody stays reserved for ever.
 */
export async function releaseAbandonedWaves(database: Database, clock: Clock): Promise<void> {
  const before = clock() - ABANDONED_MS;
  const reserving = await database.read
    .selectFrom("wave_invitations")
    .leftJoin("campaigns", "campaigns.id", "campaign_id")
    .select(["campaign_id", "campaigns.state", "campaigns.wave", "campaigns.finished_at"])
    .distinct()
    .where("wave_invitations.state", "=", "reserved")
    .where("reserved_at", "<=", before)
    .execute();
  for (const { campaign_id: id, state, wave, finished_at } of reserving) {
    if (id === null || !isWithoutUse(state === null ? undefined : { state, wave, finished_at })) continue;
    await sweepInChunks(database, WAVE_CHUNK, async (trx) =>
      // Again: it may have been confirmed since.
      isWithoutUse(await lockCampaign(trx, id)) ? releaseInvitations(trx, id, before) : 0,
    );
  }
}

/** Returns whether a campaign, undefined for one that is gone, will invite none of those it reserved long ago. */
const isWithoutUse = (campaign: Pick<Campaign, "state" | "wave" | "finished_at"> | undefined) =>
  !campaign || campaign.state === "draft" || campaign.wave === null || campaign.finished_at !== null;
