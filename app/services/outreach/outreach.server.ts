import type { Campaign } from "~/db/tables/outreach";
import type { ListPage } from "~/lib/list-page";
import { createAudit, getLatestActions, type Actor } from "~/services/audit/audit.server";
import { countUnderWay, NO_STATS } from "~/services/queue/delivery-stats.server";
import { getMovingState } from "~/services/queue/life-cycle";
import { createTransitions } from "~/services/queue/transitions.server";
import type { ServiceDeps } from "~/services/service-deps";
import { createAudiences } from "~/services/audiences/audiences.server";
import { canRepeat, countRecipients, previewAudience, type CampaignAudience } from "./audience.server";
import type { CampaignOrder } from "./campaign-sorts";
import { findCampaign, listCampaigns, listCampaignTitles, listDrafts } from "./campaign-lists.server";
import { getCampaignStats, getListedStats, type CampaignStats } from "./campaign-stats.server";
import { getFailureReasons, listDeliveries, readDeliveryBatches } from "./deliveries.server";
import type { DeliveryFilter, DeliveryPage } from "./deliveries.server";
import {
  confirmCampaign,
  getPreflight,
  type ConfirmOptions,
  type PreflightSettings,
  type RecordAudit,
  type ReviewedContent,
} from "./confirm.server";
import { decideUncertain, retryFailed, type Decision } from "./corrections.server";
import type { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { createDrafts } from "./drafts.server";
import { getPace } from "./pace.server";
import {
  getHoldReason,
  getScheduleProblem,
  isBeforeStart,
  toDraftStart,
  toStart,
  toResumedStart,
} from "./schedule";
import type { HoldColumns, Schedule, HoldReason } from "./schedule";
import { countWave } from "~/services/waves/wave-counts.server";
import { listWaveFunnel } from "~/services/waves/wave-funnel.server";
import { endPlan, movePlan, startPlan, type Repeating } from "~/services/waves/wave-plan-rows.server";
import { lockCampaign, NO_HOLD } from "./campaigns.server";
import type { MergeField } from "~/lib/merge-fields";

/** A campaign that an operator released waits for nothing, and its answers are counted from zero. */
const RELEASED = { ...NO_HOLD, latest_answers: "" } as const;

interface OutreachDeps extends ServiceDeps {
  /** Wakes the worker, for there may be work. */
  readonly wake: () => void;
  readonly allowance: DailyAllowance;
  /** Hold window of a confirmed campaign before it starts, in milliseconds. */
  readonly holdMs: number;
  readonly settings: PreflightSettings;
  /** That a text may have. */
  readonly fields: readonly MergeField[];
}

export type Outreach = ReturnType<typeof createOutreach>;

/** Creates the operations on campaigns; the worker (campaign-jobs.server.ts) sends them. */
export function createOutreach(deps: OutreachDeps) {
  const { database, clock, wake, holdMs, settings } = deps;
  const { read, longRead } = database;
  const audiences = createAudiences({ database });
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
    previewAudience: (audience: CampaignAudience) => previewAudience({ longRead, audiences }, audience),
    countRecipients: (audience: CampaignAudience) => countRecipients({ longRead, audiences }, audience),
    getPreflight: (campaign: ReviewedContent) =>
      getPreflight({ longRead, audiences }, campaign, settings, clock()),
    findCampaign: (id: string) => findCampaign(read, id),
    countUnderWay: () => countUnderWay(read, "campaigns"),
    listLatestCampaigns: (page: ListPage) => listCampaigns(read, page),
    listCampaignTitles: (limit: number, chosen?: string) => listCampaignTitles(read, limit, chosen),
    listDrafts: (page: ListPage) => listDrafts(read, page),
    getStats: (id: string) => getCampaignStats(read, id),
    /** Counts the people of a wave by the state of their invitation. */
    countWave: (id: string) => countWave(database, id),
    listWaveFunnel: (id: string) => listWaveFunnel(database, id),
    getPace: (campaign: Campaign, stats: CampaignStats) =>
      getPace(campaign, stats, { ratePerSecond: settings.ratePerSecond, now: clock() }),
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

    /** @param options.repeating of a wave with a limit: it is the first of a plan (services/waves/wave-plans.server.ts). */
    async confirm(
      { repeating, ...options }: ConfirmOptions & { repeating?: Repeating | undefined },
      actor: Actor,
    ) {
      const { campaignId, schedule } = options;
      const draft = repeating && (await findCampaign(read, campaignId));
      if (draft && !canRepeat(draft)) return { ok: false, error: "content-changed" } as const;
      return confirm(options, async (trx, contentHash) => {
        await audit(trx, actor, { action: "confirm-outreach", subject: campaignId, contentHash });
        if (!repeating) return;
        const now = clock();
        const plan = { id: deps.newId(), campaignId, by: actor.by };
        await startPlan(trx, plan, repeating, { beginsAt: schedule?.beginAt ?? now, now });
      });
    },

    /** Confirms the next wave of a plan. @param recordAudit called in the same write. */
    repeat: (options: ConfirmOptions, recordAudit: RecordAudit) => confirm(options, recordAudit),

    /**
     * Makes a campaign that has not begun a draft again, which keeps its planned start, its pace and its reminder. The worker
     * drops its deliveries and returns the people of a wave; the next confirmation creates those of its own time.
     */
    edit: (id: string, actor: Actor) =>
      transition(id, { kind: "edit", action: "edit-outreach", actor }, async (campaign, trx) => {
        await endPlan(trx, id, "edited");
        return {
          state: "draft",
          ...toDraftStart(campaign),
          hold_detail: "",
          confirmed_at: null,
          counted: 0,
          wave: null,
          audience_position: 0,
          touched_at: clock(),
          touched_by: actor.by,
          touched_form: "",
        };
      }),

    /** Pauses a campaign until `resume`. Emails in flight finish; a planned start is kept. */
    pause: (id: string, actor: Actor) =>
      transition(id, { kind: "pause", action: "pause-outreach", actor }, (campaign) => ({
        state: "paused",
        hold: "operator",
        hold_until: isBeforeStart(campaign) ? campaign.hold_until : null,
        hold_detail: "",
      })),

    /** Resumes a paused campaign as planned, or immediately one that waits for the mail server, once its audience is copied. */
    resume: (id: string, actor: Actor) =>
      transition(id, { kind: "resume", action: "resume-outreach", actor }, (campaign) => {
        const waitsForServer = campaign.state === "sending" && campaign.hold === "server";
        if (campaign.state !== "paused" && !waitsForServer) return undefined;
        const isPausedBefore = isBeforeStart(campaign) && campaign.hold !== "missed";
        const hold = isPausedBefore ? { ...toResumedStart(campaign), hold_detail: "" } : RELEASED;
        return { state: getMovingState(campaign), ...hold };
      }),

    /** Starts a campaign now that waits for its start or missed it. */
    begin: (id: string, actor: Actor) =>
      transition(id, { kind: "begin", action: "begin-outreach", actor }, async (campaign, trx) => {
        if (!isBeforeStart(campaign)) return undefined;
        // In the hold window nobody chose the start: a plan keeps its time, also when its run was late.
        if (campaign.when_missed !== "") await movePlan(trx, campaign, clock());
        return { state: getMovingState(campaign), ...RELEASED };
      }),

    /**
     * Reschedules a campaign that waits for its start or missed it. One that an operator paused stays paused, unless it
     * missed its start meanwhile: then the new start is what it waited for.
     */
    async reschedule(id: string, schedule: Schedule, actor: Actor) {
      const now = clock();
      const error = getScheduleProblem(schedule, now);
      if (error) return { ok: false, error } as const;
      return transition(
        id,
        { kind: "reschedule", action: "reschedule-outreach", actor },
        async (campaign, trx) => {
          if (!isBeforeStart(campaign)) return undefined;
          await movePlan(trx, campaign, schedule.beginAt);
          const start = toStart(schedule, 0, now);
          const isPaused = getHoldReason(campaign, undefined, now)?.for === "operator";
          if (isPaused) return { ...start, hold: "operator" };
          return { state: getMovingState(campaign), ...start, hold_detail: "" };
        },
      );
    },

    /** Cancels a campaign for good. Waiting deliveries are skipped; those in flight finish. It is not repeated. */
    cancel: (id: string, actor: Actor) =>
      transition(id, { kind: "cancel", action: "cancel-outreach", actor }, async (_campaign, trx) => {
        await endPlan(trx, id, "cancelled");
        return { state: "cancelled", ...NO_HOLD };
      }),

    decideUncertain: (id: string, decision: Decision, actor: Actor) =>
      thenWake(
        decideUncertain(deps, id, decision, (trx) =>
          audit(trx, actor, { action: "decide-uncertain", subject: id }),
        ),
      ),

    retryFailed: (id: string, actor: Actor) =>
      thenWake(retryFailed(deps, id, (trx) => audit(trx, actor, { action: "retry-failed", subject: id }))),
  };

  function confirm(options: ConfirmOptions, recordAudit: RecordAudit) {
    return thenWake(confirmCampaign({ ...deps, audiences }, options, recordAudit));
  }

  async function getHoldReasons(
    campaigns: readonly (HoldColumns & { id: string })[],
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
