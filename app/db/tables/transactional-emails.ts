import type { Generated } from "kysely";
import type { AutomaticRule } from "~/lib/automatic-rules";
import type { EpochMs, IntegerBoolean, QueueColumns } from "./columns";
import type { DeliveryState } from "./outreach";

/** Whether an email waits when the daily allowance is used up; see services/mail/delivery/daily-allowance.server.ts. */
export type TransactionalClass = "always" | "automatic";

/** Emails that are no delivery of a campaign: one row for each, whatever asked for it. */
export interface TransactionalEmailsTable extends QueueColumns {
  id: string;
  /** See services/mail/transactional/email-kind.ts. */
  kind:
    | "confirmation"
    | "incident"
    | "test"
    | "api"
    | "invitation"
    | "email-change"
    | "email-changed"
    | "alert"
    | "wave-invitation"
    | "wave-reminder"
    | AutomaticRule;
  /** What makes it unique within its kind; its id where nothing does. */
  unique_key: string;
  /** JSON: what its kind needs to compose it and to record its end. */
  data: string;
  /** As typed. */
  address: string;
  email_key: string;
  /** Fixed for the row's life: a repeated email carries the same one. Empty where an earlier version queued it. */
  message_id: string;
  /** "skipped": it was certainly not sent, and its key is free for another one. */
  state: DeliveryState;
  attempts: number;
  /** 1: a crash left the result unknown, and the email was sent again. */
  resent_after_crash: Generated<IntegerBoolean>;
  created_at: EpochMs;
  /** Of an automatic email that may go, or went: the text it has (tables/automatic.ts). Otherwise empty. */
  text_id: Generated<string>;
  /** Of its kind, as when it was asked for. */
  allowance_class: Generated<TransactionalClass>;
  /** When it is too late to send it; null for one that is always sent. */
  late_at: EpochMs | null;
}

export interface TransactionalEmailTables {
  transactional_emails: TransactionalEmailsTable;
}
