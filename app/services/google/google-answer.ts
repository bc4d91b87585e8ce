import { z } from "zod";
import { toOneLine } from "~/lib/one-line";
import { parseRetryAfter } from "~/lib/retry-after";
import { GATEWAY_STATUSES } from "~/lib/upstream-error";
import { googleProblems } from "./google-problems";
import { type GoogleCredential, GOOGLE_SCOPES, type GoogleUse } from "./google-credential.server";

/** Host of the token endpoint. */
export const TOKEN_HOST = "oauth2.googleapis.com";

/**
 * Meaning of a failed call to Google, independent of its purpose.
 * - deferred: nothing was done, and nobody has to act.
 * - misconfigured: nothing was done, and nothing will be until somebody fixes what `detail` says.
 * - unknown: the request was handed over, and no response came, or only that of a gateway.
 * - answer: the response is about this one call; its caller interprets it.
 */
export type GoogleProblem =
  | { readonly kind: "deferred"; readonly detail: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: "misconfigured" | "unknown"; readonly detail: string }
  | { readonly kind: "answer"; readonly status: number; readonly reason: string; readonly reply: string };

/** Error of a Google API (AIP-193); older Gmail errors have their reason in `errors`. */
const apiError = z.object({
  error: z.object({
    message: z.string().default(""),
    status: z.string().default(""),
    errors: z.array(z.object({ reason: z.string().default("") })).default([]),
    details: z
      .array(
        z.object({
          "@type": z.string(),
          reason: z.string().optional(),
          metadata: z.record(z.string(), z.string()).optional(),
        }),
      )
      .default([]),
  }),
});
/** Error of the token endpoint (RFC 6749, section 5.2). */
const tokenError = z.object({ error: z.string(), error_description: z.string().default("") });

// remix-serve replaces Node's classes after this module is loaded, so instanceof does not work.
const headersSchema = z.custom<Headers>((value) => typeof (value as Headers | undefined)?.get === "function");
const responseError = z.object({
  response: z.object({
    status: z.number(),
    data: z.unknown(),
    headers: headersSchema,
    config: z.object({ url: z.coerce.string() }),
  }),
});
/** Google's library wraps the errors of its `fetch`. */
const lostRequestError = z.object({
  cause: z.object({ name: z.literal("LostRequest"), message: z.string(), handedOver: z.boolean() }),
});

const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";
/** Reasons of a 403 that mean a rate limit; Gmail uses 403 for its limits as well as 429. */
const QUOTA =
  /^(?:RATE_LIMIT_EXCEEDED|rateLimitExceeded|userRateLimitExceeded|dailyLimitExceeded|quotaExceeded)$/;

/** Classifies the error of a call to Google. @throws any other error. */
export function toGoogleProblem(
  error: unknown,
  context: { credential: GoogleCredential; use: GoogleUse },
  now: number,
): GoogleProblem {
  const lostRequest = lostRequestError.safeParse(error).data?.cause;
  if (lostRequest) {
    const detail = toOneLine(lostRequest.message);
    return lostRequest.handedOver
      ? { kind: "unknown", detail }
      : { kind: "deferred", detail, retryAfterMs: undefined };
  }
  const response = responseError.safeParse(error).data?.response;
  // The library's own error contains the request, and with it the email or the rows, which must not be logged.
  if (!response) throw error instanceof Error && "config" in error ? new Error(error.message) : error;
  const { status, data, headers, config } = response;
  const refusal = tokenError.safeParse(data).data;
  if (refusal && status < 500 && status !== 429)
    return { kind: "misconfigured", detail: explainTokenError(refusal, context) };

  const apiFailure = apiError.safeParse(data).data?.error;
  const info = apiFailure?.details.find((detail) => detail["@type"] === ERROR_INFO);
  const reason = info?.reason ?? (apiFailure?.errors[0]?.reason || apiFailure?.status || "");
  const reply = toOneLine(apiFailure?.message || `status ${status} without a reason`);
  // An email may have been sent. Rows of a sheet have their places, and may be written twice.
  const isForToken = new URL(config.url).hostname === TOKEN_HOST;
  if (context.use === "gmail" && GATEWAY_STATUSES.has(status) && !isForToken) {
    return { kind: "unknown", detail: reply };
  }
  if (status === 429 || status >= 500 || (status === 403 && QUOTA.test(reason))) {
    const retryAfterMs = parseRetryAfter(headers.get("retry-after") ?? undefined, now);
    return { kind: "deferred", detail: reply, retryAfterMs };
  }
  const misconfigured = (detail: string): GoogleProblem => ({ kind: "misconfigured", detail });
  if (!apiFailure) return misconfigured(googleProblems.problems.notGoogles);
  const refused = explainRefusal(status, reason, reply, info?.metadata?.consumer ?? "", context);
  return refused === undefined ? { kind: "answer", status, reason, reply } : misconfigured(refused);
}

type CallContext = Parameters<typeof toGoogleProblem>[1];

/** Explains an error of the token endpoint, which uses the same code for several problems. */
function explainTokenError(
  { error, error_description }: z.infer<typeof tokenError>,
  { credential, use }: CallContext,
): string {
  const messages = googleProblems.problems;
  const reply = toOneLine([error, error_description].filter(Boolean).join(": "));
  if (error === "invalid_client" || error === "deleted_client") return messages.clientGone(reply);
  if (credential.kind !== "service-account") return messages.loginOver(reply);
  const { address, subject = "" } = credential;
  if (/\biat\b|\bexp\b|short-lived/.test(error_description)) return messages.clockWrong(reply);
  if (error === "unauthorized_client" || error === "access_denied") {
    return messages.notDelegated(address, subject, GOOGLE_SCOPES[use], reply);
  }
  return /User ID/.test(error_description) && subject
    ? messages.noSuchUser(subject, reply)
    : messages.keyOver(address, reply);
}

/** Explains why calls to this API are refused; undefined when the response is about something else. */
function explainRefusal(
  status: number,
  reason: string,
  reply: string,
  consumer: string,
  { credential, use }: CallContext,
): string | undefined {
  const messages = googleProblems.problems;
  if (/^API_KEY_|^keyInvalid$/.test(reason)) return messages.keyWrong(reply);
  if (status === 401) {
    return credential.kind === "service-account"
      ? messages.keyOver(credential.address, reply)
      : messages.loginOver(reply);
  }
  if (status !== 403) return undefined;
  if (/^(?:SERVICE_DISABLED|accessNotConfigured)$/.test(reason)) {
    return messages.apiDisabled(use, consumer.replace("projects/", ""), reply);
  }
  if (/^(?:ACCESS_TOKEN_SCOPE_INSUFFICIENT|insufficientPermissions)$/.test(reason))
    return messages.scopeMissing(use);
  return undefined;
}
