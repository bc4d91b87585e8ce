import type { Database, Write } from "~/db/database.server";
import type { SendState } from "~/db/tables/outreach";
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
  findSend,
  getFailureReasons,
  getListedStats,
  latestDrafts,
  latestSends,
  listDeliveries,
  NO_STATS,
} from "./book.server";
import type { Delivery, DeliveryFilter, FailureReasons } from "./book.server";
import { confirmSend } from "./confirm.server";
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
import { countUnderWay, lockSend } from "./sends.server";
import type { Send } from "./sends.server";
import { whyItWaits } from "./waiting";
import type { Waiting } from "./waiting";

/** Who does it, and from where. */
export interface Operator extends Provenance {
  /** The account's address. */
  readonly by: string;
}

/** "wrong-state": a send in this state cannot be paused, or resumed, or cancelled. */
export type Steering = { ok: true } | { ok: false; error: "unknown-send" | "wrong-state" };

export type Rescheduling = Steering | { ok: false; error: ScheduleProblem };

export type Export =
  { ok: true; batches: AsyncIterable<readonly Delivery[]> } | { ok: false; error: "unknown-send" };

/** Nothing holds a send back any more. */
const GOES_ON = { trouble: "", resume_at: 0, waits_for: "", latest_answers: 0 } as const;

/** What operators do with a send; the dispatcher does the sending. */
export function createOutreach(has: {
  database: Database;
  clock: Clock;
  newId: NewId;
  /** Tells the dispatcher that there may be something to do. */
  wake: () => void;
  allowance: DailyAllowance;
  /** How long a confirmed send is held before it begins. */
  holdMs: number;
  settings: PreflightSettings;
}) {
  const { database, clock, newId, wake, holdMs, settings } = has;
  const { read } = database;
  const drafts = createDrafts({ database, clock, newId });

  return {
    audiencePreview: (kind: SubmissionKind): Promise<AudiencePreview> => previewAudience(read, kind),
    preflight: (send: Pick<Send, "audience" | "title" | "message">): Promise<Preflight> =>
      preflightOf(read, send, settings),
    findSend: (id: string) => findSend(read, id),
    countUnderWay: () => countUnderWay(read),
    latestSends: (limit: number, before?: string) => latestSends(read, limit, before),
    latestDrafts: (limit: number) => latestDrafts(read, limit),
    bookOf: (sendId: string) => bookOf(read, sendId),
    holdMs,
    /** Of today; undefined without a limit. */
    allowance: (): Promise<Allowance | undefined> => has.allowance.look(read, clock()),
    /** Why nothing of the send moves, and until when; undefined when it moves or is over. */
    async waiting(send: Send): Promise<Waiting | undefined> {
      const waiting = whyItWaits(send, await has.allowance.look(read, clock()), clock());
      if (waiting?.for !== "operator") return waiting;
      const paused = await getLatestActions(read, "pause-outreach", [send.id]);
      return { ...waiting, paused: paused.get(send.id) };
    },
    /**
     * Returns confirmed campaigns as latestSends does, with their totals and why they wait, in as many queries for fifty
     * as for one.
     */
    async listCampaigns(limit: number, before?: string) {
      const sends = await latestSends(read, limit, before);
      const paused = sends.filter(({ state }) => state === "paused");
      const [stats, pauses, today] = await Promise.all([
        getListedStats(read, toIds(sends)),
        getLatestActions(read, "pause-outreach", toIds(paused)),
        has.allowance.look(read, clock()),
      ]);
      return sends.map((send) => {
        const waiting = whyItWaits(send, today, clock());
        return {
          ...send,
          stats: stats.get(send.id) ?? NO_STATS,
          waiting: waiting?.for === "operator" ? { ...waiting, paused: pauses.get(send.id) } : waiting,
        };
      });
    },
    listDeliveries: (sendId: string, page: DeliveryFilter & { after?: string | undefined; limit: number }) =>
      listDeliveries(database, sendId, page),
    failureReasons: (sendId: string): Promise<FailureReasons> => getFailureReasons(read, sendId),

    /** A copy of the recipients that match, or of all, is written down before anything of it is read. */
    async exportDeliveries(sendId: string, filter: DeliveryFilter, operator: Operator): Promise<Export> {
      const send = await findSend(read, sendId);
      if (!send || send.state === "draft") return { ok: false, error: "unknown-send" };
      await database.write((trx) => audit(trx, "export-recipients", sendId, operator));
      return { ok: true, batches: deliveryBatches(database, sendId, filter) };
    },

    ...drafts,

    /** See confirmSend. */
    async confirm(
      options: { sendId: string; question: Question; schedule?: Schedule | undefined },
      operator: Operator,
    ): Promise<Confirmation> {
      const outcome = await confirmSend(has, options, (trx, contentHash) =>
        audit(trx, "confirm-outreach", options.sendId, operator, contentHash),
      );
      if (outcome.ok) wake();
      return outcome;
    },

    /** What is in flight still ends; nothing more begins until `resume`. A time it is to begin at stays. */
    pause: (sendId: string, operator: Operator): Promise<Steering> =>
      steer(sendId, "pause-outreach", operator, ["preparing", "sending"], () => ({
        state: "paused",
        trouble: "",
      })),

    /** Goes on with a paused send as it was planned, or at once with one that waits for the mail server. */
    resume: (sendId: string, operator: Operator): Promise<Steering> =>
      steer(sendId, "resume-outreach", operator, ["paused", "sending"], (send) => {
        if (!isPlanned(send)) return { state: movingState(send), ...GOES_ON };
        return send.state === "paused" ? { state: movingState(send) } : undefined;
      }),

    /** Begins now what waits for its time, or missed it. */
    begin: (sendId: string, operator: Operator): Promise<Steering> =>
      steer(sendId, "begin-outreach", operator, ["preparing", "sending", "paused"], (send) =>
        isPlanned(send) || send.waits_for === "missed" ? { state: movingState(send), ...GOES_ON } : undefined,
      ),

    /** Gives another time to one that waits for its time, or missed it. One that an operator paused stays paused. */
    async reschedule(sendId: string, schedule: Schedule, operator: Operator): Promise<Rescheduling> {
      const now = clock();
      const error = problemWith(schedule, now);
      if (error) return { ok: false, error };
      return steer(sendId, "reschedule-outreach", operator, ["preparing", "sending", "paused"], (send) => {
        if (!isPlanned(send) && send.waits_for !== "missed") return undefined;
        const isPaused = whyItWaits(send, undefined, now)?.for === "operator";
        return { state: isPaused ? "paused" : movingState(send), ...planFor(schedule, 0, now) };
      });
    },

    /** What waits will be skipped; what is in flight still ends. Cannot be undone. */
    cancel: (sendId: string, operator: Operator): Promise<Steering> =>
      steer(sendId, "cancel-outreach", operator, ["preparing", "sending", "paused"], () => ({
        state: "cancelled",
        trouble: "",
        waits_for: "",
      })),

    /** See decideUncertain: one row, or without `deliveryId` all of the send. */
    async decideUncertain(
      sendId: string,
      decision: Decision,
      operator: Operator,
      deliveryId?: string,
    ): Promise<Correction> {
      const outcome = await decideUncertain(has, { sendId, deliveryId, decision }, (trx) =>
        audit(trx, "decide-uncertain", sendId, operator),
      );
      if (outcome.ok) wake();
      return outcome;
    },

    /** See retryFailed. */
    async retryFailed(sendId: string, operator: Operator): Promise<Retry> {
      const outcome = await retryFailed(has, sendId, (trx) => audit(trx, "retry-failed", sendId, operator));
      if (outcome.ok) wake();
      return outcome;
    },
  };

  async function steer(
    sendId: string,
    action: AuditAction,
    operator: Operator,
    from: readonly SendState[],
    /** Undefined: there is nothing to change in this state either. */
    change: (
      send: Send,
    ) =>
      | Partial<
          Pick<Send, "state" | "trouble" | "resume_at" | "waits_for" | "when_missed" | "latest_answers">
        >
      | undefined,
  ): Promise<Steering> {
    const outcome = await database.write(async (trx): Promise<Steering> => {
      const send = await lockSend(trx, database.dialect, sendId);
      if (!send) return { ok: false, error: "unknown-send" };
      const changes = from.includes(send.state) ? change(send) : undefined;
      if (!changes) return { ok: false, error: "wrong-state" };
      await trx.updateTable("sends").set(changes).where("id", "=", sendId).execute();
      await audit(trx, action, sendId, operator);
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

const toIds = (sends: readonly { readonly id: string }[]): string[] => sends.map(({ id }) => id);

/** The state of a send that is neither paused nor over. */
function movingState(send: Send): SendState {
  return send.prepared_through === send.audience_through ? "sending" : "preparing";
}
