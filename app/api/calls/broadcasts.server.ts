import { z } from "zod";
import { appTypes } from "~/content/brand";
import { getRequestOrigin, isDraining } from "~/http/request-context.server";
import type { BroadcastDraft } from "~/services/broadcast/broadcasts.server";
import { CONTENT_LIMITS } from "~/services/broadcast/message";
import { apiBroadcasts } from "~/services/container.server";
import { MAX_PAYLOAD_BYTES } from "~/services/push/push-sender";
import { grouped } from "~/lib/format-number";
import { defineCall, replayHeaders, type KeyedRequest } from "../call.server";
import { text } from "../fields";
import { withToken } from "../guards.server";
import { problem, retryAfter } from "../problem.server";
import { readTenants } from "./tenants.server";

const TOO_LONG = `must be shorter: title and body together may have ${grouped(MAX_PAYLOAD_BYTES)} bytes when sent`;

const contentFields = {
  title: text("The notification's title.", { max: CONTENT_LIMITS.title }),
  body: text("The message.", { max: CONTENT_LIMITS.body, singleLine: false }),
};

const counts = {
  successCount: z.int().meta({ description: "Devices whose push service accepted the message." }),
  failureCount: z.int().meta({ description: "Devices that failed, including gone ones." }),
};
const statusSchema = z
  .object({
    id: z.string(),
    state: z.enum(["preparing", "sending", "paused", "finished", "cancelled"]),
    ...counts,
  })
  .meta({ description: "Its status. `paused` waits for an operator in the back office." });

/** The shared definition of all calls that start a broadcast. */
const broadcastCall = {
  method: "POST",
  guard: withToken("broadcast:send"),
  isKeyed: true,
  ok: z
    .object({
      id: z.string().optional().meta({ description: "Absent when there was no device." }),
      ...counts,
    })
    .meta({ description: "Every device has been tried." }),
  accepted: statusSchema,
  refusals: ["too_many_broadcasts"],
} as const;

/** Starts the broadcast and waits for its end, up to a limit. */
async function answerBroadcast(
  { request, caller: token, idempotencyKey }: KeyedRequest,
  draft: Omit<BroadcastDraft, "link">,
) {
  const outcome = await apiBroadcasts.send(draft, { token, idempotencyKey, from: getRequestOrigin(request) });
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
      const isGivenUp = () => request.signal.aborted || isDraining();
      const reached = await apiBroadcasts.waitUntilSettled(id, isGivenUp);
      if (!reached) throw new Error(`The broadcast ${id} is gone`);
      const { successCount, failureCount } = reached;
      const headers = { ...replayHeaders(outcome), Location: `/api/Broadcast/${id}` };
      if (reached.state === "finished") {
        return { ok: { id, successCount, failureCount }, headers } as const;
      }
      return { accepted: reached, headers } as const;
    }
  }
}

export const broadcastToAll = defineCall({
  ...broadcastCall,
  path: "/api/Broadcast/all",
  name: "broadcastToAll",
  summary: "Send a push notification to all devices",
  description:
    "Responds when all devices have been tried, or after 25 seconds with 202 and the status so far.",
  body: z.strictObject(contentFields),
  work: (input) => answerBroadcast(input, { ...input.body, audience: "all", tenant: undefined }),
});

const { landing, application } = appTypes;
const rule = `must be "${landing}" or "${application}"`;

export const broadcastToApp = defineCall({
  ...broadcastCall,
  path: "/api/Broadcast/app",
  name: "broadcastToApp",
  summary: "Send a push notification to the devices of one app",
  description: "The landing page's subscribers or the application's users. Responds like Broadcast/all.",
  body: z.strictObject({ ...contentFields, appType: z.enum([landing, application], { error: rule }) }),
  work: (input) => {
    const { title, body, appType } = input.body;
    const audience = appType === landing ? "landing" : "application";
    return answerBroadcast(input, { title, body, audience, tenant: undefined });
  },
});

export const broadcastToTenant = defineCall({
  ...broadcastCall,
  path: "/api/Broadcast/tenant/{tenantId}",
  name: "broadcastToTenant",
  summary: "Send a push notification to one company's devices",
  description: "The devices of the application's users in this company. Responds like Broadcast/all.",
  params: { tenantId: "The company's id, from Tenant/get-tenant-info." },
  body: z.strictObject(contentFields),
  refusals: [...broadcastCall.refusals, "unknown_tenant", "tenants_unavailable"],
  work: async (input) => {
    const tenant = (await readTenants()).find(({ id }) => id === input.params.tenantId);
    if (!tenant) return problem("unknown_tenant");
    return answerBroadcast(input, { ...input.body, audience: "application", tenant });
  },
});

export const getBroadcast = defineCall({
  method: "GET",
  path: "/api/Broadcast/{id}",
  name: "getBroadcast",
  summary: "Get the status of a broadcast",
  guard: withToken("broadcast:send"),
  params: { id: "Like the response to the call that sent it." },
  ok: statusSchema,
  refusals: ["unknown_broadcast"],
  work: async ({ params }) => {
    const found = await apiBroadcasts.getStatus(params.id ?? "");
    return found ? { ok: found } : problem("unknown_broadcast");
  },
});
