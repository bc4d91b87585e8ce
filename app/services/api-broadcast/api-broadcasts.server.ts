import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { getBroadcastCounts } from "~/lib/broadcast-counts";
import type { BroadcastDraft, Broadcasts } from "~/services/broadcast/broadcasts.server";
import { getKeyedAction } from "~/services/idempotency/idempotency.server";
import type { Idempotency, KeyedAction, KeyedCall } from "~/services/idempotency/idempotency.server";
import type { Clock } from "~/services/service-deps";

/** Longest time a call waits for a broadcast to settle; then it returns the current status. */
const MAX_WAIT_MS = seconds(25);
const POLL_INTERVAL_MS = 200;
/** Maximum number of waiting calls, each of which is a request in flight; others return immediately. */
const MAX_WAITING = 20;

type ApiBroadcastOutcome =
  | { kind: "sent"; id: string; isRepeated: boolean }
  /** The audience has no device, and nothing was sent. */
  | { kind: "nobody" }
  | { kind: "day-is-full"; retryAfterSeconds: number }
  | { kind: "not-sendable" | "under-way" | "other-request" };

/**
 * Creates the broadcast calls of the API: a broadcast is confirmed immediately, and then treated like any
 * other. An idempotency key maps to its id, which can be confirmed once: a retry after a crash resumes the same
 * broadcast (C26).
 */
export function createApiBroadcasts(deps: {
  database: Database;
  broadcasts: Broadcasts;
  idempotency: Idempotency;
  clock: Clock;
  pause: (ms: number) => Promise<unknown>;
}) {
  const { database, broadcasts, idempotency, clock, pause } = deps;
  let waiting = 0;

  return {
    async send(draft: Omit<BroadcastDraft, "link">, call: KeyedCall): Promise<ApiBroadcastOutcome> {
      const { audience, tenant, title, body } = draft;
      const keyed = getKeyedAction(call, ["broadcast", audience, tenant?.id ?? null, title, body]);
      const id = broadcasts.newBroadcastId();
      const claim = await idempotency.claim(keyed, id);
      if (claim.kind === "new") return begin(id, draft, call, keyed);
      if (claim.kind === "interrupted") return begin(claim.reference, draft, call, keyed);
      return claim.kind === "done" ? { kind: "sent", id: claim.outcome, isRepeated: true } : claim;
    },

    getStatus,

    /**
     * Returns the status once the broadcast is over or waits for an operator, or after 25 s.
     * @param isAborted whether the caller has gone away.
     */
    async waitUntilSettled(id: string, isAborted = (): boolean => false) {
      const deadline = clock() + (waiting < MAX_WAITING ? MAX_WAIT_MS : 0);
      waiting += 1;
      try {
        for (;;) {
          const found = await broadcasts.find(id);
          const isAtRest = !found || found.finished_at !== null || found.state === "paused";
          if (isAtRest || clock() >= deadline || isAborted()) return await getStatus(id);
          await pause(POLL_INTERVAL_MS);
        }
      } finally {
        waiting -= 1;
      }
    },
  };

  /** Saves and confirms the broadcast. A throw keeps the key claimed: a retry with the same id is safe. */
  async function begin(
    id: string,
    draft: Omit<BroadcastDraft, "link">,
    { token, from }: KeyedCall,
    keyed: KeyedAction,
  ): Promise<ApiBroadcastOutcome> {
    await broadcasts.saveDraft(id, { ...draft, link: "" }, token.email);
    const actor = { ...from, by: token.email };
    const outcome = await broadcasts.confirm({ id, reviewed: undefined }, actor);
    if (outcome.ok) {
      if (keyed) await database.write((trx) => idempotency.settle(trx, keyed, id));
      return { kind: "sent", id, isRepeated: false };
    }
    await idempotency.release(keyed);
    if (outcome.error === "day-is-full") {
      return { kind: outcome.error, retryAfterSeconds: outcome.retryAfterSeconds };
    }
    return { kind: outcome.error === "no-devices" ? "nobody" : "not-sendable" };
  }

  /** Returns the status of a confirmed broadcast, with the specification's counts (section 3). */
  async function getStatus(id: string) {
    const found = await broadcasts.find(id);
    if (!found || found.state === "draft") return undefined;
    const { state } = found;
    return { id, state, ...getBroadcastCounts(await broadcasts.getStats(id)) };
  }
}
