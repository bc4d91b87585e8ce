import type { DevicesTable } from "~/db/tables/push";

/**
 * The port for one push engine: which browsers it can reach, and sending to one of them. Drivers: docs/drivers.md.
 * Contract: tests/contracts/push-sender.test.ts.
 *
 * Contract
 * - `readToken` decides by the token alone and never throws for what a visitor sends.
 * - `send` speaks to exactly one device, follows no redirect, and settles within the driver's own timeouts. It never throws
 *   for what a push service or a network does: every such ending is a `PushOutcome`. It throws for a message that is
 *   too long (MAX_MESSAGE_BYTES).
 * - The same message may be sent again after `unknown` or a crash: one with the same `tag` takes the place of the first.
 */
export interface PushSender {
  /** What the status bar calls it, and the `kind` of its devices. */
  readonly name: DevicesTable["kind"];
  /** What a page needs to ask its browser for a device. Told to every visitor, so nothing in it is secret. */
  readonly settings: PushSettings;
  /** @returns undefined for what is no token of this engine, or leads anywhere but to a push service we know (C22). */
  readToken(token: string): DeviceAddress | undefined;
  send(device: DeviceAddress, message: PushMessage): Promise<PushOutcome>;
  /** Ends kept connections; a message under way may finish first. */
  close(): Promise<void>;
}

export type PushSettings = WebPushSettings | FcmSettings;

export interface WebPushSettings {
  readonly engine: "webpush";
  /** VAPID public key (RFC 8292), base64url. */
  readonly publicKey: string;
}

/** The web app at Firebase, as its console shows it. Its api key names the project and opens nothing by itself. */
export interface FcmSettings {
  readonly engine: "fcm";
  /** VAPID public key of Firebase's own, base64url. */
  readonly publicKey: string;
  readonly projectId: string;
  readonly apiKey: string;
  readonly appId: string;
  readonly senderId: string;
  /** Of Google Analytics, which a visitor may then allow; without it there is none. */
  readonly measurementId?: string | undefined;
}

/** What leads to one device; columns of `devices`. With Firebase the token alone does, and the next three are empty. */
export interface DeviceAddress {
  readonly token: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly public_key: string;
}

export interface PushMessage {
  readonly notification: { readonly title: string; readonly body: string };
  /** Where a click leads: a path of this site; the landing page when left out. */
  readonly link?: string;
  /** A later message with the same one takes its place. */
  readonly tag?: string;
}

/** What every push service takes, encrypted (RFC 8291, section 4). */
export const MAX_PAYLOAD_BYTES = 4096;
/** Of a message in JSON: what encrypting leaves of that. */
export const MAX_MESSAGE_BYTES = 3993;

/** How long a message is, as it counts: UTF-8 bytes of its JSON. For pages too. */
export function bytesOf(message: PushMessage): number {
  return new TextEncoder().encode(JSON.stringify(message)).length;
}

/**
 * How sending ended. `detail` holds the push service's own words, one line, no secrets.
 * - accepted: the service took responsibility.
 * - gone: the device does not exist any more (404, 410, FCM's UNREGISTERED or a token that is none): forget it.
 * - refused: the service does not take this message for this device (400, 413 and other 4xx, a redirect): never again.
 *   With `isOurFault` it seems to be the message or the address it went to that is wrong, not the device: the same would
 *   come of every other one (hardening R10).
 * - unauthorized: the service does not accept our keys for this device (401, 403), which stays. A device that was registered
 *   with other keys than ours is answered so too: only several that worked before say that ours are wrong (hardening C39).
 * - credentials-refused: we were not let in, before any device was named: nothing will go until someone mends that.
 * - deferred: a trouble of the service (429, 5xx): try later, in `retryAfterMs` when it said so.
 * - unusable: we cannot speak to this device as it is registered (its host is not on the list, its key is another one): nothing
 *   was sent, and only its next registration mends that.
 * - unreachable: the message was certainly not handed over and the fault is not the device's.
 * - unknown: the connection broke after the message was sent and before the answer: it may or may not have arrived.
 */
export type PushOutcome =
  | {
      readonly kind: "accepted" | "gone" | "refused" | "unauthorized" | "credentials-refused";
      readonly status: number;
      readonly detail: string;
      /** Only of `refused`. */
      readonly isOurFault?: boolean;
    }
  | {
      readonly kind: "deferred";
      readonly status: number;
      readonly detail: string;
      readonly retryAfterMs: number | undefined;
    }
  | { readonly kind: "unusable" | "unreachable" | "unknown"; readonly detail: string };
