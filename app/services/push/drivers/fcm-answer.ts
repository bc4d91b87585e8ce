import { z } from "zod";
import type { PushOutcome } from "../push-sender";
import { oneLine, waitOf } from "~/lib/retry-after";

/** What FCM answered, or the head of it. */
export interface FcmAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Its JSON; anything else for what is none, such as a proxy's page. */
  readonly body: unknown;
  /** What it is to be called when it says nothing itself. */
  readonly words: string;
}

const detail = z.object({
  "@type": z.string(),
  errorCode: z.string().optional(),
  fieldViolations: z.array(z.object({ field: z.string() })).optional(),
});
const fcmError = z.object({
  error: z.object({ message: z.string().default(""), details: z.array(detail).default([]) }),
});

const FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError";
/** FCM often says in words alone that it means the token (firebase-admin-java, issue 1064). */
const BLAMES_TOKEN = /\bregistration token\b/i;

/**
 * What an answer of FCM means (REST reference of FCM v1, ErrorCode; hardening R10). Only what names the device itself ends it: a
 * wrong project or address is answered with 404 too, and a message we built wrongly with 400.
 */
export function outcomeOf({ status, retryAfter, body, words }: FcmAnswer, now: number): PushOutcome {
  const error = fcmError.safeParse(body).data?.error;
  const details = error?.details ?? [];
  const code = details.find((detail) => detail["@type"] === FCM_ERROR)?.errorCode;
  const said = { status, detail: oneLine([code, error?.message || words].filter(Boolean).join(": ")) };
  const blamesToken =
    details.some(({ fieldViolations = [] }) =>
      fieldViolations.some(({ field }) => field === "message.token"),
    ) || BLAMES_TOKEN.test(error?.message ?? "");

  if (status >= 200 && status < 300) return { kind: "accepted", ...said };
  if (code === "UNREGISTERED" || (status === 400 && blamesToken)) return { kind: "gone", ...said };
  if (status === 401 || status === 403) return { kind: "unauthorized", ...said };
  if (status === 429 || status >= 500) {
    return { kind: "deferred", ...said, retryAfterMs: waitOf(retryAfter, now) };
  }
  return { kind: "refused", ...said, isOurFault: true };
}
