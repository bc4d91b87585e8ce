import type { Generated, Selectable } from "kysely";
import type { SubmissionKind } from "~/lib/form-fields";
import type { MessageFormat } from "~/lib/message-format";
import type { EpochMs, IntegerBoolean, QueueColumns } from "./columns";

export type CampaignState = "draft" | "preparing" | "sending" | "paused" | "finished" | "cancelled";

/** One outreach email to a group. The draft's id is the campaign's id, so a second confirm cannot send twice. */
export interface CampaignsTable {
  id: string;
  state: CampaignState;
  audience: SubmissionKind;
  /** JSON of the filter, order and limit that narrow the group (services/audiences); empty: the whole group. */
  narrowing: Generated<string>;
  /**
   * Id of the confirmation that is writing a draft's `campaign_people`; it tells when that began. Empty otherwise. A
   * confirmation to the whole group leaves that of an interrupted one from when the draft was narrowed, for `sweepFrozenPeople`.
   */
  freezing: Generated<string>;
  title: string;
  message: string;
  format: Generated<MessageFormat>;
  /** Template that the text was copied from, which may be deleted since; null without one. */
  template_id: string | null;
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
  /**
   * Progress of the audience snapshot: the last submission id copied, or place of a narrowed audience. Of a draft that
   * was confirmed before: not empty until the deliveries of that confirmation are dropped.
   */
  prepared_through: Generated<string>;
  /** Last submission id, or place, to copy. */
  audience_through: Generated<string>;
  /** Position of the last submission counted at the confirmation: later members are not included. */
  audience_position: Generated<number>;
  /** Distinct addresses counted, or people chosen, when the campaign was confirmed; 0 before. */
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
  /**
   * When it ends by itself; of a paused campaign, the planned start that it has not begun; of a draft that was scheduled,
   * the start it had, to be confirmed again; otherwise null.
   */
  hold_until: EpochMs | null;
  /** Text to quote: the mail server's reply; empty without one. */
  hold_detail: Generated<string>;
  /** Action when the scheduled time was missed; empty without a schedule. */
  when_missed: Generated<"" | "send" | "wait">;
  /** As latest-answers.ts writes them; empty again when an operator resumes the campaign. */
  latest_answers: Generated<string>;
  /** Number of the wave, from its confirmation on; null of a campaign that invites nobody. */
  wave: Generated<number | null>;
  /** Length of time that its emails are spread over, in milliseconds; 0: sent at once. A draft proposes it. */
  pace_ms: Generated<number>;
  /** Of a wave that repeats: its row of `wave_plans`. */
  plan_id: Generated<string | null>;
  /** Of a wave: how long after their invitation people are reminded who did not join, in milliseconds; 0: never. */
  remind_ms: Generated<number>;
  /** When the next email may be attempted for the first time; null before the first one, and without a pace. */
  next_at: EpochMs | null;
}

export type Campaign = Selectable<CampaignsTable>;

/** The people whom the confirmation of a narrowed campaign chose, in their order, until their deliveries are created. */
export interface CampaignPeopleTable {
  campaign_id: string;
  /** From 1. */
  place: number;
  /** Who may be erased or merged since. */
  person_id: string;
}

export type DeliveryState = "pending" | "claimed" | "sent" | "retrying" | "failed" | "skipped" | "uncertain";

/** Deliveries: one row per recipient of a campaign, unique per address. */
export interface DeliveriesTable extends QueueColumns {
  id: string;
  campaign_id: string;
  address: string;
  email_key: string;
  /** As typed in the submission, for the fields of the message; empty where the form has none. */
  name: string;
  company: Generated<string>;
  role: Generated<string>;
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
  /** New with each reason that counts, so that the order of ids is the order of `created_at`, but for those of imports. */
  id: string;
  /** As typed. */
  address: string;
  email_key: string;
  reason: "unsubscribed" | "complained" | "refused" | "bounced" | "added" | "imported";
  /** As quoted from a mail server or an operator; empty without a text. */
  detail: string;
  /** The person unsubscribed, complained, or opted out by an imported list; stays 1 when a mail server reports the address later. */
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

/** Texts that campaigns start from; a campaign has a copy. */
export interface CampaignTemplatesTable {
  id: string;
  name: string;
  /** In lower case; unique among those that are not deleted. */
  name_key: string;
  title: string;
  message: string;
  format: MessageFormat;
  created_by: string;
  created_at: EpochMs;
  changed_by: string;
  changed_at: EpochMs;
  /** Empty when it is not deleted. */
  deleted_by: Generated<string>;
  /** Can be undone for a while. */
  deleted_at: EpochMs | null;
}

/** The template that a campaign to a recipient group starts from, if the group has one that is not deleted. */
export interface CampaignTemplateDefaultsTable {
  audience: SubmissionKind;
  template_id: string;
}

export interface OutreachTables {
  campaign_templates: CampaignTemplatesTable;
  campaign_template_defaults: CampaignTemplateDefaultsTable;
  confirmations: ConfirmationsTable;
  suppressions: SuppressionsTable;
  bounces: BouncesTable;
  campaigns: CampaignsTable;
  campaign_people: CampaignPeopleTable;
  deliveries: DeliveriesTable;
  delivery_counts: DeliveryCountsTable;
  email_days: EmailDaysTable;
  outbox_emails: OutboxEmailsTable;
}
