import { z } from "zod";
import { originOf, requestId } from "~/request-context.server";
import type { ApiMailOutcome, ApiMessage } from "~/services/api-mail/send-api-mail.server";
import type { ApiToken } from "~/services/api-tokens/authentication.server";
import { sendApiMail } from "~/services/container.server";
import { serverBridge } from "../../server/bridge";
import { withToken } from "./guards.server";
import { problem, retryAfter } from "./problem.server";
import type { ProblemCode } from "./problems";

const taken = z
  .object({ messageId: z.string(), detail: z.string().meta({ description: "The mail server's words." }) })
  .meta({ description: "The mail server took the mail." });

/** What all calls that send a mail have in common. */
export const mailCall = {
  method: "POST",
  guard: withToken("email:send"),
  isKeyed: true,
  ok: taken,
  refusals: [
    ...(["idempotency_key_in_use", "idempotency_key_reused", "mail_refused", "mail_uncertain"] as const),
    ...(["mail_unavailable", "mail_unauthorized", "address_unsubscribed", "address_complained"] as const),
    ...(["address_refused", "address_bounced", "address_added", "address_imported"] as const),
  ] satisfies readonly ProblemCode[],
} as const;

/** Sends it. Nothing but a mail the mail server took is a 2xx. */
export async function answerMail({ request, who: token, idempotencyKey }: Mailing, message: ApiMessage) {
  const outcome = await sendApiMail(message, { token, idempotencyKey, from: originOf(request) });
  if (outcome.kind !== "sent") return refusalOf(outcome);
  const { messageId, detail } = outcome;
  return { ok: { messageId, detail }, headers: repeated(outcome) };
}

interface Mailing {
  readonly request: Request;
  readonly who: ApiToken;
  readonly idempotencyKey: string | undefined;
}

function refusalOf(outcome: Exclude<ApiMailOutcome, { kind: "sent" }>): Response {
  switch (outcome.kind) {
    case "refused":
      return problem("mail_refused", { detail: outcome.detail, headers: repeated(outcome) });
    case "uncertain":
      return problem("mail_uncertain", { detail: outcome.detail, headers: repeated(outcome) });
    case "unavailable": {
      const { detail, retryAfterSeconds } = outcome;
      logHeldUp(detail);
      return problem("mail_unavailable", { detail, ...retryAfter(retryAfterSeconds) });
    }
    case "unauthorized":
      logHeldUp(outcome.detail);
      return problem("mail_unauthorized", { detail: outcome.detail });
    case "suppressed":
      return problem(`address_${outcome.reason}`);
    case "under-way":
      return problem("idempotency_key_in_use", retryAfter(5));
    case "other-request":
      return problem("idempotency_key_reused");
  }
}

/** Of an answer that repeats an earlier one. */
export function repeated({ isRepeated }: { isRepeated: boolean }): Record<string, string> {
  return isRepeated ? { "Idempotent-Replayed": "true" } : {};
}

function logHeldUp(words: string): void {
  serverBridge().logger.warn({ words, id: requestId() }, "a mail of the API could not be sent");
}
