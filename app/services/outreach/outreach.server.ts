import type { Campaign, CampaignState } from "~/db/tables/outreach";
import type { SubmissionKind } from "~/db/tables/submissions";
import { createAudit, getLatestActions, type Actor, type AuditAction } from "~/services/audit/audit.server";
import { countUnderWay, NO_STATS } from "~/services/queue/delivery-stats.server";
import { getMovingState } from "~/services/queue/groups.server";
import type { ServiceDeps } from "~/services/service-deps";
import { previewAudience } from "./audience.server";
import {
  getCampaignStats,
  readDeliveryBatches,
  findCampaign,
  getFailureReasons,
  getListedStats,
  listLatestDrafts,
  listLatestCampaigns,
  listDeliveries,
} from "./campaign-stats.server";
import type { DeliveryFilter, DeliveryPage } from "./campaign-stats.server";
import { confirmCampaign, getPreflight, type PreflightSettings } from "./confirm.server";
import { decideUncertain, retryFailed, type Decision } from "./corrections.server";
import type { DailyAllowance } from "./daily-allowance.server";
import { createDrafts } from "./drafts.server";
import { isPlanned, toPlan, getScheduleProblem, getHoldReason } from "./schedule";
import type { HeldCampaign, Schedule, HoldReason } from "./schedule";
import { lockCampaign } from "./campaigns.server";

/** "wrong-state": a campaign in this state cannot be paused, or resumed, or cancelled. */
export type TransitionResult = { ok: true } | { ok: false; error: "unknown-campaign" | "wrong-state" };

/** Clears every hold of a campaign. */
const RELEASED = { problem: "", resume_at: 0, waits_for: "", latest_answers: 0 } as const;
/** States of a confirmed campaign that is not finished or cancelled. */
const UNFINISHED = ["preparing", "sending", "paused"] as const;

interface OutreachDeps extends ServiceDeps {
  /** Wakes the worker, for there may be work. */
  readonly wake: () => void;
  readonly allowance: DailyAllowance;
  /** Hold window of a confirmed campaign before it starts, in milliseconds. */
  readonly holdMs: number;
  readonly settings: PreflightSettings;
}

/** Creates the operations on campaigns; the worker (campaign-jobs.server.ts) sends them. */
export function createOutreach(deps: OutreachDeps) {
  const { database, clock, wake, holdMs, settings } = deps;
  const { read, longRead } = database;
  const audit = createAudit(deps);

  return {
    ...createDrafts(deps),
    holdMs,
    previewAudience: (kind: SubmissionKind) => previewAudience(longRead, kind),
    getPreflight: (campaign: Pick<Campaign, "audience" | "title" | "message">) =>
      getPreflight(longRead, campaign, settings),
    findCampaign: (id: string) => findCampaign(read, id),
    countUnderWay: () => countUnderWay(read, "campaigns"),
    listLatestCampaigns: (limit: number, before?: string) => listLatestCampaigns(read, limit, before),
    listLatestDrafts: (limit: number) => listLatestDrafts(read, limit),
    getStats: (id: string) => getCampaignStats(read, id),
    getFailureReasons: (id: string) => getFailureReasons(read, id),
    listDeliveries: (id: string, page: DeliveryPage) => listDeliveries(database, id, page),

    /** Returns why a campaign is on hold, and until when; undefined when it is active or over. */
    async getHoldReason(campaign: Campaign): Promise<HoldReason | undefined> {
      const [reason] = await getHoldReasons([campaign]);
      return reason;
    },

    /** Lists campaigns as listLatestCampaigns does, with totals and hold reasons, in a constant number of queries. */
    async listCampaigns(limit: number, before?: string) {
      const campaigns = await listLatestCampaigns(read, limit, before);
      const ids = campaigns.map(({ id }) => id);
      const [stats, reasons] = await Promise.all([getListedStats(read, ids), getHoldReasons(campaigns)]);
      return campaigns.map((campaign, index) => ({
        ...campaign,
        stats: stats.get(campaign.id) ?? NO_STATS,
        waiting: reasons[index],
      }));
    },

    /** Exports the matching recipients. The audit entry is written before the first row is read. */
    async exportDeliveries(id: string, filter: DeliveryFilter, actor: Actor) {
      const campaign = await findCampaign(read, id);
      if (!campaign || campaign.state === "draft") return { ok: false } as const;
      await database.write((trx) => audit(trx, actor, { action: "export-recipients", subject: id }));
      return { ok: true, batches: readDeliveryBatches(database, id, filter) } as const;
    },

    confirm: (options: Parameters<typeof confirmCampaign>[1], actor: Actor) =>
      thenWake(
        confirmCampaign(deps, options, (trx, contentHash) =>
          audit(trx, actor, { action: "confirm-outreach", subject: options.campaignId, contentHash }),
        ),
      ),

    /** Pauses a campaign until `resume`. Emails in flight finish; a planned start is kept. */
    pause: (id: string, actor: Actor) =>
      transition(id, "pause-outreach", actor, ["preparing", "sending"], () => ({
        state: "paused",
        problem: "",
      })),

    /** Resumes a paused campaign as planned, or immediately one that waits for the mail server. */
    resume: (id: string, actor: Actor) =>
      transition(id, "resume-outreach", actor, ["paused", "sending"], (campaign) => {
        if (!isPlanned(campaign)) return { state: getMovingState(campaign), ...RELEASED };
        return campaign.state === "paused" ? { state: getMovingState(campaign) } : undefined;
      }),

    /** Starts a campaign now that waits for its start or missed it. */
    begin: (id: string, actor: Actor) =>
      transition(id, "begin-outreach", actor, UNFINISHED, (campaign) =>
        isReschedulable(campaign) ? { state: getMovingState(campaign), ...RELEASED } : undefined,
      ),

    /** Reschedules a campaign that waits for its start or missed it. One that an operator paused stays paused. */
    async reschedule(id: string, schedule: Schedule, actor: Actor) {
      const now = clock();
      const error = getScheduleProblem(schedule, now);
      if (error) return { ok: false, error } as const;
      return transition(id, "reschedule-outreach", actor, UNFINISHED, (campaign) => {
        if (!isReschedulable(campaign)) return undefined;
        const isPaused = getHoldReason(campaign, undefined, now)?.for === "operator";
        return { state: isPaused ? "paused" : getMovingState(campaign), ...toPlan(schedule, 0, now) };
      });
    },

    /** Cancels a campaign for good. Waiting deliveries are skipped; those in flight finish. */
    cancel: (id: string, actor: Actor) =>
      transition(id, "cancel-outreach", actor, UNFINISHED, () => ({
        state: "cancelled",
        problem: "",
        waits_for: "",
      })),

    decideUncertain: (id: string, decision: Decision, actor: Actor) =>
      thenWake(
        decideUncertain(deps, id, decision, (trx) =>
          audit(trx, actor, { action: "decide-uncertain", subject: id }),
        ),
      ),

    retryFailed: (id: string, actor: Actor) =>
      thenWake(retryFailed(deps, id, (trx) => audit(trx, actor, { action: "retry-failed", subject: id }))),
  };

  async function getHoldReasons(
    campaigns: readonly (HeldCampaign & { id: string })[],
  ): Promise<(HoldReason | undefined)[]> {
    const paused = campaigns.filter(({ state }) => state === "paused").map(({ id }) => id);
    const [pauses, today] = await Promise.all([
      getLatestActions(read, "pause-outreach", paused),
      deps.allowance.getToday(read, clock()),
    ]);
    return campaigns.map((campaign) => {
      const reason = getHoldReason(campaign, today, clock());
      return reason?.for === "operator" ? { ...reason, paused: pauses.get(campaign.id) } : reason;
    });
  }

  /** @param change returns undefined when the transition is not allowed. */
  function transition(
    id: string,
    action: AuditAction,
    actor: Actor,
    from: readonly CampaignState[],
    change: (campaign: Campaign) => Partial<Campaign> | undefined,
  ): Promise<TransitionResult> {
    return thenWake(
      database.write(async (trx): Promise<TransitionResult> => {
        const campaign = await lockCampaign(trx, id);
        if (!campaign) return { ok: false, error: "unknown-campaign" };
        const changes = from.includes(campaign.state) ? change(campaign) : undefined;
        if (!changes) return { ok: false, error: "wrong-state" };
        await trx.updateTable("campaigns").set(changes).where("id", "=", id).execute();
        await audit(trx, actor, { action, subject: id });
        return { ok: true };
      }),
    );
  }

  async function thenWake<Outcome extends { ok: boolean }>(changing: Promise<Outcome>): Promise<Outcome> {
    const outcome = await changing;
    if (outcome.ok) wake();
    return outcome;
  }
}

/** Checks whether the campaign waits for its start or missed it. */
function isReschedulable(campaign: Campaign): boolean {
  return isPlanned(campaign) || campaign.waits_for === "missed";
}
