import { createHash } from "node:crypto";
import type { Write } from "~/db/database.server";
import type { BroadcastAudience, PushState } from "~/db/tables/broadcast";
import { days } from "~/lib/durations";
import { isUuid } from "~/lib/uuid";
import type { ListPage } from "~/lib/list-page";
import { consume } from "~/services/attempts/attempts.server";
import { createAudit, getLatestActions, type Actor } from "~/services/audit/audit.server";
import { MAX_PAYLOAD_BYTES, type PushSender } from "~/services/push/push-sender";
import { countUnderWay, NO_STATS } from "~/services/queue/delivery-stats.server";
import { canTransition, getMovingState } from "~/services/queue/life-cycle";
import { createTransitions } from "~/services/queue/transitions.server";
import type { ServiceDeps } from "~/services/service-deps";
import {
  getBroadcastStats,
  findBroadcast,
  getListedStats,
  getLastToLanding,
  listLatestBroadcasts,
  listPushes,
  readPushBatches,
  getFailureCauses,
} from "./broadcast-stats.server";
import type { PushFilter, PushPage } from "./broadcast-stats.server";
import { getStopReason, REFUSALS_ACCEPTED, resetCircuit } from "./circuit";
import { countOwnDevices, getLastDevice, removeGoneDevices, CHUNK, type Engine } from "./audience.server";
import { lockBroadcast, NO_HOLD, type Broadcast, type TransitionResult } from "./broadcast-state.server";
import { formatDetail } from "./delivery-result";
import { getPayloadBytes, toPushMessage, type Content } from "./message";
import type { AppTypes } from "./target";
import { addPart, reopenPart } from "./platform-part.server";

export interface BroadcastDraft extends Content {
  readonly audience: BroadcastAudience;
  /** Applies to the application audience only. */
  readonly tenant: { readonly id: string; readonly name: string } | undefined;
}

/** The content, the audience and its size that an operator reviewed, and confirms exactly as reviewed. */
export interface ReviewedBroadcast {
  /** Hash of the reviewed content; see getContentHash. */
  readonly contentHash: string;
  readonly devices: number;
}

/** Returns the hex SHA-256 of a broadcast's audience and content. */
export function getContentHash({ audience, tenant_id, title, body, link }: Broadcast): string {
  return createHash("sha256")
    .update(JSON.stringify([audience, tenant_id, title, body, link]))
    .digest("hex");
}

/**
 * `already`: it was confirmed before, and nothing changed. "content-changed": the draft differs from the reviewed content
 * and must be reviewed again (hardening C30).
 */
export type Confirmation =
  | { ok: true; already: boolean }
  | { ok: false; error: "unknown-broadcast" | "content-changed" | "not-sendable" | "no-devices" }
  | { ok: false; error: "audience-changed"; devices: number }
  /** The daily limit is used up. */
  | { ok: false; error: "day-is-full"; retryAfterSeconds: number };

export type Broadcasts = ReturnType<typeof createBroadcasts>;

interface BroadcastsDeps extends ServiceDeps {
  /** The engine whose devices can be reached. */
  readonly engine: Engine;
  readonly appTypes: AppTypes;
  /** Limit of confirmed broadcasts within 24 hours; 0 disables it. */
  readonly perDay: number;
  /** Whether the application's backend sends to its own devices (PLATFORM_BROADCASTS). */
  readonly isPlatformUsed: boolean;
  /** Wakes the workers, for there may be work. */
  readonly wake: () => void;
}

/** Creates the operations on broadcasts; the worker (broadcast-jobs.server.ts) sends them. */
export function createBroadcasts(deps: BroadcastsDeps) {
  const { database, clock, newId, wake, isPlatformUsed, perDay } = deps;
  const { read } = database;
  const audit = createAudit(deps);
  const { transition, thenWake } = createTransitions({
    database,
    audit,
    wake,
    lock: lockBroadcast,
    update: (trx, id, changes: Partial<Broadcast>) =>
      trx.updateTable("broadcasts").set(changes).where("id", "=", id).execute(),
    unknown: "unknown-broadcast",
  });
  /** Whether the application's backend sends a part of it, to its own devices. */
  const isForPlatform = (audience: BroadcastAudience) => isPlatformUsed && audience !== "landing";

  return {
    /** Returns an id for a form, whose broadcast can be confirmed under it only once. */
    newBroadcastId: newId,
    find: (id: string) => findBroadcast(read, id),
    getLastToLanding: () => getLastToLanding(read),
    listLatest: (page: ListPage) => listLatestBroadcasts(read, page),
    /** Lists broadcasts as `listLatest` does, with totals and who paused them, in a constant number of queries. */
    async list(page: ListPage) {
      const found = await listLatestBroadcasts(read, page);
      const ids = found.map(({ id }) => id);
      const pausedIds = found.filter(({ state }) => state === "paused").map(({ id }) => id);
      const [stats, pauses] = await Promise.all([
        getListedStats(read, ids),
        getLatestActions(read, "pause-broadcast", pausedIds),
      ]);
      return found.map((broadcast) => ({
        ...broadcast,
        stats: stats.get(broadcast.id) ?? NO_STATS,
        paused: pauses.get(broadcast.id),
      }));
    },
    getStats: (id: string) => getBroadcastStats(read, id),
    getFailureCauses: (id: string) => getFailureCauses(read, id),
    countUnderWay: () => countUnderWay(read, "broadcasts"),
    listPushes: (id: string, page: PushPage) => listPushes(read, id, page),
    /** Counts our devices in an audience now. */
    countDevices: (audience: BroadcastAudience, tenantId: string | null = null) =>
      countOwnDevices(read, deps, { audience, tenant_id: tenantId }),
    isForPlatform,

    /**
     * Saves a draft under the form's id. A confirmed broadcast is never changed.
     * @returns false when the broadcast was confirmed before, or the id is malformed.
     */
    async saveDraft(id: string, draft: BroadcastDraft, by: string): Promise<boolean> {
      if (!isUuid(id)) return false;
      const { audience, title, body, link } = draft;
      const tenant = audience === "application" ? draft.tenant : undefined;
      const content = {
        audience,
        title,
        body,
        link,
        touched_at: clock(),
        tenant_id: tenant?.id ?? null,
        tenant_name: tenant?.name ?? "",
      };
      return database.write(async (trx) => {
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto("broadcasts")
          .values({
            id,
            state: "draft",
            ...content,
            created_by: by,
            created_at: clock(),
          })
          .onConflict((conflict) =>
            conflict.column("id").doUpdateSet(content).where("broadcasts.state", "=", "draft"),
          )
          .executeTakeFirst();
        return numInsertedOrUpdatedRows === 1n;
      });
    },

    /**
     * Moves a draft to `preparing`, or to `sending` without devices of ours, in one write; the worker takes over
     * from there. The audience is every device registered until now.
     * @param options.reviewed what the operator was shown; what differs now must be reviewed first. Undefined without a
     * review.
     */
    confirm: (
      { id, reviewed }: { id: string; reviewed: ReviewedBroadcast | undefined },
      actor: Actor,
    ): Promise<Confirmation> =>
      thenWake(
        database.write(async (trx): Promise<Confirmation> => {
          const broadcast = await lockBroadcast(trx, id);
          if (!broadcast) return { ok: false, error: "unknown-broadcast" };
          if (!canTransition(broadcast, "confirm")) return { ok: true, already: true };
          if (reviewed && getContentHash(broadcast) !== reviewed.contentHash) {
            return { ok: false, error: "content-changed" };
          }
          const isFilled = broadcast.title.trim() !== "" && broadcast.body.trim() !== "";
          if (!isFilled || getPayloadBytes(broadcast) > MAX_PAYLOAD_BYTES)
            return { ok: false, error: "not-sendable" };
          const hasPart = isForPlatform(broadcast.audience);
          const devices = await countOwnDevices(trx, deps, broadcast);
          if (devices === 0 && !hasPart) return { ok: false, error: "no-devices" };
          if (reviewed && devices !== reviewed.devices) {
            return { ok: false, error: "audience-changed", devices };
          }
          if (perDay > 0) {
            const limits = { broadcasts: { allowed: perDay, windowMs: days(1) } };
            const attempt = await consume(trx, limits, clock());
            if (!attempt.ok) {
              return { ok: false, error: "day-is-full", retryAfterSeconds: attempt.retryAfterSeconds };
            }
          }
          if (hasPart) await addPart(trx, id, clock());
          const audience_through = devices === 0 ? "" : await getLastDevice(trx);
          const state = getMovingState({ ...broadcast, audience_through });
          await trx
            .updateTable("broadcasts")
            .set({ state, confirmed_at: clock(), audience_through })
            .where("id", "=", id)
            .execute();
          await audit(trx, actor, { action: "confirm-broadcast", subject: id });
          return { ok: true, already: false };
        }),
      ),

    /** Pauses a broadcast until `resume`. Messages in flight finish. */
    pause: (id: string, actor: Actor) =>
      transition(id, { kind: "pause", action: "pause-broadcast", actor }, () => ({
        state: "paused",
        hold: "operator",
        hold_detail: "",
      })),

    /** Resumes a paused broadcast. If it stopped by itself, refused deliveries are retried and assessed again. */
    async resume(id: string, actor: Actor): Promise<TransitionResult> {
      const broadcast = await findBroadcast(read, id);
      const stoppedBy = broadcast && getStopReason(broadcast);
      const resuming = { kind: "resume", action: "resume-broadcast", actor } as const;
      // A colleague may have resumed it since it was read.
      const isUnchanged = (found: Broadcast) =>
        found.state === "paused" && getStopReason(found) === stoppedBy;
      if (stoppedBy) {
        const states: PushState[] = stoppedBy === "refusals" ? ["gone", "failed"] : ["failed"];
        return retry(id, states, resuming, isUnchanged);
      }
      return transition(id, resuming, (found) =>
        isUnchanged(found) ? { state: getMovingState(found), ...NO_HOLD } : undefined,
      );
    },

    /** Confirms that the refused devices are gone: removes them and sends the rest without assessing refusals. */
    acceptRefusals: (id: string, actor: Actor) =>
      transition(id, { kind: "resume", action: "accept-refusals", actor }, async (found, trx) => {
        if (found.hold !== "refusals") return undefined;
        await removeGoneDevices(trx, id);
        return { ...REFUSALS_ACCEPTED, state: getMovingState(found), ...NO_HOLD };
      }),

    /** Cancels a broadcast for good. Waiting deliveries are skipped; those in flight finish. */
    cancel: (id: string, actor: Actor) =>
      transition(id, { kind: "cancel", action: "cancel-broadcast", actor }, () => ({
        state: "cancelled",
        ...NO_HOLD,
      })),

    /** Requeues the failed deliveries of a finished broadcast with their attempts reset. */
    retryFailed: (id: string, actor: Actor): Promise<TransitionResult> =>
      retry(id, ["failed"], { kind: "retry", action: "retry-broadcast", actor }),

    /** Requeues the platform's part, which failed or is uncertain. */
    retryPlatform: (id: string, actor: Actor) =>
      transition(id, { kind: "retryPart", action: "ask-platform-again", actor }, async (found, trx) => {
        if (!(await reopenPart(trx, id, clock()))) return undefined;
        const state = found.state === "finished" ? getMovingState(found) : found.state;
        return { state, finished_at: null };
      }),

    /** Exports the deliveries in one state, or all. The audit entry is written before the first row is read. */
    async exportPushes(id: string, state: PushFilter | undefined, actor: Actor) {
      const broadcast = await findBroadcast(read, id);
      if (!broadcast || broadcast.state === "draft") return { ok: false } as const;
      await database.write((trx) => audit(trx, actor, { action: "export-devices", subject: id }));
      return { ok: true, batches: readPushBatches(read, id, state) } as const;
    },
  };

  /**
   * Requeues unsuccessful deliveries with their attempts reset, and resumes the broadcast with a reset circuit.
   * Works in batches, so that no write blocks the process for long. A later Retry failed completes an interrupted one; of
   * an interrupted resume the remaining `gone` ones stay gone.
   * @param states of the deliveries to requeue; gone devices exist only until the circuit lets them be removed.
   * @param isAllowed checks what the transition requires beyond the state.
   */
  async function retry(
    id: string,
    states: readonly PushState[],
    retrying: Parameters<typeof transition>[1],
    isAllowed: (broadcast: Broadcast) => boolean = () => true,
  ) {
    let requeued = 0n;
    const outcome = await transition(id, retrying, async (broadcast, trx) => {
      if (!isAllowed(broadcast)) return undefined;
      requeued = await requeue(trx, id, states);
      if (requeued === 0n && broadcast.state === "finished") return undefined;
      const state = getMovingState(broadcast);
      return { ...resetCircuit(broadcast), state, ...NO_HOLD, finished_at: null };
    });
    while (requeued >= CHUNK) {
      requeued = await database.write(async (trx) => {
        const broadcast = await lockBroadcast(trx, id);
        // Nothing would send what is open in one that is over: its first ones may all be sent by now.
        const isOver = broadcast?.state === "cancelled" || broadcast?.state === "finished";
        return isOver ? 0n : requeue(trx, id, states);
      });
    }
    return outcome;
  }

  /** Requeues the next thousand deliveries in these states. @returns how many there were. */
  async function requeue(trx: Write, id: string, states: readonly PushState[]): Promise<bigint> {
    const { numUpdatedRows } = await trx
      .updateTable("pushes")
      .set({ state: "pending", attempts: 0, not_before: 0, detail: "", updated_at: clock() })
      .where("id", "in", (db) =>
        db
          .selectFrom("pushes")
          .select("id")
          .where("broadcast_id", "=", id)
          .where("state", "in", states)
          .limit(CHUNK),
      )
      .executeTakeFirst();
    return numUpdatedRows;
  }
}

/** "unusable": the token is not of our engine. `reason`: the push service's reply. */
type TestPush =
  { ok: true } | { ok: false; error: "unusable" } | { ok: false; error: "not-sent"; reason: string };

/** Creates the function that sends one message to the operator's own browser, immediately and without a broadcast. */
export function createTestPush(deps: ServiceDeps & { sender: Pick<PushSender, "readToken" | "send"> }) {
  const { database, sender, newId } = deps;
  const audit = createAudit(deps);
  /** @param token of the operator's own browser, which just registered. */
  return async (token: string, content: Content, actor: Actor): Promise<TestPush> => {
    const device = sender.readToken(token);
    if (!device) return { ok: false, error: "unusable" };
    const outcome = await sender.send(device, toPushMessage(newId(), content));
    const isAccepted = outcome.kind === "accepted";
    await database.write((trx) =>
      audit(trx, actor, { action: "send-test-push", subject: "", outcome: isAccepted ? "ok" : "failed" }),
    );
    if (isAccepted) return { ok: true };
    return { ok: false, error: "not-sent", reason: formatDetail(outcome) };
  };
}
