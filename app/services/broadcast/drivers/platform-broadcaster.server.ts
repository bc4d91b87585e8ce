import { z } from "zod";
import { GATEWAY_STATUSES, UpstreamError } from "~/lib/upstream-error";
import type { Content } from "~/services/broadcast/message";
import type { Target } from "~/services/broadcast/target";
import type { ApplicationBroadcaster, ApplicationOutcome } from "~/services/broadcast/platform-jobs.server";
import type { PlatformClient } from "~/services/platform/platform-client.server";

const count = z.number().int().nonnegative();
const replySchema = z.object({ successCount: count, failureCount: count });

/** Statuses of a request that was not processed (RFC 6585, section 4; RFC 9110, sections 15.5.9 and 15.6.4). */
const RETRYABLE_STATUSES = new Set([408, 425, 429, 503]);

/** The three broadcast calls of the application's backend (specification, section 7). */
export class PlatformBroadcaster implements ApplicationBroadcaster {
  readonly #client: PlatformClient;

  constructor(client: PlatformClient) {
    this.#client = client;
  }

  async send(target: Target, content: Pick<Content, "title" | "body">): Promise<ApplicationOutcome> {
    const { path, extra } = toCall(target);
    const body = { title: content.title, body: content.body, ...extra };
    const call = { operation: "send a broadcast", method: "POST", path, body } as const;
    try {
      return { kind: "sent", ...(await this.#client.request(call, replySchema)) };
    } catch (error) {
      if (error instanceof UpstreamError) return toOutcome(error);
      throw error;
    }
  }
}

function toCall({ app_type, tenant_id }: Target) {
  if (tenant_id !== undefined) return { path: `/api/Broadcast/tenant/${encodeURIComponent(tenant_id)}` };
  if (app_type !== undefined) return { path: "/api/Broadcast/app", extra: { appType: app_type } };
  return { path: "/api/Broadcast/all" };
}

function toOutcome({ status, handedOver, detail, retryAfterMs }: UpstreamError): ApplicationOutcome {
  if (status === undefined) {
    return handedOver ? { kind: "uncertain", detail } : { kind: "later", detail, retryAfterMs: undefined };
  }
  const reply = `${status} ${detail}`.trim();
  if (RETRYABLE_STATUSES.has(status)) return { kind: "later", detail: reply, retryAfterMs };
  // A 2xx with a body that does not parse: the backend may have sent it.
  const isUnclear = GATEWAY_STATUSES.has(status) || (status >= 200 && status < 300);
  return { kind: isUnclear ? "uncertain" : "refused", detail: reply };
}
