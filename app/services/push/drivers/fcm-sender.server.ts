import type { Message } from "firebase-admin/messaging";
import { z } from "zod";
import { days, seconds } from "~/lib/durations";
import { parseJson } from "~/lib/parse-json";
import { toOneLine } from "~/lib/one-line";
import { parseRetryAfter } from "~/lib/retry-after";
import { sendRequest, type HttpReply } from "~/lib/send-request.server";
import { within } from "~/lib/within";
import { assertMessageFits } from "~/services/push/push-sender";
import type { FcmSettings } from "~/lib/push-settings";
import type { DeviceAddress, PushMessage, PushOutcome, PushSender } from "~/services/push/push-sender";
import type { Clock } from "~/services/service-deps";
import type { FirebaseProject } from "./firebase-project.server";

/** Timeout of a message, and of fetching an access token, which is needed once an hour. */
const TIMEOUT_MS = seconds(10);
const TOO_LATE = "Google took too long";
const MAX_RESPONSE_BYTES = 65_536;
/** Time for which FCM stores a message for a device that is off. */
const MESSAGE_TTL_MS = days(3);
/** Matches a registration token of Firebase: no JSON and no spaces. Its inner format is undocumented. */
const TOKEN = /^[\w:-]{32,4096}$/;

interface FcmSenderOptions {
  /** Closed together with the sender. */
  readonly project: FirebaseProject;
  readonly settings: FcmSettings;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

/**
 * Sends through Firebase Cloud Messaging (HTTP v1), one request per message: firebase-admin's own `send` repeats
 * it up to four times, has no option against that, and does not report it (hardening R10).
 */
export class FcmSender implements PushSender {
  readonly name = "fcm";
  readonly settings: FcmSettings;
  readonly #options: FcmSenderOptions;

  constructor(options: FcmSenderOptions) {
    this.#options = options;
    this.settings = options.settings;
  }

  readToken(token: string): DeviceAddress | undefined {
    if (!TOKEN.test(token)) return undefined;
    return { token, endpoint: "", p256dh: "", auth: "", public_key: this.settings.publicKey };
  }

  async send({ token }: DeviceAddress, message: PushMessage): Promise<PushOutcome> {
    assertMessageFits(message);
    const { project, settings, clock, timeoutMs: ms = TIMEOUT_MS } = this.#options;
    const access = await within(ms, project.credential.getAccessToken()).catch(toTokenFailure);
    if (!access) return { kind: "unreachable", detail: TOO_LATE };
    if ("kind" in access) return access;
    const url = `https://fcm.googleapis.com/v1/projects/${settings.projectId}/messages:send`;
    const reply = await sendRequest(new URL(url), {
      method: "POST",
      headers: { Authorization: `Bearer ${access.access_token}`, "Content-Type": "application/json" },
      body: Buffer.from(JSON.stringify({ message: toFcmMessage(token, message) })),
      agent: project.agent,
      timeout: { ms, message: TOO_LATE },
      maxBytes: MAX_RESPONSE_BYTES,
    });
    return toOutcome(reply, clock());
  }

  async close(): Promise<void> {
    await this.#options.project.close();
  }
}

/** Error of a request for an access token; without a status there was no response. */
const tokenError = z.object({ status: z.number().optional(), message: z.string() });

/** Says what it means for a message that there is no access token. */
function toTokenFailure(error: unknown): PushOutcome {
  const { status, message } = tokenError.parse(error);
  const detail = toOneLine(`No access token: ${message}`);
  if (status === undefined || status === 429 || status >= 500) return { kind: "unreachable", detail };
  return { kind: "credentials-refused", status, detail };
}

/** Passes the click target as data: FCM's own link option requires https, which ORIGIN may not have. */
function toFcmMessage(token: string, { notification, link, tag }: PushMessage): Message {
  return {
    token,
    notification,
    ...(link !== undefined && { data: { link } }),
    webpush: {
      headers: { TTL: String(MESSAGE_TTL_MS / seconds(1)), Urgency: "normal" },
      ...(tag !== undefined && { notification: { tag } }),
    },
  };
}

const errorDetail = z.object({
  "@type": z.string(),
  errorCode: z.string().optional(),
  fieldViolations: z.array(z.object({ field: z.string() })).optional(),
});
const replyError = z.object({ message: z.string().default(""), details: z.array(errorDetail).default([]) });
/** A message's name, or an error; any other body is another server's, such as a proxy's page. */
const fcmReply = z.object({ name: z.string().optional(), error: replyError.optional() });

/** Type of the detail that holds FCM's own error code. */
const FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError";

/**
 * Maps a response of FCM to an outcome (REST reference of FCM v1, ErrorCode; hardening R10). Only errors that
 * name the device itself remove it: a wrong project or address gives 404 too, and an invalid message 400.
 */
function toOutcome(reply: HttpReply, now: number): PushOutcome {
  if ("handedOver" in reply) {
    return { kind: reply.handedOver ? "unknown" : "unreachable", detail: toOneLine(reply.reason) };
  }
  const { status, headers, body } = reply;
  const { name, error } = fcmReply.safeParse(parseJson(body.toString())).data ?? {};
  const code = error?.details.find((one) => one["@type"] === FCM_ERROR)?.errorCode;
  const words = error?.message || name || `Status ${status} without a reason`;
  const result = { status, detail: toOneLine([code, words].filter(Boolean).join(": ")) };

  if (status >= 200 && status < 300) return { kind: "accepted", ...result };
  const isTokenInvalid = status === 400 && error !== undefined && blamesToken(error);
  if (code === "UNREGISTERED" || isTokenInvalid) return { kind: "gone", ...result };
  if (status === 401 || status === 403) return { kind: "unauthorized", ...result };
  if (status === 429 || status >= 500) {
    return { kind: "deferred", ...result, retryAfterMs: parseRetryAfter(headers["retry-after"], now) };
  }
  // What is left is about the message or the project, which are the same for every device.
  return { kind: "refused", ...result, isOurFault: true };
}

/** Returns whether an error is about the token. FCM often says so only in words (firebase-admin-java, issue 1064). */
function blamesToken({ message, details }: z.infer<typeof replyError>): boolean {
  const fields = details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field));
  return fields.includes("message.token") || /\bregistration token\b/i.test(message);
}
