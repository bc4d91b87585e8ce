import type { Read, Write } from "~/db/database.server";
import type { Campaign } from "~/db/tables/outreach";
import { hours, minutes, seconds } from "~/lib/durations";
import { hasOpenJobs } from "~/services/queue/groups.server";
import { isMoving } from "~/services/queue/life-cycle";
import { IS_DUE } from "~/services/queue/leases.server";
import type { CampaignStats } from "./campaign-stats.server";
import type { ClaimedDelivery, OpenCampaign } from "./campaigns.server";
import { waitsForStart } from "./schedule";

/*
 * A campaign with a pace may attempt one email for the first time in each interval: the length of time it is spread
 * over, divided by its recipients. Retries are sent when they are due.
 */

/**
 * What is overdue for longer is not caught up: after a pause, an outage, a used up allowance or a restart the campaign
 * goes on at its pace from then on. Longer than an idle worker sleeps.
 */
const MAX_LATE_MS = seconds(5);

interface PacedCampaign extends OpenCampaign {
  /** First attempts that are due; undefined without a pace. */
  readonly allowed?: number;
  /** Milliseconds between two first attempts; undefined without a pace. */
  readonly interval?: number;
}

/** Says how many emails of each campaign may be attempted for the first time now, and locks those that have a pace. */
export async function limitByPace(
  trx: Write,
  campaigns: readonly OpenCampaign[],
  now: number,
): Promise<PacedCampaign[]> {
  const limited: PacedCampaign[] = [];
  for (const campaign of campaigns) {
    limited.push(campaign.pace_ms === 0 ? campaign : await limitOne(trx, campaign, now));
  }
  return limited;
}

/** The row is read again once it is locked: another instance may have claimed meanwhile. */
async function limitOne(trx: Write, campaign: OpenCampaign, now: number): Promise<PacedCampaign> {
  const { pace_ms, next_at, counted } = await trx
    .selectFrom("campaigns")
    .select(["pace_ms", "next_at", "counted"])
    .where("id", "=", campaign.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const interval = pace_ms / Math.max(1, await countRecipients(trx, campaign, counted));
  // The clock was set back.
  const isTooFar = next_at !== null && next_at > now + interval;
  const next = isTooFar ? Math.round(now + interval) : Math.max(next_at ?? now, now - MAX_LATE_MS);
  if (isTooFar) await setNext(trx, campaign.id, next);
  const allowed = next > now ? 0 : Math.floor((now - next) / interval) + 1;
  return { ...campaign, next_at: next, allowed, interval };
}

/** Counts the recipients who are not skipped; while deliveries are created, as many as were counted before. */
async function countRecipients(read: Read, { id, state }: OpenCampaign, counted: number): Promise<number> {
  const rows = await read
    .selectFrom("delivery_counts")
    .select(({ fn }) => ["state", fn.sum<number>("count").as("count")])
    .where("campaign_id", "=", id)
    .groupBy("state")
    .execute();
  const total = rows.reduce((sum, row) => sum + row.count, 0);
  const skipped = rows.find((row) => row.state === "skipped")?.count ?? 0;
  return (state === "preparing" ? Math.max(counted, total) : total) - skipped;
}

/** Stores when each campaign with a pace may attempt its next email, after `claimed` of all campaigns. */
export async function recordPace(
  trx: Write,
  campaigns: readonly PacedCampaign[],
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  for (const { id, next_at, interval } of campaigns) {
    if (interval === undefined || next_at === null) continue;
    const attempted = claimed.filter((row) => row.campaign_id === id && row.not_before === 0).length;
    if (attempted > 0) await setNext(trx, id, Math.round(next_at + attempted * interval));
  }
}

async function setNext(trx: Write, id: string, next_at: number): Promise<void> {
  await trx.updateTable("campaigns").set({ next_at }).where("id", "=", id).execute();
}

/**
 * Checks whether a campaign has nothing to do now: its deliveries are in flight, or wait for its pace, for their retries or
 * for the daily allowance.
 * @param campaign is not on hold. One that still waits for its start is to be started now.
 * @param options.isUsedUp whether campaigns may send no more emails today.
 */
export async function hasOnlyLaterWork(
  read: Read,
  campaign: OpenCampaign,
  { isUsedUp, now }: { isUsedUp: boolean; now: number },
): Promise<boolean> {
  const { id, state, pace_ms, next_at } = campaign;
  if (state !== "sending" || waitsForStart(campaign)) return false;
  // Due retries come before first attempts, as in the index.
  const first = await read
    .selectFrom("deliveries")
    .select("not_before")
    .where("campaign_id", "=", id)
    .where(IS_DUE)
    .where("not_before", "<=", now)
    .orderBy("not_before", "desc")
    .limit(1)
    .executeTakeFirst();
  // With no open delivery it is to be finished.
  if (isUsedUp || !first) return hasOpenJobs(read, { table: "deliveries", column: "campaign_id", id });
  if (first.not_before !== 0 || next_at === null || next_at <= now) return false;
  // One that is further ahead than an interval is put right by the next claim.
  const interval = pace_ms / Math.max(1, await countRecipients(read, campaign, 0));
  return next_at <= now + interval;
}

/** How fast a campaign is sent that is spread over a time. */
export interface CampaignPace {
  readonly paceMs: number;
  /** First attempts an hour. */
  readonly perHour: number;
  /** Whether the next one is more than a minute away. */
  readonly isSlow: boolean;
  /** When the last one is expected, in epoch milliseconds; undefined while it is paused, and once there was one. */
  readonly doneAt?: number;
}

/**
 * Returns the pace of a campaign that is not over; undefined without one.
 * @param options.ratePerSecond of the mail server, which may be slower; 0 means without limit.
 */
export function getPace(
  campaign: Campaign,
  stats: CampaignStats,
  { ratePerSecond, now }: { ratePerSecond: number; now: number },
): CampaignPace | undefined {
  const { pace_ms: paceMs, state, counted, next_at, hold_until } = campaign;
  if (paceMs === 0 || !(isMoving(campaign) || state === "paused")) return undefined;
  const missing = state === "preparing" ? Math.max(0, counted - stats.selected) : 0;
  const interval = Math.max(
    paceMs / Math.max(1, stats.recipients + missing),
    ratePerSecond > 0 ? 1000 / ratePerSecond : 0,
  );
  const pace = { paceMs, perHour: hours(1) / interval, isSlow: (next_at ?? now) - now > minutes(1) };
  const left = stats.pending - stats.retrying - stats.inFlight + missing;
  if (state === "paused" || left === 0) return pace;
  const next = waitsForStart(campaign) && hold_until !== null ? hold_until : Math.max(now, next_at ?? now);
  return { ...pace, doneAt: next + (left - 1) * interval };
}
