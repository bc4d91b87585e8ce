import type { ColumnType, Generated } from "kysely";

/**
 * The tables' types, the same for SQLite and PostgreSQL. Times are epoch milliseconds in bigint columns (read as
 * numbers on both), truths are 0 or 1, ids are UUIDv7 text, so that id order is time order.
 */
export interface Tables {
  secrets: SecretsTable;
  accounts: AccountsTable;
  sessions: SessionsTable;
  attempts: AttemptsTable;
  submissions: SubmissionsTable;
  submission_fingerprints: SubmissionFingerprintsTable;
  submission_counts: SubmissionCountsTable;
  consents: ConsentsTable;
  confirmations: ConfirmationsTable;
  suppressions: SuppressionsTable;
  sends: SendsTable;
  deliveries: DeliveriesTable;
  outbox_mails: OutboxMailsTable;
  audit: AuditTable;
}

type EpochMs = number;
type Truth = 0 | 1;

/** Keys the product makes for itself on first start; the environment overrides them. */
export interface SecretsTable {
  name: string;
  value: string;
  created_at: EpochMs;
}

export interface AccountsTable {
  id: string;
  /** Lower case; unique. */
  email: string;
  full_name: string;
  role: "admin" | "superadmin";
  /** PHC string, argon2id. */
  password_hash: string;
  password_is_temporary: Truth;
  /** No login with a temporary password after this; the one it is for sets it to that moment. Null for one the person chose. */
  password_expires_at: EpochMs | null;
  created_at: EpochMs;
  last_login_at: EpochMs | null;
}

export interface SessionsTable {
  /** SHA-256 of the id in the cookie, hex. */
  id_hash: string;
  account_id: string;
  created_at: EpochMs;
  last_seen_at: EpochMs;
  user_agent: string;
  network: string;
}

/** Counters of attempts per key and window: login and form limits, shared by all instances. */
export interface AttemptsTable {
  key: string;
  count: number;
  resets_at: EpochMs;
}

export type SubmissionKind = "early-access" | "contact-form" | "updates-signup";

/** One row per stored form. Columns a kind does not have are empty strings. */
export interface SubmissionsTable {
  id: string;
  kind: SubmissionKind;
  /** unconfirmed: waits until the owner of its address says that it is theirs. */
  state: "accepted" | "quarantined" | "unconfirmed";
  /** Why it waits in quarantine; empty when accepted. */
  quarantine_reason: "" | "honeypot" | "too-fast" | "forged-form";
  name: string;
  /** As typed, trimmed. */
  email: string;
  /** What equality of addresses means: lower case. */
  email_key: string;
  company: string;
  role: "" | "executive" | "manager" | "developer" | "other";
  inquiry_type: "" | "general" | "partnership" | "support";
  message: string;
  created_at: EpochMs;
  /** When it was let in later than it came, as by a release from quarantine; null when it was accepted at once or waits. */
  admitted_at: EpochMs | null;
}

/** What makes the same content land once within its window. */
export interface SubmissionFingerprintsTable {
  /** SHA-256 over kind and normalised content, hex. */
  fingerprint: string;
  submission_id: string;
  seen_at: EpochMs;
}

/** Kept in the transaction that stores the submission, so that a page never counts rows. */
export interface SubmissionCountsTable {
  kind: SubmissionKind;
  state: SubmissionsTable["state"];
  count: number;
}

export interface ConsentsTable {
  submission_id: string;
  email_key: string;
  form: SubmissionKind;
  wording: string;
  wording_version: string;
  /** Shortened: the last octet, or the last 80 bits, are gone. */
  network: string;
  given_at: EpochMs;
}

/** One row per address that was asked whether it signed up for updates, and the mail that asks (DOUBLE_OPT_IN). */
export interface ConfirmationsTable {
  /** In the link, new with each asking that follows a confirmation. */
  id: string;
  /** As typed last. */
  address: string;
  /** Unique. */
  email_key: string;
  /** When the newest link was made; it stands in the link and decides when that expires. */
  asked_at: EpochMs;
  /** Null while nobody has confirmed. */
  confirmed_at: EpochMs | null;
  /** Of the mail: as in the ledger below, also what follows. */
  state: DeliveryState;
  detail: string;
  attempts: number;
  not_before: EpochMs;
  lease_owner: string;
  lease_until: EpochMs;
  updated_at: EpochMs;
}

/** Addresses that get no mail any more. */
export interface SuppressionsTable {
  email_key: string;
  reason: "unsubscribed" | "refused";
  delivery_id: string | null;
  created_at: EpochMs;
}

export type SendState = "draft" | "preparing" | "sending" | "paused" | "finished" | "cancelled";

/** One outreach mail to a group. The draft's id is the send's id, so a second confirm cannot send twice. */
export interface SendsTable {
  id: string;
  state: SendState;
  audience: SubmissionKind;
  title: string;
  message: string;
  test_address: string;
  created_by: string;
  created_at: EpochMs;
  /** When its draft was saved last. */
  touched_at: EpochMs;
  confirmed_at: EpochMs | null;
  finished_at: EpochMs | null;
  /** How far freezing the audience has come: the last submission id copied. */
  prepared_through: string;
  /** Audience is frozen up to this submission id at the confirm click. */
  audience_through: string;
  /** Why the send waits or was paused, in the mail server's words; empty when it does not. */
  trouble: string;
  /** No claim before this; set while the mail server cannot be reached. */
  resume_at: EpochMs;
}

export type DeliveryState = "pending" | "claimed" | "sent" | "retrying" | "failed" | "skipped" | "uncertain";

/** The ledger: one row per recipient of a send, unique per address. */
export interface DeliveriesTable {
  id: string;
  send_id: string;
  address: string;
  email_key: string;
  name: string;
  /** Fixed for the row's life: a repeat carries the same one. */
  message_id: string;
  state: DeliveryState;
  /** Why it was skipped or what the server said last; empty when nothing was said. */
  detail: string;
  attempts: Generated<number>;
  not_before: EpochMs;
  lease_owner: string;
  lease_until: EpochMs;
  updated_at: EpochMs;
}

/** The `outbox` mail driver's rows; the .eml file lies beside in DATA_DIR/outbox. */
export interface OutboxMailsTable {
  id: string;
  message_id: string;
  to_address: string;
  subject: string;
  file: string;
  created_at: EpochMs;
}

/** Who did what, when, from where. Never deleted in the product, and changed only by the deed itself while it goes on. */
export interface AuditTable {
  id: string;
  at: ColumnType<EpochMs, EpochMs, never>;
  actor: string;
  action: string;
  subject: string;
  outcome: "ok" | "refused" | "failed";
  network: string;
  request_id: string;
}
