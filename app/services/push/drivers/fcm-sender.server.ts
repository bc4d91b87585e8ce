import { FirebaseError } from "firebase-admin/app";
import { getMessaging, type Message } from "firebase-admin/messaging";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { days, seconds } from "~/lib/durations";
import { toOneLine, parseRetryAfter } from "~/lib/retry-after";
import { assertMessageFits } from "~/services/push/push-sender";
import type {
  DeviceAddress,
  FcmSettings,
  PushMessage,
  PushOutcome,
  PushSender,
} from "~/services/push/push-sender";
import type { Clock } from "~/services/service-deps";
import type { FirebaseProject } from "./firebase-project.server";
import { SingleRequest, type Lost } from "./single-request.server";

const HOST = "fcm.googleapis.com";
/** Includes fetching an access token, which is needed once an hour. */
const TIMEOUT_MS = seconds(10);
const NO_ACCESS_TOKEN = "app/invalid-credential";
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

/** Sends through Firebase Cloud Messaging (HTTP v1), with firebase-admin and one request per message. */
export class FcmSender implements PushSender {
  readonly name = "fcm";
  readonly settings: FcmSettings;
  readonly #options: FcmSenderOptions;
  readonly #requests: SingleRequest;

  constructor(options: FcmSenderOptions) {
    this.#options = options;
    this.settings = options.settings;
    this.#requests = new SingleRequest(HOST, options.timeoutMs ?? TIMEOUT_MS);
  }

  readToken(token: string): DeviceAddress | undefined {
    if (!TOKEN.test(token)) return undefined;
    return { token, endpoint: "", p256dh: "", auth: "", public_key: this.settings.publicKey };
  }

  async send({ token }: DeviceAddress, message: PushMessage): Promise<PushOutcome> {
    assertMessageFits(message);
    const messaging = getMessaging(this.#options.project.app);
    try {
      const result = await this.#requests.during(() => messaging.send(toFcmMessage(token, message)));
      if ("lost" in result) return this.#toLostOutcome(result.lost);
      return { kind: "accepted", status: 200, detail: result.done };
    } catch (error) {
      return this.#toErrorOutcome(error);
    }
  }

  async close(): Promise<void> {
    this.#requests.close();
    await this.#options.project.close();
  }

  #toLostOutcome({ answer, handedOver, detail }: Lost): PushOutcome {
    if (answer) return toOutcome({ ...answer, fallback: detail }, this.#options.clock());
    return { kind: handedOver ? "unknown" : "unreachable", detail: toOneLine(detail) };
  }

  #toErrorOutcome(error: unknown): PushOutcome {
    if (!(error instanceof FirebaseError)) throw error;
    if (error.httpResponse) {
      const { status, data: body, headers } = error.httpResponse;
      const { "retry-after": retryAfter }: IncomingHttpHeaders = headers;
      return toOutcome({ status, retryAfter, body }, this.#options.clock());
    }
    // An invalid message is the caller's error.
    if (error.code !== NO_ACCESS_TOKEN) throw error;
    const refusal = tokenRefusal.safeParse(error);
    if (!refusal.success) return { kind: "unreachable", detail: toOneLine(error.message) };
    const { status, message } = refusal.data.cause;
    const detail = toOneLine(`No access token: ${message}`);
    return status >= 500 ? { kind: "unreachable", detail } : { kind: "credentials-refused", status, detail };
  }
}

/** Google's response to the service account when it refuses an access token. */
const tokenRefusal = z.object({ cause: z.object({ status: z.number(), message: z.string() }) });

/** Passes the click target as data: FCM's own link option requires https, which this machine may not have. */
function toFcmMessage(token: string, { notification, link, tag }: PushMessage): Message {
  return {
    token,
    notification: { ...notification },
    ...(link !== undefined && { data: { link } }),
    webpush: {
      headers: { TTL: String(MESSAGE_TTL_MS / seconds(1)), Urgency: "normal" },
      ...(tag !== undefined && { notification: { tag } }),
    },
  };
}

/** Response of FCM, or only its status and headers. */
interface FcmResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Parsed JSON; any other value for another response, such as a proxy's page. */
  readonly body?: unknown;
  /** Detail of a response without a message. */
  readonly fallback?: string;
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
/** FCM often blames the token in the message text only (firebase-admin-java, issue 1064). */
const BLAMES_TOKEN = /\bregistration token\b/i;

/**
 * Maps a response of FCM to an outcome (REST reference of FCM v1, ErrorCode; hardening R10). Only errors that
 * name the device itself remove it: a wrong project or address gives 404 too, and an invalid message 400.
 */
function toOutcome(response: FcmResponse, now: number): PushOutcome {
  const { status, retryAfter, body, fallback = `Status ${status} without a reason` } = response;
  const error = fcmError.safeParse(body).data?.error;
  const details = error?.details ?? [];
  const code = details.find((detail) => detail["@type"] === FCM_ERROR)?.errorCode;
  const result = { status, detail: toOneLine([code, error?.message || fallback].filter(Boolean).join(": ")) };
  const blamesToken =
    details.some(({ fieldViolations = [] }) =>
      fieldViolations.some(({ field }) => field === "message.token"),
    ) || BLAMES_TOKEN.test(error?.message ?? "");

  if (status >= 200 && status < 300) return { kind: "accepted", ...result };
  if (code === "UNREGISTERED" || (status === 400 && blamesToken)) return { kind: "gone", ...result };
  if (status === 401 || status === 403) return { kind: "unauthorized", ...result };
  if (status === 429 || status >= 500) {
    return { kind: "deferred", ...result, retryAfterMs: parseRetryAfter(retryAfter, now) };
  }
  return { kind: "refused", ...result, isOurFault: true };
}
