import type { Database, Write } from "~/db/database.server";
import type { CampaignState } from "~/db/tables/outreach";
import type { SubmissionKind } from "~/db/tables/submissions";
import type { AuditAction, Provenance } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import { getLatestActions } from "~/services/audit/latest-actions.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { previewAudience } from "./audience.server";
import type { AudiencePreview } from "./audience.server";
import {
  bookOf,
  deliveryBatches,
  findCampaign,
  getFailureReasons,
  getListedStats,
  latestDrafts,
  latestCampaigns,
  listDeliveries,
  NO_STATS,
} from "./book.server";
import type { Delivery, DeliveryFilter, FailureReasons } from "./book.server";
import { confirmCampaign } from "./confirm.server";
import type { Confirmation } from "./confirm.server";
import { decideUncertain, retryFailed } from "./corrections.server";
import type { Correction, Decision, Retry } from "./corrections.server";
import type { Allowance, DailyAllowance } from "./daily-allowance.server";
import { createDrafts } from "./drafts.server";
import { isPlanned, planFor, problemWith } from "./plan";
import type { Schedule, ScheduleProblem } from "./plan";
import { preflightOf } from "./preflight.server";
import type { Preflight, PreflightSettings } from "./preflight.server";
import type { Question } from "./question.server";
import { countUnderWay, lockCampaign } from "./campaigns.server";
import type { Campaign } from "./campaigns.server";
import { whyItWaits } from "./waiting";
import type { Waiting } from "./waiting";

/** Who does it, and from where. */
export interface Operator extends Provenance {
  /** The account's address. */
  readonly by: string;
}

/** "wrong-state": a campaign in this state cannot be paused, or resumed, or cancelled. */
export type Steering = { ok: true } | { ok: false; error: "unknown-campaign" | "wrong-state" };

export type Rescheduling = Steering | { ok: false; error: ScheduleProblem };

export type Export =
  { ok: true; batches: AsyncIterable<readonly Delivery[]> } | { ok: false; error: "unknown-campaign" };

/** Nothing holds a campaign back any more. */
const GOES_ON = { trouble: "", resume_at: 0, waits_for: "", latest_answers: 0 } as const;

/** What operators do with a campaign; the dispatcher does the sending. */
export function createOutreach(has: {
  database: Database;
  clock: Clock;
  newId: NewId;
  /** Tells the dispatcher that there may be something to do. */
  wake: () => void;
  allowance: DailyAllowance;
  /** How long a confirmed campaign is held before it begins. */
  holdMs: number;
  settings: PreflightSettings;
}) {
  const { database, clock, newId, wake, holdMs, settings } = has;
  const { read } = database;
  const drafts = createDrafts({ database, clock, newId });

  return {
    audiencePreview: (kind: SubmissionKind): Promise<AudiencePreview> => previewAudience(read, kind),
    preflight: (campaign: Pick<Campaign, "audience" | "title" | "message">): Promise<Preflight> =>
      preflightOf(read, campaign, settings),
    findCampaign: (id: string) => findCampaign(read, id),
    countUnderWay: () => countUnderWay(read),
    latestCampaigns: (limit: number, before?: string) => latestCampaigns(read, limit, before),
    latestDrafts: (limit: number) => latestDrafts(read, limit),
    bookOf: (campaignId: string) => bookOf(read, campaignId),
    holdMs,
    /** Of today; undefined without a limit. */
    allowance: (): Promise<Allowance | undefined> => has.allowance.look(read, clock()),
    /** Why nothing of the campaign moves, and until when; undefined when it moves or is over. */
    async waiting(campaign: Campaign): Promise<Waiting | undefined> {
      const waiting = whyItWaits(campaign, await has.allowance.look(read, clock()), clock());
      if (waiting?.for !== "operator") return waiting;
      const paused = await getLatestActions(read, "pause-outreach", [campaign.id]);
      return { ...waiting, paused: paused.get(campaign.id) };
    },
    /**
     * Returns confirmed campaigns as latestCampaigns does, with their totals and why they wait, in as many queries for fifty
     * as for one.
     */
    async listCampaigns(limit: number, before?: string) {
      const campaigns = await latestCampaigns(read, limit, before);
      const paused = campaigns.filter(({ state }) => state === "paused");
      const [stats, pauses, today] = await Promise.all([
        getListedStats(read, toIds(campaigns)),
        getLatestActions(read, "pause-outreach", toIds(paused)),
        has.allowance.look(read, clock()),
      ]);
      return campaigns.map((campaign) => {
        const waiting = whyItWaits(campaign, today, clock());
        return {
          ...campaign,
          stats: stats.get(campaign.id) ?? NO_STATS,
          waiting: waiting?.for === "operator" ? { ...waiting, paused: pauses.get(campaign.id) } : waiting,
        };
      });
    },
    listDeliveries: (
      campaignId: string,
      page: DeliveryFilter & { after?: string | undefined; limit: number },
    ) => listDeliveries(database, campaignId, page),
    failureReasons: (campaignId: string): Promise<FailureReasons> => getFailureReasons(read, campaignId),

    /** A copy of the recipients that match, or of all, is written down before anything of it is read. */
    async exportDeliveries(campaignId: string, filter: DeliveryFilter, operator: Operator): Promise<Export> {
      const campaign = await findCampaign(read, campaignId);
      if (!campaign || campaign.state === "draft") return { ok: false, error: "unknown-campaign" };
      await database.write((trx) => audit(trx, "export-recipients", campaignId, operator));
      return { ok: true, batches: deliveryBatches(database, campaignId, filter) };
    },

    ...drafts,

    /** See confirmCampaign. */
    async confirm(
      options: { campaignId: string; question: Question; schedule?: Schedule | undefined },
      operator: Operator,
    ): Promise<Confirmation> {
      const outcome = await confirmCampaign(has, options, (trx, contentHash) =>
        audit(trx, "confirm-outreach", options.campaignId, operator, contentHash),
      );
      if (outcome.ok) wake();
      return outcome;
    },

    /** What is in flight still ends; nothing more begins until `resume`. A time it is to begin at stays. */
    pause: (campaignId: string, operator: Operator): Promise<Steering> =>
      steer(campaignId, "pause-outreach", operator, ["preparing", "sending"], () => ({
        state: "paused",
        trouble: "",
      })),

    /** Goes on with a paused campaign as it was planned, or at once with one that waits for the mail server. */
    resume: (campaignId: string, operator: Operator): Promise<Steering> =>
      steer(campaignId, "resume-outreach", operator, ["paused", "sending"], (campaign) => {
        if (!isPlanned(campaign)) return { state: movingState(campaign), ...GOES_ON };
        return campaign.state === "paused" ? { state: movingState(campaign) } : undefined;
      }),

    /** Begins now what waits for its time, or missed it. */
    begin: (campaignId: string, operator: Operator): Promise<Steering> =>
      steer(campaignId, "begin-outreach", operator, ["preparing", "sending", "paused"], (campaign) =>
        isPlanned(campaign) || campaign.waits_for === "missed"
          ? { state: movingState(campaign), ...GOES_ON }
          : undefined,
      ),

    /** Gives another time to one that waits for its time, or missed it. One that an operator paused stays paused. */
    async reschedule(campaignId: string, schedule: Schedule, operator: Operator): Promise<Rescheduling> {
      const now = clock();
      const error = problemWith(schedule, now);
      if (error) return { ok: false, error };
      return steer(
        campaignId,
        "reschedule-outreach",
        operator,
        ["preparing", "sending", "paused"],
        (campaign) => {
          if (!isPlanned(campaign) && campaign.waits_for !== "missed") return undefined;
          const isPaused = whyItWaits(campaign, undefined, now)?.for === "operator";
          return { state: isPaused ? "paused" : movingState(campaign), ...planFor(schedule, 0, now) };
        },
      );
    },

    /** What waits will be skipped; what is in flight still ends. Cannot be undone. */
    cancel: (campaignId: string, operator: Operator): Promise<Steering> =>
      steer(campaignId, "cancel-outreach", operator, ["preparing", "sending", "paused"], () => ({
        state: "cancelled",
        trouble: "",
        waits_for: "",
      })),

    /** See decideUncertain: one row, or without `deliveryId` all of the campaign. */
    async decideUncertain(
      campaignId: string,
      decision: Decision,
      operator: Operator,
      deliveryId?: string,
    ): Promise<Correction> {
      const outcome = await decideUncertain(has, { campaignId, deliveryId, decision }, (trx) =>
        audit(trx, "decide-uncertain", campaignId, operator),
      );
      if (outcome.ok) wake();
      return outcome;
    },

    /** See retryFailed. */
    async retryFailed(campaignId: string, operator: Operator): Promise<Retry> {
      const outcome = await retryFailed(has, campaignId, (trx) =>
        audit(trx, "retry-failed", campaignId, operator),
      );
      if (outcome.ok) wake();
      return outcome;
    },
  };

  async function steer(
    campaignId: string,
    action: AuditAction,
    operator: Operator,
    from: readonly CampaignState[],
    /** Undefined: there is nothing to change in this state either. */
    change: (
      campaign: Campaign,
    ) =>
      | Partial<
          Pick<Campaign, "state" | "trouble" | "resume_at" | "waits_for" | "when_missed" | "latest_answers">
        >
      | undefined,
  ): Promise<Steering> {
    const outcome = await database.write(async (trx): Promise<Steering> => {
      const campaign = await lockCampaign(trx, database.dialect, campaignId);
      if (!campaign) return { ok: false, error: "unknown-campaign" };
      const changes = from.includes(campaign.state) ? change(campaign) : undefined;
      if (!changes) return { ok: false, error: "wrong-state" };
      await trx.updateTable("sends").set(changes).where("id", "=", campaignId).execute();
      await audit(trx, action, campaignId, operator);
      return { ok: true };
    });
    if (outcome.ok) wake();
    return outcome;
  }

  function audit(
    trx: Write,
    action: AuditAction,
    subject: string,
    { by, network, requestId }: Operator,
    contentHash = "",
  ) {
    const entry = { actor: by, action, subject, outcome: "ok", network, requestId, contentHash } as const;
    return recordAudit(trx, { ...entry, id: newId(), at: clock() });
  }
}

const toIds = (campaigns: readonly { readonly id: string }[]): string[] => campaigns.map(({ id }) => id);

/** The state of a campaign that is neither paused nor over. */
function movingState(campaign: Campaign): CampaignState {
  return campaign.prepared_through === campaign.audience_through ? "sending" : "preparing";
}
