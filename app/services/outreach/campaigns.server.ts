import type { Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { prepareQuery } from "~/db/prepared-query";
import type { CampaignsTable } from "~/db/tables/outreach";
import { isUuid } from "~/lib/uuid";
import { hasOpenJobs } from "~/services/queue/groups.server";
import { isPlanned, isMissed } from "./schedule";
export type Campaign = Selectable<CampaignsTable>;
/** The content every email of a campaign shares; immutable once it is confirmed. */
export type CampaignContent = Pick<Campaign, "title" | "message">;

/** Reads a campaign and locks its row until the transaction ends, so that concurrent transitions are serialized. */
export async function lockCampaign(trx: Write, id: string): Promise<Campaign | undefined> {
  if (!isUuid(id)) return undefined;
  return trx.selectFrom("campaigns").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

const OPEN_COLUMNS = [
  "id",
  "state",
  "audience",
  "prepared_through",
  "audience_through",
  "audience_position",
  "resume_at",
  "waits_for",
  "when_missed",
  "latest_answers",
  "problem",
] as const;
export type OpenCampaign = Pick<Campaign, (typeof OPEN_COLUMNS)[number]>;

/** Lists campaigns with work left, oldest first; a cancelled one until all its deliveries are settled. */
export function listOpenCampaigns(read: Read): Promise<OpenCampaign[]> {
  return selectOpenCampaigns(read, {});
}

const selectOpenCampaigns = prepareQuery((db) =>
  db
    .selectFrom("campaigns")
    .select(OPEN_COLUMNS)
    .where("state", "in", ["preparing", "sending", "cancelled"])
    .where("finished_at", "is", null)
    .orderBy("id"),
);

/** Checks whether an operator discarded the draft; saving or restoring it undoes that. */
export function isDiscarded({ state, finished_at }: Campaign): boolean {
  return state === "draft" && finished_at !== null;
}

/** Checks whether the campaign has nothing due before its `resume_at`. */
export function isWaiting({ state, resume_at }: OpenCampaign, now: number): boolean {
  return state === "sending" && resume_at > now;
}

/** Checks whether its emails may be sent. True during the snapshot too, which takes minutes for a million recipients. */
export function canSend(campaign: OpenCampaign, now: number): boolean {
  const isMoving = campaign.state === "preparing" || campaign.state === "sending";
  return isMoving && !isPlanned(campaign) && campaign.resume_at <= now;
}

/** Checks whether deliveries of the campaign are waiting or in flight; uncertain ones wait for an operator. */
export function hasOpenDeliveries(read: Read, id: string): Promise<boolean> {
  return hasOpenJobs(read, { table: "deliveries", column: "campaign_id", id });
}

export async function finishIfSettled(trx: Write, campaignId: string, now: number): Promise<void> {
  const campaign = await lockCampaign(trx, campaignId);
  if (campaign?.state !== "sending" || (await hasOpenDeliveries(trx, campaignId))) return;
  await trx
    .updateTable("campaigns")
    .set({ state: "finished", finished_at: now, problem: "" })
    .where("id", "=", campaignId)
    .execute();
}

/** Returns the content of the rows' campaigns, from `known` where it has it: it does not change once confirmed. */
export async function loadMessages(
  read: Read,
  known: ReadonlyMap<string, CampaignContent>,
  rows: readonly { readonly campaign_id: string }[],
): Promise<Map<string, CampaignContent>> {
  const ids = [...new Set(rows.map((row) => row.campaign_id))];
  if (ids.every((id) => known.has(id))) return new Map(known);
  const campaigns = read.selectFrom("campaigns").select(["id", "title", "message"]).where("id", "in", ids);
  return new Map((await campaigns.execute()).map(({ id, ...content }) => [id, content]));
}

/**
 * Starts the campaigns whose hold or schedule is over, and pauses one that missed its time. No email is sent
 * before the start is stored, so that an earlier cancel holds on every instance.
 * @returns the campaigns in their new state.
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
      .updateTable("campaigns")
      .set(missed ? { state: "paused", waits_for: "missed" } : { waits_for: "" })
      .where("id", "=", campaign.id)
      // An operator or another instance may have changed it first.
      .where("state", "=", campaign.state)
      .where("waits_for", "=", campaign.waits_for)
      .where("resume_at", "=", campaign.resume_at)
      .executeTakeFirst();
    if (numUpdatedRows === 1n && !missed) after.push({ ...campaign, waits_for: "" });
  }
  return after;
}
