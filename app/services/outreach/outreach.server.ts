import type { Campaign } from "~/db/tables/outreach";
import type { ListPage } from "~/lib/list-page";
import { createAudit, getLatestActions, type Actor } from "~/services/audit/audit.server";
import { countUnderWay, NO_STATS } from "~/services/queue/delivery-stats.server";
import { getMovingState } from "~/services/queue/life-cycle";
import { createTransitions } from "~/services/queue/transitions.server";
import type { ServiceDeps } from "~/services/service-deps";
import { previewAudience } from "./audience.server";
import type { CampaignOrder } from "./campaign-sorts";
import {
  getCampaignStats,
  readDeliveryBatches,
  findCampaign,
  getFailureReasons,
  getListedStats,
  listLatestDrafts,
  listCampaigns,
  listDeliveries,
} from "./campaign-stats.server";
import type { DeliveryFilter, DeliveryPage } from "./campaign-stats.server";
import { confirmCampaign, getPreflight, type PreflightSettings } from "./confirm.server";
import { decideUncertain, retryFailed, type Decision } from "./corrections.server";
import type { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { createDrafts } from "./drafts.server";
import { getHoldReason, getScheduleProblem, hasPlannedStart, toPlan, toResumedPlan } from "./schedule";
import type { HeldCampaign, Schedule, HoldReason } from "./schedule";
import { lockCampaign, NO_HOLD } from "./campaigns.server";
import type { SubmissionKind } from "~/lib/form-fields";

/** A campaign that an operator released waits for nothing, and its answers are counted anew. */
const RELEASED = { ...NO_HOLD, latest_answers: "" } as const;

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
  const { transition, thenWake } = createTransitions({
    database,
    audit,
    wake,
    lock: lockCampaign,
    update: (trx, id, changes: Partial<Campaign>) =>
      trx.updateTable("campaigns").set(changes).where("id", "=", id).execute(),
    unknown: "unknown-campaign",
  });

  return {
    ...createDrafts(deps),
    holdMs,
    previewAudience: (kind: SubmissionKind) => previewAudience(longRead, kind),
    getPreflight: (campaign: Pick<Campaign, "audience" | "title" | "message">) =>
      getPreflight(longRead, campaign, settings),
    findCampaign: (id: string) => findCampaign(read, id),
    countUnderWay: () => countUnderWay(read, "campaigns"),
    listLatestCampaigns: (page: ListPage) => listCampaigns(read, page),
    listLatestDrafts: (limit: number) => listLatestDrafts(read, limit),
    getStats: (id: string) => getCampaignStats(read, id),
    getFailureReasons: (id: string) => getFailureReasons(read, id),
    listDeliveries: (id: string, page: DeliveryPage) => listDeliveries(database, id, page),

    /** Returns why a campaign is on hold, and until when; undefined when it is active or over. */
    async getHoldReason(campaign: Campaign): Promise<HoldReason | undefined> {
      const [reason] = await getHoldReasons([campaign]);
      return reason;
    },

    /** Lists campaigns with totals and hold reasons, in a constant number of queries. */
    async listCampaigns(page: ListPage, order?: CampaignOrder) {
      const campaigns = await listCampaigns(read, page, order);
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
      transition(id, { kind: "pause", action: "pause-outreach", actor }, (campaign) => ({
        state: "paused",
        hold: "operator",
        hold_until: hasPlannedStart(campaign) ? campaign.hold_until : null,
        hold_detail: "",
      })),

    /** Resumes a paused campaign as planned, or immediately one that waits for the mail server. */
    resume: (id: string, actor: Actor) =>
      transition(id, { kind: "resume", action: "resume-outreach", actor }, (campaign) => {
        if (campaign.state === "preparing") return undefined;
        const isPausedBefore = hasPlannedStart(campaign) && campaign.hold !== "missed";
        const plan = isPausedBefore ? { ...toResumedPlan(campaign), hold_detail: "" } : RELEASED;
        return { state: getMovingState(campaign), ...plan };
      }),

    /** Starts a campaign now that waits for its start or missed it. */
    begin: (id: string, actor: Actor) =>
      transition(id, { kind: "begin", action: "begin-outreach", actor }, (campaign) =>
        hasPlannedStart(campaign) ? { state: getMovingState(campaign), ...RELEASED } : undefined,
      ),

    /** Reschedules a campaign that waits for its start or missed it. One that an operator paused stays paused. */
    async reschedule(id: string, schedule: Schedule, actor: Actor) {
      const now = clock();
      const error = getScheduleProblem(schedule, now);
      if (error) return { ok: false, error } as const;
      return transition(id, { kind: "reschedule", action: "reschedule-outreach", actor }, (campaign) => {
        if (!hasPlannedStart(campaign)) return undefined;
        const plan = toPlan(schedule, 0, now);
        const isPaused = getHoldReason(campaign, undefined, now)?.for === "operator";
        if (isPaused) return { ...plan, hold: "operator" };
        return { state: getMovingState(campaign), ...plan, hold_detail: "" };
      });
    },

    /** Cancels a campaign for good. Waiting deliveries are skipped; those in flight finish. */
    cancel: (id: string, actor: Actor) =>
      transition(id, { kind: "cancel", action: "cancel-outreach", actor }, () => ({
        state: "cancelled",
        ...NO_HOLD,
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
}
