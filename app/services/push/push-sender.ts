import type { DevicesTable } from "~/db/tables/broadcast";
import type { PushSettings } from "~/lib/push-settings";

/**
 * Port for one push engine: which browsers it can reach, and sending to one of them. Drivers: docs/drivers.md.
 * Contract: tests/factories/push-battery.ts.
 *
 * Contract
 * - `readToken` decides by the token alone and never throws for input of a visitor.
 * - `send` addresses exactly one device, follows no redirect, and settles within the driver's own timeouts. It
 *   never throws for what a push service or a network does: every such result is a `PushOutcome`. It throws for
 *   a message that is too long (MAX_MESSAGE_BYTES).
 * - The same message may be sent again after `unknown` or a crash: a message replaces an earlier one with the
 *   same `tag`.
 */
export interface PushSender {
  /** Driver name in the status bar, and the `kind` of its devices. */
  readonly name: DevicesTable["kind"];
  /** Settings with which a page subscribes its browser. Sent to every visitor, so they contain no secrets. */
  readonly settings: PushSettings;
  /**
   * Parses a token.
   * @returns undefined when it is no token of this engine, or its endpoint is no known push service (C22).
   */
  readToken(token: string): DeviceAddress | undefined;
  send(device: DeviceAddress, message: PushMessage): Promise<PushOutcome>;
  /** Closes idle connections; messages in flight may finish first. */
  close(): Promise<void>;
}

/** Address of one device. Firebase needs the token only, and the next three are empty. */
export type DeviceAddress = Readonly<
  Pick<DevicesTable, "token" | "endpoint" | "p256dh" | "auth" | "public_key">
>;

export interface PushMessage {
  readonly notification: { readonly title: string; readonly body: string };
  /** Target of a click: a path of this site; the landing page when omitted. */
  readonly link?: string;
  /** A later message with the same tag replaces this one. */
  readonly tag?: string;
}

/** Maximum encrypted payload of every push service (RFC 8291, section 4). */
export const MAX_PAYLOAD_BYTES = 4096;
/** Maximum length of a message as JSON: the payload limit less the encryption overhead. */
export const MAX_MESSAGE_BYTES = 3993;

/** Returns the length of a message against the limit: UTF-8 bytes of its JSON. Runs in pages too. */
export function getMessageBytes(message: PushMessage): number {
  return new TextEncoder().encode(JSON.stringify(message)).length;
}

/** @throws RangeError for a message that is too long, before anything is sent. */
export function assertMessageFits(message: PushMessage): void {
  if (getMessageBytes(message) <= MAX_MESSAGE_BYTES) return;
  throw new RangeError(`A push message may have at most ${MAX_MESSAGE_BYTES} bytes`);
}

/**
 * Result of one `send`. `detail` holds the push service's own response on one line, without secrets.
 * - accepted: the service took responsibility.
 * - gone: the device no longer exists (404, 410, FCM's UNREGISTERED or an invalid token): remove it.
 * - refused: the service does not accept this message for this device (400, 413 and other 4xx, a redirect):
 *   never retry. With `isOurFault` the message or the requested address seems wrong, not the device: every
 *   other device would give the same result (hardening R10).
 * - unauthorized: the service does not accept our keys for this device (401, 403), which is kept. A device
 *   registered with other keys gets the same response: only several failures of devices that worked before show
 *   that our keys are wrong (hardening C39).
 * - credentials-refused: our login failed before any device was named: nothing can be sent until someone fixes
 *   that.
 * - deferred: a problem of the service (429, 5xx): retry later, in `retryAfterMs` when the service gave a
 *   delay.
 * - unusable: this device cannot be addressed as it is registered (its host is not allowed, it has another
 *   key): nothing was sent, and only a new registration fixes that.
 * - unreachable: the message was certainly not handed over and the device is not at fault.
 * - unknown: the connection broke after the message was sent and before the response: it may or may not have
 *   arrived.
 */
export type PushOutcome =
  | {
      readonly kind: "accepted" | "gone" | "refused" | "unauthorized" | "credentials-refused";
      readonly status: number;
      readonly detail: string;
      /** Set only for `refused`. */
      readonly isOurFault?: boolean;
    }
  | {
      readonly kind: "deferred";
      readonly status: number;
      readonly detail: string;
      readonly retryAfterMs: number | undefined;
    }
  | { readonly kind: "unusable" | "unreachable" | "unknown"; readonly detail: string };
