import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import type { ApiToken } from "~/services/api-tokens/authentication.server";
import type { Provenance } from "~/services/audit/audit.server";
import { getCounts } from "~/services/broadcast/broadcast-stats.server";
import type { BroadcastDraft, Broadcasts } from "~/services/broadcast/broadcasts.server";
import type { Broadcast } from "~/services/broadcast/broadcast-state.server";
import type { Clock } from "~/services/clock";
import { getKeyedRequest } from "~/services/idempotency/idempotency.server";
import type { Idempotency, Keyed } from "~/services/idempotency/idempotency.server";

/** How long a program waits for the end of a broadcast; then it is told how far it came. */
const MAX_WAIT_MS = seconds(25);
const POLL_INTERVAL_MS = 200;
/** More programs than these are told at once: each takes the place of a visitor's form. */
const MAX_WAITING = 20;

/** What is known of a broadcast, in the specification's words (section 3). */
export interface BroadcastStatus {
  readonly id: string;
  readonly state: Exclude<Broadcast["state"], "draft">;
  /** Nothing more happens by itself: it is over, or waits for a person. */
  readonly isAtRest: boolean;
  readonly successCount: number;
  readonly failureCount: number;
}

export type ApiBroadcastOutcome =
  | { kind: "sent"; id: string; isRepeated: boolean }
  /** There is no device in the audience, and so no broadcast. */
  | { kind: "nobody" }
  | { kind: "day-is-full"; retryAfterSeconds: number }
  | { kind: "not-sendable" | "under-way" | "other-request" };

interface Request {
  readonly token: ApiToken;
  /** As the caller gave it; undefined without one. */
  readonly idempotencyKey: string | undefined;
  readonly from: Provenance;
}

/**
 * Broadcasts by programs: confirmed at once, and from there on like any other. A key given to one stands for its id, under
 * which it can be confirmed once: whoever was cut off by a crash goes on with the same one (C26).
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
    async send(draft: Omit<BroadcastDraft, "link">, request: Request): Promise<ApiBroadcastOutcome> {
      const { audience, tenant, title, body } = draft;
      const content = ["broadcast", audience, tenant?.id ?? null, title, body];
      const keyed = getKeyedRequest(request.token.id, request.idempotencyKey, content);
      const id = broadcasts.newBroadcastId();
      if (!keyed) return begin(id, draft, request);
      const claim = await idempotency.claim(keyed, id);
      switch (claim.kind) {
        case "new":
          return begin(id, draft, request, keyed);
        case "interrupted":
          return begin(claim.reference, draft, request, keyed);
        case "done":
          return { kind: "sent", id: claim.outcome, isRepeated: true };
        default:
          return claim;
      }
    },

    getStatus,

    /**
     * Its status when it is at rest, or when the caller has waited long enough.
     * @param isAborted whether nobody needs to wait any more.
     */
    async waitUntilSettled(
      id: string,
      isAborted = (): boolean => false,
    ): Promise<BroadcastStatus | undefined> {
      const deadline = clock() + (waiting < MAX_WAITING ? MAX_WAIT_MS : 0);
      waiting += 1;
      try {
        for (;;) {
          const status = await getStatus(id);
          if (!status || status.isAtRest || clock() >= deadline || isAborted()) return status;
          await pause(POLL_INTERVAL_MS);
        }
      } finally {
        waiting -= 1;
      }
    },
  };

  /** What throws in here keeps its key: nobody knows how far it came, and the same id is safe to try again. */
  async function begin(
    id: string,
    draft: Omit<BroadcastDraft, "link">,
    { token, from }: Request,
    keyed?: Keyed,
  ): Promise<ApiBroadcastOutcome> {
    await broadcasts.saveDraft(id, { ...draft, link: "" }, token.email);
    const actor = { by: token.email, network: from.network, requestId: from.requestId };
    const outcome = await broadcasts.confirm({ id, expectedDevices: undefined }, actor);
    if (outcome.ok) {
      if (keyed) await database.write((trx) => idempotency.settle(trx, keyed, id));
      return { kind: "sent", id, isRepeated: false };
    }
    if (keyed) await idempotency.release(keyed);
    switch (outcome.error) {
      case "no-devices":
        return { kind: "nobody" };
      case "day-is-full":
        return { kind: "day-is-full", retryAfterSeconds: outcome.retryAfterSeconds };
      default:
        return { kind: "not-sendable" };
    }
  }

  /** Undefined for an id that no confirmed broadcast has. */
  async function getStatus(id: string): Promise<BroadcastStatus | undefined> {
    const found = await broadcasts.find(id);
    if (!found || found.state === "draft") return undefined;
    const { state, finished_at } = found;
    const isAtRest = finished_at !== null || state === "paused";
    return { id, state, isAtRest, ...getCounts(await broadcasts.getStats(id)) };
  }
}
