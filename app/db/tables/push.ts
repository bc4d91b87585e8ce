import type { EpochMs } from "./columns";

/** One row per browser that takes push messages: the specification's device token and push registration records. */
export interface DevicesTable {
  id: string;
  /** SHA-256, hex, of what its push service knows it by: the endpoint, or the whole token. Unique. */
  token_hash: string;
  /** As the page sent it: a PushSubscription in JSON, or what Firebase calls a token. */
  token: string;
  /** The visitor it belongs to. */
  uid: string;
  app_type: string;
  /** The company its user belongs to; null for the landing page's devices and where it is not known. */
  tenant_id: string | null;
  kind: "webpush" | "fcm";
  /** Of a PushSubscription, as are the two keys, base64url; empty strings otherwise. */
  endpoint: string;
  p256dh: string;
  auth: string;
  /** Of the service worker it was made with. */
  scope: string;
  /** Our key it was made with, base64url: messages signed with another one are refused. */
  public_key: string;
  /** When it became this visitor's. */
  created_at: EpochMs;
  first_seen_at: EpochMs;
  last_seen_at: EpochMs;
  /** When its push service first accepted a message for it, signed with `public_key`; null when none was accepted yet. */
  first_accepted_at: EpochMs | null;
}
