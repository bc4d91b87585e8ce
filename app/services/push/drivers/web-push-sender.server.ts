import { ECDH } from "node:crypto";
import type { LookupAddress } from "node:dns";
import { Agent } from "node:https";
import webPush from "web-push";
import { z } from "zod";
import { days, hours, seconds } from "~/lib/durations";
import { parseJson } from "~/lib/parse-json";
import { createLookup, publicLookup } from "~/lib/public-lookup";
import { toOneLine } from "~/lib/one-line";
import { parseRetryAfter } from "~/lib/retry-after";
import { sendRequest, type HttpReply } from "~/lib/send-request.server";
import type { PushHosts } from "~/services/push/push-hosts";
import { assertMessageFits } from "~/services/push/push-sender";
import type { PushSettings } from "~/lib/push-settings";
import type { DeviceAddress, PushMessage, PushOutcome, PushSender } from "~/services/push/push-sender";
import type { Clock } from "~/services/service-deps";

/** Time for which a push service stores a message for a device that is off. */
const MESSAGE_TTL_MS = days(3);
/** Lifetime of a signature; RFC 8292 allows a day. It is renewed while still valid for some hours. */
const SIGNATURE_MS = hours(12);
const SIGNATURE_RENEWAL_MS = hours(6);

const TIMEOUT_MS = seconds(10);
const CONNECTIONS = 50;
const MAX_RESPONSE_BYTES = 65_536;

export interface WebPushSenderOptions {
  /** VAPID key pair, see Secrets. */
  readonly publicKey: string;
  readonly privateKey: string;
  readonly hosts: PushHosts;
  /** Contact for push services about our messages: mailto:... (RFC 8292). */
  readonly contact: string;
  readonly clock: Clock;
  readonly transport?: {
    /** Certificates trusted instead of the public ones; for tests. */
    readonly ca?: string;
    /** Resolves host names in place of the system; for tests. */
    readonly resolve?: (name: string) => LookupAddress;
    readonly timeoutMs?: number;
    /** Maximum number of connections per push service. */
    readonly connections?: number;
  };
}

/**
 * Sends Web Push messages: encrypted for the device (RFC 8291), signed by us (RFC 8292), without any account. Posts
 * to push services only (C22): https with validated certificates, no redirects, and no connection to a name that
 * resolves to a private network.
 */
export class WebPushSender implements PushSender {
  readonly name = "webpush";
  readonly settings: PushSettings;
  readonly #options: WebPushSenderOptions;
  readonly #agent: Agent;
  /** Signatures by origin of the push service. */
  readonly #signatures = new Map<string, { readonly header: string; readonly madeAt: number }>();

  constructor(options: WebPushSenderOptions) {
    this.#options = options;
    this.settings = { engine: "webpush", publicKey: options.publicKey };
    const { ca, resolve, connections = CONNECTIONS } = options.transport ?? {};
    const lookup = resolve ? createLookup(resolve) : publicLookup;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, lookup, ...(ca && { ca }) });
  }

  readToken(token: string): DeviceAddress | undefined {
    const subscription = parsePushSubscription(token);
    if (!subscription || !this.#options.hosts.allows(subscription.endpoint)) return undefined;
    const { endpoint, keys } = subscription;
    return { token, endpoint, ...keys, public_key: this.#options.publicKey };
  }

  async send(device: DeviceAddress, message: PushMessage): Promise<PushOutcome> {
    assertMessageFits(message);
    // It was allowed when it was stored; the allow list and our keys may have changed since.
    if (!this.#options.hosts.allows(device.endpoint)) {
      return { kind: "unusable", detail: "Not one of PUSH_ALLOWED_HOSTS" };
    }
    if (device.public_key !== this.#options.publicKey) {
      return { kind: "unusable", detail: "Registered with other VAPID keys than ours" };
    }
    const { cipherText } = webPush.encrypt(device.p256dh, device.auth, JSON.stringify(message), "aes128gcm");
    const headers = {
      Authorization: this.#getSignature(new URL(device.endpoint).origin),
      "Content-Type": "application/octet-stream",
      "Content-Encoding": "aes128gcm",
      TTL: String(MESSAGE_TTL_MS / seconds(1)),
      Urgency: "normal",
    };
    const reply = await sendRequest(new URL(device.endpoint), {
      method: "POST",
      headers,
      body: cipherText,
      agent: this.#agent,
      timeout: {
        ms: this.#options.transport?.timeoutMs ?? TIMEOUT_MS,
        message: "The push service took too long",
      },
      maxBytes: MAX_RESPONSE_BYTES,
    });
    return toOutcome(reply, this.#options.clock());
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }

  #getSignature(service: string): string {
    const now = this.#options.clock();
    const known = this.#signatures.get(service);
    if (known && Math.abs(now - known.madeAt) < SIGNATURE_RENEWAL_MS) return known.header;
    const { contact, publicKey, privateKey } = this.#options;
    const until = Math.floor((now + SIGNATURE_MS) / seconds(1));
    const { Authorization: header } = webPush.getVapidHeaders(
      service,
      contact,
      publicKey,
      privateKey,
      "aes128gcm",
      until,
    );
    this.#signatures.set(service, { header, madeAt: now });
    return header;
  }
}

/** The status is the result: a body that breaks off does not change it. */
function toOutcome(reply: HttpReply, now: number): PushOutcome {
  if ("handedOver" in reply) {
    return { kind: reply.handedOver ? "unknown" : "unreachable", detail: toOneLine(reply.reason) };
  }
  const { status, headers, body } = reply;
  const result = { status, detail: toOneLine(body.subarray(0, 1024).toString()) };
  if (status >= 200 && status < 300) return { kind: "accepted", ...result };
  if (status === 404 || status === 410) return { kind: "gone", ...result };
  if (status === 401 || status === 403) return { kind: "unauthorized", ...result };
  if (status === 429 || status >= 500) {
    return { kind: "deferred", ...result, retryAfterMs: parseRetryAfter(headers["retry-after"], now) };
  }
  return { kind: "refused", ...result };
}

const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;

const base64OfLength = (bytes: number) =>
  z.string().refine((text) => /^[\w-]+={0,2}$/.test(text) && Buffer.from(text, "base64url").length === bytes);

/** Matches a URL as browsers serialise it. Others, which only a lenient parser accepts, are refused (R37). */
const SERIALISED_URL = /^[!-~]+$/;

const schema = z.object({
  endpoint: z.string().regex(SERIALISED_URL),
  keys: z.object({
    p256dh: base64OfLength(PUBLIC_KEY_BYTES).refine(isOnCurve),
    auth: base64OfLength(AUTH_BYTES),
  }),
});

/** Parses a serialised PushSubscription (Push API, section 8; RFC 8291); undefined for anything else. */
export function parsePushSubscription(json: string): z.infer<typeof schema> | undefined {
  return schema.safeParse(parseJson(json)).data;
}

/** Returns whether the key is a point on the curve; encryption throws for others. */
function isOnCurve(key: string): boolean {
  try {
    ECDH.convertKey(key, "prime256v1", "base64url");
    return true;
  } catch {
    return false;
  }
}
