import type { Generated } from "kysely";
import type { EpochMs, Truth } from "./columns";
import type { SubmissionKind } from "./submissions";

export type CampaignState = "draft" | "preparing" | "sending" | "paused" | "finished" | "cancelled";

/** One outreach mail to a group. The draft's id is the campaign's id, so a second confirm cannot send twice. */
export interface CampaignsTable {
  id: string;
  state: CampaignState;
  audience: SubmissionKind;
  title: string;
  message: string;
  test_address: string;
  created_by: string;
  created_at: EpochMs;
  /** When its draft was saved last. */
  touched_at: EpochMs;
  /** Account that saved its draft last; empty for drafts of before this was kept. */
  touched_by: Generated<string>;
  confirmed_at: EpochMs | null;
  /** Of a draft: when it was discarded. */
  finished_at: EpochMs | null;
  /** How far freezing the audience has come: the last submission id copied. */
  prepared_through: string;
  /** The last submission id to be copied. */
  audience_through: string;
  /** Position of the last submission its question counted: who joined the audience later is not included. */
  audience_position: Generated<number>;
  /** Distinct addresses its question counted; 0 for those confirmed before it was kept. */
  counted: Generated<number>;
  /** Why the campaign waits or was paused, in the mail server's words; empty when it does not. */
  trouble: string;
  /** No claim before this: when it is to begin, and once it began, while the mail server cannot be reached. */
  resume_at: EpochMs;
  /**
   * What it waits for apart from the mail server. "hold" and "schedule": it has not begun, and is to at `resume_at`.
   * "missed" and "refusals": it paused by itself, because that time was missed or because nearly everybody was refused.
   */
  waits_for: "" | "hold" | "schedule" | "missed" | "refusals";
  /** What a schedule says for a time that was missed; empty without one. */
  when_missed: "" | "send" | "wait";
  /** latest-answers.ts says what its bits mean; 0 again when an operator lets the campaign go on. */
  latest_answers: number;
}

export type DeliveryState = "pending" | "claimed" | "sent" | "retrying" | "failed" | "skipped" | "uncertain";

/** The ledger: one row per recipient of a campaign, unique per address. */
export interface DeliveriesTable {
  id: string;
  campaign_id: string;
  address: string;
  email_key: string;
  name: string;
  /** Fixed for the row's life: a repeat carries the same one. */
  message_id: string;
  state: DeliveryState;
  /** Why it was skipped or what the server said last; empty when nothing was said. */
  detail: string;
  attempts: Generated<number>;
  /** 1: a crash left unknown whether it arrived, and it was sent again. After another crash an operator decides. */
  resent_after_crash: Generated<Truth>;
  not_before: EpochMs;
  lease_owner: string;
  lease_until: EpochMs;
  updated_at: EpochMs;
}

/** How many rows of a campaign are in each state: triggers on the ledger keep it, nobody else writes it. Sum over the shards. */
export interface DeliveryCountsTable {
  campaign_id: string;
  state: DeliveryState;
  /** Of skipped rows why; otherwise empty. */
  reason: string;
  shard: number;
  /** May be negative in one shard. */
  count: number;
}

/** Mails tried on a UTC day, of every kind and by all instances; kept only while there is a daily limit. */
export interface MailDaysTable {
  /** 2026-11-21 */
  day: string;
  mails: number;
}
