import type { Generated } from "kysely";
import type { EpochMs, QueueColumns } from "./columns";
import type { CampaignState } from "./outreach";

/** Audience of a broadcast, as the specification's form offers it. */
export type BroadcastAudience = "all" | "landing" | "application";

/** A push message to many devices. The form's id is the broadcast's, so a second submit cannot send twice. */
export interface BroadcastsTable {
  id: string;
  state: CampaignState;
  audience: BroadcastAudience;
  /** Company of the application audience; null for all of them. */
  tenant_id: string | null;
  /** Name of the company at that time; empty without one. */
  tenant_name: string;
  title: string;
  body: string;
  /** A path of this site; empty leads to the landing page. */
  link: string;
  created_by: string;
  created_at: EpochMs;
  /** Time of the draft's last save. */
  touched_at: EpochMs;
  confirmed_at: EpochMs | null;
  finished_at: EpochMs | null;
  /** Progress of the audience snapshot: the last device id processed. */
  prepared_through: Generated<string>;
  /** The audience is fixed up to this device id when the broadcast is confirmed. */
  audience_through: Generated<string>;
  /**
   * Why it is paused; empty when it is not. "operator": an operator paused it. "restored": a backup was restored.
   * The others stopped it by itself (services/broadcast/circuit.ts). "unauthorized": our keys are not accepted.
   * "message": the same would be refused for every device. "refusals": too many of the first responses were refusals.
   */
  hold: Generated<"" | "unauthorized" | "message" | "refusals" | "operator" | "restored">;
  /** Text to quote: the push service's reply; empty without one. */
  hold_detail: Generated<string>;
  /** Number of evaluated first responses of long-known devices, 100 at most. */
  answers: Generated<number>;
  /** Number of refusals among them. */
  refusals: Generated<number>;
  /** JSON: by push service, the consecutive long-known devices it refused for a fault of ours. */
  service_refusals: Generated<string>;
}

/** "gone": the device does not exist any more. "skipped": the broadcast was cancelled before. */
export type PushState = "pending" | "claimed" | "retrying" | "accepted" | "failed" | "gone" | "skipped";

/** Deliveries of broadcasts: one row per device. */
export interface PushesTable extends QueueColumns {
  /** `{broadcast id}.{device id}`: a repeated snapshot of the audience creates the same row. */
  id: string;
  broadcast_id: string;
  /** The device may be gone by now. */
  device_id: string;
  /** Host of its push service, for display. */
  service: string;
  state: PushState;
  attempts: Generated<number>;
}

/** Jobs for the application's backend: one for each broadcast that goes there. */
export interface PlatformBroadcastsTable extends QueueColumns {
  /** Id of the broadcast. */
  id: string;
  /** "uncertain": it may have been sent. */
  state: "pending" | "claimed" | "retrying" | "sent" | "failed" | "uncertain" | "skipped";
  /** As counted by the platform. */
  success_count: number;
  failure_count: number;
  /** Attempts since the broadcast was confirmed, or an operator asked the platform again. */
  attempts: number;
}

/** Devices: one row per browser, the specification's device token and push registration records. */
export interface DevicesTable {
  id: string;
  /** SHA-256, hex, of the device's id at its push service: the endpoint, or the whole token. Unique. */
  token_hash: string;
  /** As the page sent it: a PushSubscription in JSON, or a Firebase token. */
  token: string;
  /** Id of the visitor it belongs to; of the application's devices its own id of the user, an address in lower case. */
  uid: string;
  app_type: string;
  /** Company of its user; null for the landing page's devices and where it is unknown. */
  tenant_id: string | null;
  kind: "webpush" | "fcm";
  /** Of a PushSubscription, as are the two keys, base64url; otherwise empty. */
  endpoint: string;
  p256dh: string;
  auth: string;
  /** Scope of the service worker it was created with; empty for the application's, which are not ours. */
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

/** Companies that use the application (specification, section 3). Ids are the application's own. */
export interface TenantsTable {
  id: string;
  name: string;
  /** Empty when there is none. */
  domain: string;
  updated_at: EpochMs;
}

export interface BroadcastTables {
  devices: DevicesTable;
  tenants: TenantsTable;
  broadcasts: BroadcastsTable;
  pushes: PushesTable;
  platform_broadcasts: PlatformBroadcastsTable;
}
