import type { Generated } from "kysely";
import type { EpochMs } from "./columns";
import type { CampaignState } from "./outreach";

/** Whom a broadcast is for, as the specification's form offers it. */
export type BroadcastAudience = "all" | "landing" | "application";

/** One push message to many devices. The form's id is the broadcast's, so that no second submit sends twice. */
export interface BroadcastsTable {
  id: string;
  state: CampaignState;
  audience: BroadcastAudience;
  /** A company of the application audience; null for all of them. */
  tenant_id: string | null;
  /** What it was called then; empty without one. */
  tenant_name: string;
  title: string;
  body: string;
  /** A path of this site; empty leads to the landing page. */
  link: string;
  created_by: string;
  created_at: EpochMs;
  /** When its draft was saved last. */
  touched_at: EpochMs;
  confirmed_at: EpochMs | null;
  finished_at: EpochMs | null;
  /** How far freezing the audience has come: the last device id looked at. */
  prepared_through: string;
  /** Audience is frozen up to this device id at the confirm click. */
  audience_through: string;
  /** Why it stopped by itself, in the push service's words; empty when it did not. */
  trouble: string;
  /**
   * "unauthorized": our keys are not accepted. "message": the same would be refused for every device. "refusals": too many
   * of the first answers were refusals. See services/broadcast/circuit.ts.
   */
  stopped_by: "" | "unauthorized" | "message" | "refusals";
  /** How many of the first answers of long-known devices were judged, 100 at most. */
  answers: number;
  /** How many of those were refusals. */
  refusals: number;
  /** JSON: by push service, how many long-known devices in a row it refused for a fault of ours. */
  service_refusals: Generated<string>;
}

/** "gone": the device does not exist any more. "skipped": the broadcast was cancelled before. */
export type PushState = "pending" | "claimed" | "retrying" | "accepted" | "failed" | "gone" | "skipped";

/** The ledger of broadcasts: one row per device. */
export interface PushesTable {
  /** `{broadcast id}.{device id}`: freezing the audience again makes the same row. */
  id: string;
  broadcast_id: string;
  /** Of a device that may be gone by now. */
  device_id: string;
  /** The host of its push service, for people. */
  service: string;
  state: PushState;
  /** What the push service said last; empty when nothing was said. */
  detail: string;
  attempts: Generated<number>;
  not_before: EpochMs;
  lease_owner: string;
  lease_until: EpochMs;
  updated_at: EpochMs;
}

/** What the application's backend does with a broadcast: one job for each that goes there. */
export interface PlatformBroadcastsTable {
  /** The broadcast's. */
  id: string;
  /** "uncertain": it may have been sent. */
  state: "pending" | "claimed" | "retrying" | "sent" | "failed" | "uncertain" | "skipped";
  /** As the platform counts. */
  success_count: number;
  failure_count: number;
  /** What was said last, in the platform's words. */
  detail: string;
  /** Since somebody decided that it is sent. */
  attempts: number;
  not_before: EpochMs;
  lease_owner: string;
  lease_until: EpochMs;
  updated_at: EpochMs;
}
