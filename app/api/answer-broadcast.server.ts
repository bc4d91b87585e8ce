import { z } from "zod";
import { originOf } from "~/request-context.server";
import type { ApiToken } from "~/services/api-tokens/authentication.server";
import { CONTENT_LIMITS } from "~/services/broadcast/message";
import { apiBroadcasts } from "~/services/container.server";
import type { Standing } from "~/services/api-broadcast/api-broadcasts.server";
import { MAX_PAYLOAD_BYTES } from "~/services/push/push-sender";
import type { BroadcastDraft } from "~/services/broadcast/broadcasts.server";
import { serverBridge } from "../../server/bridge";
import { repeated } from "./answer-mail.server";
import { text } from "./fields";
import { withToken } from "./guards.server";
import { problem, retryAfter } from "./problem.server";

const TOO_LONG = `must be shorter: title and body together are more than ${MAX_PAYLOAD_BYTES.toLocaleString("en")} bytes on their way`;

/** Of every body. */
export const contentFields = {
  title: text("What stands above.", { max: CONTENT_LIMITS.title }),
  body: text("The message.", { max: CONTENT_LIMITS.body, singleLine: false }),
};

const counts = {
  successCount: z.int().meta({ description: "Devices whose push service took the message." }),
  failureCount: z.int().meta({ description: "Devices that it failed for, and those that are gone." }),
};
export const standing = z
  .object({
    id: z.string(),
    state: z.enum(["preparing", "sending", "paused", "finished", "cancelled"]),
    ...counts,
  })
  .meta({ description: "How far it is. `paused` waits for a person in the back office." });

/** What all calls that send a broadcast have in common. */
export const broadcastCall = {
  method: "POST",
  guard: withToken("broadcast:send"),
  isKeyed: true,
  ok: z
    .object({
      id: z.string().optional().meta({ description: "Left out when there was no device." }),
      ...counts,
    })
    .meta({ description: "Every device has its answer." }),
  accepted: standing,
  refusals: ["idempotency_key_in_use", "idempotency_key_reused", "too_many_broadcasts"],
} as const;

interface Sending {
  readonly request: Request;
  readonly who: ApiToken;
  readonly idempotencyKey: string | undefined;
}

/** Sends it and waits for its end, though not for ever. */
export async function answerBroadcast(
  { request, who: token, idempotencyKey }: Sending,
  draft: Omit<BroadcastDraft, "link">,
) {
  const outcome = await apiBroadcasts.send(draft, { token, idempotencyKey, from: originOf(request) });
  switch (outcome.kind) {
    case "nobody":
      return { ok: { successCount: 0, failureCount: 0 } } as const;
    case "day-is-full":
      return problem("too_many_broadcasts", retryAfter(outcome.retryAfterSeconds));
    case "not-sendable":
      return problem("invalid_body", { fields: { body: TOO_LONG } });
    case "under-way":
      return problem("idempotency_key_in_use", retryAfter(5));
    case "other-request":
      return problem("idempotency_key_reused");
    case "sent": {
      const { id } = outcome;
      const isGivenUp = () => request.signal.aborted || serverBridge().isDraining();
      const reached = await apiBroadcasts.settled(id, isGivenUp);
      if (!reached) throw new Error(`The broadcast ${id} is gone`);
      const { successCount, failureCount } = reached;
      const headers = { ...repeated(outcome), Location: `/api/Broadcast/${id}` };
      if (reached.state === "finished") {
        return { ok: { id, successCount, failureCount }, headers } as const;
      }
      return { accepted: inWords(reached), headers } as const;
    }
  }
}

export function inWords({ id, state, successCount, failureCount }: Standing) {
  return { id, state, successCount, failureCount };
}
