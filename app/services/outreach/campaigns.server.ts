import { sql, type Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { Campaign, DeliveriesTable } from "~/db/tables/outreach";
import { isUuid } from "~/lib/uuid";
import { recordAlert } from "~/services/alerts/record-alert.server";
import { isRetryAhead } from "~/services/mail/delivery/backoff";
import { hasOpenJobs } from "~/services/queue/groups.server";
import { isMoving, STATES_WITH_WORK } from "~/services/queue/life-cycle";
import type { Suppressible } from "~/services/suppressions/suppressions.server";
import type { InviteLink } from "~/services/waves/invite-tokens.server";
import { releaseInvitations, WAVE_CHUNK } from "~/services/waves/wave-invitations.server";
import { waitsForStart, isMissed } from "./schedule";

/** Reads a campaign and locks its row until the transaction ends, so that concurrent transitions are serialized. */
export async function lockCampaign(trx: Write, id: string): Promise<Campaign | undefined> {
  if (!isUuid(id)) return undefined;
  return trx.selectFrom("campaigns").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

/**
 * Keeps campaigns from copying their audience until the transaction ends, also those that are confirmed or resumed
 * meanwhile.
 */
export async function lockPreparing(trx: Write): Promise<void> {
  const states = ["draft", "preparing", "paused"] as const;
  const campaigns = trx.selectFrom("campaigns").select("id").where("state", "in", states);
  await campaigns.orderBy("id").forUpdate().execute();
}

/** `updated_at` is the time of the claim. */
export type ClaimedDelivery = Selectable<DeliveriesTable> & Suppressible;

/** A claimed delivery, of a wave with the invitation that its email carries; null: the recipient has none of it. */
export interface DeliveryJob extends ClaimedDelivery {
  readonly invitation?: InviteLink | null;
}

export type OpenCampaign = Awaited<ReturnType<typeof listOpenCampaigns>>[number];

/** Open campaigns, and drafts whose deliveries of an earlier confirmation are not dropped yet. As in the index. */
const HAS_WORK = sql<boolean>`((state in (${sql.join(STATES_WITH_WORK.map(sql.lit))}) and finished_at is null)
  or (state = 'draft' and prepared_through <> ''))`;

/**
 * Lists campaigns with work left, oldest first; a cancelled one until all its deliveries are settled, and one that is
 * edited until they are dropped.
 */
export function listOpenCampaigns(read: Read) {
  return read
    .selectFrom("campaigns")
    .select(["id", "state", "confirmed_at"])
    .select(["audience", "prepared_through", "audience_through", "audience_position"])
    .select(["hold", "hold_until", "hold_detail", "when_missed", "latest_answers", "wave"])
    .select(["pace_ms", "next_at"])
    .where(HAS_WORK)
    .orderBy("id")
    .execute();
}

/** Checks whether an operator discarded the draft; saving or restoring it undoes that. */
export function isDiscarded({ state, finished_at }: Campaign): boolean {
  return state === "draft" && finished_at !== null;
}

/** What a campaign holds that waits for nothing. */
export const NO_HOLD = { hold: "", hold_until: null, hold_detail: "" } as const;

/** Checks whether its hold ends later. */
export function isHoldAhead({ hold, hold_until }: OpenCampaign, now: number): boolean {
  if (hold_until === null) return false;
  return hold === "server" ? isRetryAhead(hold_until, now) : hold_until > now;
}

/** Checks whether the campaign has nothing due before its `hold_until`. */
export function isWaiting(campaign: OpenCampaign, now: number): boolean {
  return campaign.state === "sending" && isHoldAhead(campaign, now);
}

/** Checks whether its emails may be sent. True during the snapshot too, which takes minutes for a million recipients. */
export function canSend(campaign: OpenCampaign, now: number): boolean {
  return isMoving(campaign) && !waitsForStart(campaign) && !isHoldAhead(campaign, now);
}

/** Finishes a campaign without open deliveries; a cancelled one stays cancelled. */
export async function finishIfSettled(trx: Write, id: string, now: number): Promise<void> {
  const campaign = await lockCampaign(trx, id);
  const mayFinish = campaign?.state === "sending" || campaign?.state === "cancelled";
  if (!mayFinish || (await hasOpenJobs(trx, { table: "deliveries", column: "campaign_id", id }))) return;
  // Releases the invitations of people who were suppressed since or left the audience; with a full chunk the next pass
  // continues.
  if (campaign.wave !== null && (await releaseInvitations(trx, id)) === WAVE_CHUNK) return;
  const finalState = campaign.state === "cancelled" ? {} : ({ state: "finished", ...NO_HOLD } as const);
  await trx
    .updateTable("campaigns")
    .set({ ...finalState, finished_at: now })
    .where("id", "=", id)
    .execute();
  if (campaign.state === "sending") await recordAlert(trx, { event: "campaign", subject: id, at: now });
}

/** Returns the content of campaigns by their ids. */
export async function loadMessages(read: Read, ids: readonly string[]) {
  const campaigns = read
    .selectFrom("campaigns")
    .select(["id", "title", "message", "format"])
    .where("id", "in", ids);
  return new Map((await campaigns.execute()).map(({ id, ...content }) => [id, content] as const));
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
    // A cancelled campaign is not planned any more.
    if (!waitsForStart(campaign) || isHoldAhead(campaign, now)) {
      after.push(campaign);
      continue;
    }
    const missed = isMissed(campaign, now);
    const { numUpdatedRows } = await trx
      .updateTable("campaigns")
      .set(missed ? { state: "paused", hold: "missed" } : NO_HOLD)
      .where("id", "=", campaign.id)
      // An operator or another instance may have changed it first.
      .where("state", "=", campaign.state)
      .where("hold", "=", campaign.hold)
      .where("hold_until", "=", campaign.hold_until)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) continue;
    if (missed) await recordAlert(trx, { event: "campaign", subject: campaign.id, at: now });
    else after.push({ ...campaign, ...NO_HOLD });
  }
  return after;
}
