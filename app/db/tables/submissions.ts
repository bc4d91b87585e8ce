import type { ColumnType, Generated } from "kysely";
import type { SubmissionKind, TypedColumns } from "~/lib/form-fields";
import type { QuarantineReason } from "~/lib/quarantine-reasons";
import type { EpochMs } from "./columns";

/** One row per submitted form. */
export interface SubmissionsTable extends TypedColumns {
  id: string;
  kind: SubmissionKind;
  /**
   * unconfirmed: awaits confirmation by the owner of its address. deleted: was accepted, is shown nowhere, and can
   * be restored until its deletion is swept.
   */
  state: "accepted" | "quarantined" | "unconfirmed" | "deleted";
  /** Reason for the quarantine; empty when accepted. */
  quarantine_reason: "" | QuarantineReason;
  /** Address in lower case: equality of addresses is defined by it. */
  email_key: string;
  created_at: EpochMs;
  /** Time of a late admission, such as a release from quarantine; null when accepted at once or not yet. */
  admitted_at: EpochMs | null;
  /**
   * Position in the order in which submissions joined the audience of their form: a new one whenever it is accepted
   * or restored, or its address leaves the suppression list. Submissions that join in one transaction share one.
   */
  audience_position: Generated<number>;
  /** Deletion that deleted it; null when it is not deleted. */
  deletion_id: string | null;
  /** Time at which an inquiry was marked as answered; null while it is open, and in other forms. */
  answered_at: Generated<EpochMs | null>;
  /** Address of the account that marked it. */
  answered_by: Generated<string | null>;
}

/** Fingerprints with which identical content is stored only once within its window. */
export interface SubmissionFingerprintsTable {
  /** SHA-256 of the form and the normalised content, hex. */
  fingerprint: string;
  submission_id: string;
  seen_at: EpochMs;
}

/** Counts of submissions, updated in the transaction that stores one, so that a page never counts rows. */
export interface SubmissionCountsTable {
  kind: SubmissionKind;
  state: SubmissionsTable["state"];
  count: number;
  /** For accepted ones, the position of those that joined the audience last; otherwise 0. */
  audience_position: Generated<number>;
}

/** Accepted submissions by the UTC day on which they arrived, updated in the same transactions. */
export interface SubmissionDaysTable {
  kind: SubmissionKind;
  /** First millisecond of the day. */
  day: EpochMs;
  count: number;
}

/** Submissions deleted together, which can be restored together; removed when that is no longer possible. */
export interface DeletionsTable {
  id: string;
  kind: SubmissionKind;
  /** Address of the account. */
  deleted_by: string;
  deleted_at: EpochMs;
  /** Number of its submissions that are still deleted. */
  count: number;
}

export interface ConsentsTable {
  submission_id: string;
  email_key: string;
  form: SubmissionKind;
  wording: string;
  wording_version: string;
  /** Shortened: without the last octet, or the last 80 bits. */
  network: string;
  given_at: EpochMs;
}

/** Search words of an accepted submission (app/lib/search-words.ts). Deleted with the submission. */
export interface SearchDocumentsTable {
  /** Only on SQLite: the millisecond of the submission's id, and 15 bits that count up within it. */
  n: ColumnType<never, number | undefined, never>;
  submission_id: string;
  /** Separated by spaces. The first one stands for the form (search-index.server.ts). */
  words: string;
}

export interface SubmissionTables {
  submissions: SubmissionsTable;
  submission_fingerprints: SubmissionFingerprintsTable;
  submission_counts: SubmissionCountsTable;
  submission_days: SubmissionDaysTable;
  deletions: DeletionsTable;
  search_documents: SearchDocumentsTable;
  inquiry_documents: SearchDocumentsTable;
  consents: ConsentsTable;
}
