import type { Generated } from "kysely";
import type { EpochMs } from "./columns";

export type SubmissionKind = "early-access" | "contact-form" | "updates-signup";

/** What people type into the forms. Columns a kind does not have are empty strings. */
export interface TypedColumns {
  name: string;
  /** As typed, trimmed. */
  email: string;
  company: string;
  role: "" | "executive" | "manager" | "developer" | "other";
  inquiry_type: "" | "general" | "partnership" | "support";
  message: string;
}

/** One row per stored form. */
export interface SubmissionsTable extends TypedColumns {
  id: string;
  kind: SubmissionKind;
  /**
   * unconfirmed: waits until the owner of its address says that it is theirs. deleted: was accepted, stands nowhere any
   * more, and can come back until its deletion is swept.
   */
  state: "accepted" | "quarantined" | "unconfirmed" | "deleted";
  /** Why it waits in quarantine; empty when accepted. */
  quarantine_reason: "" | "honeypot" | "too-fast" | "forged-form";
  /** What equality of addresses means: lower case. */
  email_key: string;
  created_at: EpochMs;
  /** When it was let in later than it came, as by a release from quarantine; null when it was accepted at once or waits. */
  admitted_at: EpochMs | null;
  /**
   * Its place in the order in which submissions joined the audience of their kind: a new one whenever it is accepted or
   * restored, or its address leaves the suppression list. What joins in one transaction shares one.
   */
  audience_position: Generated<number>;
  /** By which deletion it is deleted; null when it is not. */
  deletion_id: string | null;
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
  /** Of the accepted ones the position of those that joined the audience last; otherwise 0. */
  audience_position: Generated<number>;
}

/** Accepted submissions by the UTC day they came on, kept in the same transactions. */
export interface SubmissionDaysTable {
  kind: SubmissionKind;
  /** Its first millisecond. */
  day: EpochMs;
  count: number;
}

/** What was deleted together and can come back together; gone once that is over. */
export interface DeletionsTable {
  id: string;
  kind: SubmissionKind;
  /** The account's address. */
  deleted_by: string;
  deleted_at: EpochMs;
  /** How many rows of it are still deleted. */
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
