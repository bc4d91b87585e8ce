import type { EpochMs } from "./columns";

/**
 * Devices: one row per browser that takes push messages, the specification's device token and push registration
 * records.
 */
export interface DevicesTable {
  id: string;
  /** SHA-256, hex, of the device's id at its push service: the endpoint, or the whole token. Unique. */
  token_hash: string;
  /** As the page sent it: a PushSubscription in JSON, or a Firebase token. */
  token: string;
  /** Id of the visitor it belongs to. */
  uid: string;
  app_type: string;
  /** Company of its user; null for the landing page's devices and where it is unknown. */
  tenant_id: string | null;
  kind: "webpush" | "fcm";
  /** Of a PushSubscription, as are the two keys, base64url; otherwise empty. */
  endpoint: string;
  p256dh: string;
  auth: string;
  /** Scope of the service worker it was created with. */
  scope: string;
  /** Our public key at its creation, base64url: messages signed with another key are refused. */
  public_key: string;
  /** Time at which it became this visitor's. */
  created_at: EpochMs;
  first_seen_at: EpochMs;
  last_seen_at: EpochMs;
  /** Time at which its push service first accepted a message signed with `public_key`; null before. */
  first_accepted_at: EpochMs | null;
}
