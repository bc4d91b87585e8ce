import type { Generated, Selectable } from "kysely";
import type { SubmissionKind } from "~/lib/form-fields";
import type { EpochMs, IntegerBoolean, QueueColumns } from "./columns";

export type CampaignState = "draft" | "preparing" | "sending" | "paused" | "finished" | "cancelled";

/** One outreach email to a group. The draft's id is the campaign's id, so a second confirm cannot send twice. */
export interface CampaignsTable {
  id: string;
  state: CampaignState;
  audience: SubmissionKind;
  title: string;
  message: string;
  test_address: string;
  created_by: string;
  created_at: EpochMs;
  /** Time of the draft's last save. */
  touched_at: EpochMs;
  /** Account that saved the draft last. */
  touched_by: Generated<string>;
  /** Id of the form, one for each window that has the draft open, that saved it last; empty when no form did. */
  touched_form: Generated<string>;
  confirmed_at: EpochMs | null;
  /** For a draft: the time it was discarded. */
  finished_at: EpochMs | null;
  /** Progress of the audience snapshot: the last submission id copied. */
  prepared_through: Generated<string>;
  /** Last submission id to copy. */
  audience_through: Generated<string>;
  /** Position of the last submission counted at the confirmation: later members are not included. */
  audience_position: Generated<number>;
  /** Distinct addresses counted when the campaign was confirmed; 0 before. */
  counted: Generated<number>;
  /**
   * Why it waits; empty when nothing of its own keeps it from sending, and when it is over.
   * - "hold": the hold window, until `hold_until`.
   * - "schedule": starts at `hold_until`.
   * - "server": the mail server cannot be reached; retried at `hold_until`.
   * - "missed": paused by itself, because it missed its start.
   * - "refusals": paused by itself, because nearly all recipients were refused.
   * - "login": paused by itself, because the mail server rejects our login or sender.
   * - "operator": an operator paused it.
   * - "restored": a backup was restored.
   */
  hold: Generated<
    "" | "hold" | "schedule" | "server" | "missed" | "refusals" | "login" | "operator" | "restored"
  >;
  /** When it ends by itself; of a paused campaign, the planned start that it has not begun; otherwise null. */
  hold_until: EpochMs | null;
  /** Text to quote: the mail server's reply; empty without one. */
  hold_detail: Generated<string>;
  /** Action when the scheduled time was missed; empty without a schedule. */
  when_missed: Generated<"" | "send" | "wait">;
  /** As latest-answers.ts writes them; empty again when an operator resumes the campaign. */
  latest_answers: Generated<string>;
}

export type Campaign = Selectable<CampaignsTable>;

export type DeliveryState = "pending" | "claimed" | "sent" | "retrying" | "failed" | "skipped" | "uncertain";

/** Deliveries: one row per recipient of a campaign, unique per address. */
export interface DeliveriesTable extends QueueColumns {
  id: string;
  campaign_id: string;
  address: string;
  email_key: string;
  name: string;
  /** Fixed for the row's life: a repeated email carries the same one. */
  message_id: string;
  state: DeliveryState;
  attempts: Generated<number>;
  /** 1: a crash left the result unknown, and the email was sent again. After another crash an operator decides. */
  resent_after_crash: Generated<IntegerBoolean>;
}

/** Number of a campaign's deliveries in each state, updated only by triggers. Sum over the shards. */
export interface DeliveryCountsTable {
  campaign_id: string;
  state: DeliveryState;
  /** Reason of skipped deliveries; otherwise empty. */
  reason: string;
  shard: number;
  /** May be negative in one shard. */
  count: number;
}

/** Emails attempted on a UTC day, of every kind and by all instances; kept only while there is a daily limit. */
export interface EmailDaysTable {
  /** 2026-11-21 */
  day: string;
  emails: number;
}

/** Addresses that get no email any more, unique per address. */
export interface SuppressionsTable {
  /** New with each reason that counts, so that the order of ids is the order of `created_at`. */
  id: string;
  /** As typed. */
  address: string;
  email_key: string;
  reason: "unsubscribed" | "complained" | "refused" | "bounced" | "added" | "imported";
  /** As quoted from a mail server or an operator; empty without a text. */
  detail: string;
  /** The person unsubscribed; stays 1 when a mail server reports the address later. */
  opted_out: IntegerBoolean;
  /** Email that caused it; null when there is none, or it was no campaign's. */
  delivery_id: string | null;
  created_at: EpochMs;
}

/** Reports about emails that a mail server had accepted, each report once. */
export interface BouncesTable {
  /** SHA-256 of the report, hex: the same report is the same row. */
  id: string;
  type: "bounce" | "complaint";
  permanent: IntegerBoolean;
  address: string;
  /** As quoted in the report; empty when it has none. */
  reason: string;
  /** Both null when the report is not about a delivery. */
  campaign_id: string | null;
  delivery_id: string | null;
  happened_at: EpochMs;
  received_at: EpochMs;
}

/** Emails of the `outbox` mail driver; the .eml files are in DATA_DIR/outbox. */
export interface OutboxEmailsTable {
  id: string;
  message_id: string;
  to_address: string;
  subject: string;
  file: string;
  created_at: EpochMs;
}

/** Confirmation requests for updates, one row per address (DOUBLE_OPT_IN). */
export interface ConfirmationsTable {
  /** Part of the link; new with each request that follows a confirmation. */
  id: string;
  /** As typed last. */
  address: string;
  /** Unique. */
  email_key: string;
  /** Creation time of the newest link; it is part of the link and determines its expiry. */
  requested_at: EpochMs;
  /** Null until somebody confirms. */
  confirmed_at: EpochMs | null;
}

export interface OutreachTables {
  confirmations: ConfirmationsTable;
  suppressions: SuppressionsTable;
  bounces: BouncesTable;
  campaigns: CampaignsTable;
  deliveries: DeliveriesTable;
  delivery_counts: DeliveryCountsTable;
  email_days: EmailDaysTable;
  outbox_emails: OutboxEmailsTable;
}
