import type { Database, Write } from "~/db/database.server";
import type { BroadcastAudience, PushState } from "~/db/tables/broadcast";
import { isUuid } from "~/lib/uuid";
import type { AuditAction, Provenance } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import { getLatestActions } from "~/services/audit/latest-actions.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import {
  bookOf,
  countUnderWay,
  findBroadcast,
  getListedStats,
  latestBroadcasts,
  NO_STATS,
  listPushes,
  pushBatches,
} from "./book.server";
import { getFailureCauses } from "./failure-causes.server";
import type { PushRow } from "./book.server";
import { OVERRULED, UNJUDGED } from "./circuit";
import { confirmBroadcast } from "./confirm.server";
import type { Confirmation } from "./confirm.server";
import { countOwnDevices, forgetDevices } from "./devices-of.server";
import type { Engine } from "./devices-of.server";
import { lockBroadcast } from "./ledger.server";
import type { Broadcast } from "./ledger.server";
import type { Content } from "./message";
import { isForPlatform, reopenPart } from "./platform-part.server";
import { movingState } from "./steering";
import type { Steering } from "./steering";
import { tryAgain } from "./try-again.server";

export interface BroadcastDraft extends Content {
  readonly audience: BroadcastAudience;
  /** Counts for the application audience alone. */
  readonly tenant: { readonly id: string; readonly name: string } | undefined;
}

/** Who does it, and from where. */
export interface Operator extends Provenance {
  /** The account's address. */
  readonly by: string;
}

export type Export = { ok: true; batches: AsyncIterable<readonly PushRow[]> } | { ok: false };

type Changes = Partial<
  Pick<Broadcast, "state" | "trouble" | "stopped_by" | "answers" | "refusals" | "finished_at">
>;

export type Broadcasts = ReturnType<typeof createBroadcasts>;

/** What operators do with a broadcast; the dispatcher does the sending. */
export function createBroadcasts(has: {
  database: Database;
  /** Whose devices can be reached. */
  engine: Engine;
  appTypes: { readonly landing: string; readonly application: string };
  /** How many may be confirmed within 24 hours; 0: any number. */
  perDay: number;
  clock: Clock;
  newId: NewId;
  /** Whether the application's backend reaches its users itself (PLATFORM_BROADCASTS). */
  isPlatformUsed: boolean;
  /** Tells the dispatcher that there may be something to do. */
  wake: () => void;
}) {
  const { database, clock, newId, wake, isPlatformUsed } = has;
  const { read } = database;

  return {
    /** For a form: what is sent with it will have this id, and only once. */
    newBroadcastId: newId,
    find: (id: string) => findBroadcast(read, id),
    latest: (limit: number, before?: string) => latestBroadcasts(read, limit, before),
    /** Returns the same with their totals and who paused them, in as many queries for twenty as for one. */
    async list(limit: number, before?: string) {
      const found = await latestBroadcasts(read, limit, before);
      const paused = found.filter(({ state }) => state === "paused");
      const [stats, pauses] = await Promise.all([
        getListedStats(
          read,
          found.map(({ id }) => id),
        ),
        getLatestActions(
          read,
          "pause-broadcast",
          paused.map(({ id }) => id),
        ),
      ]);
      return found.map((broadcast) => ({
        ...broadcast,
        stats: stats.get(broadcast.id) ?? NO_STATS,
        paused: pauses.get(broadcast.id),
      }));
    },
    bookOf: (id: string) => bookOf(read, id),
    getFailureCauses: (id: string) => getFailureCauses(read, id),
    countUnderWay: () => countUnderWay(read),
    listPushes: (
      id: string,
      page: { state?: PushState | undefined; after?: string | undefined; limit: number },
    ) => listPushes(read, id, page),
    /** How many devices of ours an audience has now. */
    countDevices: (audience: BroadcastAudience, tenantId: string | null = null) =>
      countOwnDevices(read, has, { audience, tenantId }),
    /** Whether the application's backend has a part in it, to as many devices as it knows. */
    isForPlatform: (audience: BroadcastAudience) => isForPlatform(isPlatformUsed, audience),

    /**
     * Keeps what is being written under the form's id. What was confirmed is never changed.
     * @returns whether it is a draft; otherwise it was sent before, or the id is none.
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
            confirmed_at: null,
            finished_at: null,
            prepared_through: "",
            audience_through: "",
            trouble: "",
            stopped_by: "",
            ...UNJUDGED,
          })
          .onConflict((conflict) =>
            conflict.column("id").doUpdateSet(content).where("broadcasts.state", "=", "draft"),
          )
          .executeTakeFirst();
        return numInsertedOrUpdatedRows === 1n;
      });
    },

    /** See confirmBroadcast. */
    async confirm(
      given: { id: string; expectedDevices: number | undefined },
      operator: Operator,
    ): Promise<Confirmation> {
      const outcome = await confirmBroadcast(has, given, (trx) =>
        audit(trx, "confirm-broadcast", given.id, operator),
      );
      if (outcome.ok) wake();
      return outcome;
    },

    /** What is in flight still ends; nothing more begins until `resume`. */
    pause: (id: string, operator: Operator) =>
      steer(id, "pause-broadcast", operator, ({ state }) =>
        state === "preparing" || state === "sending"
          ? { state: "paused", trouble: "", stopped_by: "" }
          : undefined,
      ),

    /** Goes on with a paused one. After it stopped by itself, what was refused is tried again, and judged again. */
    async resume(id: string, operator: Operator): Promise<Steering> {
      const broadcast = await findBroadcast(read, id);
      if (broadcast?.state === "paused" && broadcast.stopped_by !== "") {
        const states: PushState[] = broadcast.stopped_by === "refusals" ? ["gone", "failed"] : ["failed"];
        return woken(await tryAgain(has, id, states, (trx) => audit(trx, "resume-broadcast", id, operator)));
      }
      return steer(id, "resume-broadcast", operator, (found) =>
        found.state === "paused" ? { state: movingState(found), trouble: "", stopped_by: "" } : undefined,
      );
    },

    /** Somebody looked: the devices are really gone. They are removed, and the rest goes out unjudged. */
    acceptRefusals: (id: string, operator: Operator) =>
      steer(
        id,
        "accept-refusals",
        operator,
        (found) =>
          found.state === "paused" && found.stopped_by === "refusals"
            ? { ...OVERRULED, state: movingState(found), trouble: "", stopped_by: "" }
            : undefined,
        (trx) => forgetDevices(trx, id),
      ),

    /** What waits will not be sent; what is in flight still ends. Cannot be undone. */
    cancel: (id: string, operator: Operator) =>
      steer(id, "cancel-broadcast", operator, ({ state }) =>
        ["preparing", "sending", "paused"].includes(state)
          ? { state: "cancelled", trouble: "", stopped_by: "" }
          : undefined,
      ),

    /** Tries the failed ones again, from the start. */
    async retryFailed(id: string, operator: Operator): Promise<Steering> {
      return woken(await tryAgain(has, id, ["failed"], (trx) => audit(trx, "retry-broadcast", id, operator)));
    },

    /** Has the platform asked for its part again, which it refused or may have sent. */
    async askPlatformAgain(id: string, operator: Operator): Promise<Steering> {
      return woken(
        await database.write(async (trx): Promise<Steering> => {
          const broadcast = await lockBroadcast(trx, database.dialect, id);
          if (!broadcast) return { ok: false, error: "unknown-broadcast" };
          if (broadcast.state === "cancelled" || !(await reopenPart(trx, id, clock()))) {
            return { ok: false, error: "wrong-state" };
          }
          if (broadcast.state === "finished") {
            const goesOn = { state: movingState(broadcast), finished_at: null };
            await trx.updateTable("broadcasts").set(goesOn).where("id", "=", id).execute();
          }
          await audit(trx, "ask-platform-again", id, operator);
          return { ok: true };
        }),
      );
    },

    /** A copy of the rows in one state, or of all, is written down before anything of it is read. */
    async exportPushes(id: string, state: PushState | undefined, operator: Operator): Promise<Export> {
      const broadcast = await findBroadcast(read, id);
      if (!broadcast || broadcast.state === "draft") return { ok: false };
      await database.write((trx) => audit(trx, "export-devices", id, operator));
      return { ok: true, batches: pushBatches(read, id, state) };
    },
  };

  function woken(outcome: Steering): Steering {
    if (outcome.ok) wake();
    return outcome;
  }

  async function steer(
    id: string,
    action: AuditAction,
    operator: Operator,
    /** Undefined: it cannot be done in this state. */
    change: (broadcast: Broadcast) => Changes | undefined,
    alongside?: (trx: Write) => Promise<void>,
  ): Promise<Steering> {
    return woken(
      await database.write(async (trx): Promise<Steering> => {
        const broadcast = await lockBroadcast(trx, database.dialect, id);
        if (!broadcast) return { ok: false, error: "unknown-broadcast" };
        const changes = change(broadcast);
        if (!changes) return { ok: false, error: "wrong-state" };
        await trx.updateTable("broadcasts").set(changes).where("id", "=", id).execute();
        await alongside?.(trx);
        await audit(trx, action, id, operator);
        return { ok: true };
      }),
    );
  }

  function audit(trx: Write, action: AuditAction, subject: string, { by, network, requestId }: Operator) {
    const entry = { actor: by, action, subject, outcome: "ok", network, requestId } as const;
    return recordAudit(trx, { ...entry, id: newId(), at: clock() });
  }
}
