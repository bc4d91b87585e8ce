import type { ColumnType, Generated } from "kysely";
import type { SubmissionKind, TypedColumns } from "~/lib/form-fields";
import type { QuarantineReason } from "~/lib/quarantine-reasons";
import type { EpochMs, IntegerBoolean } from "./columns";

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
  /** Where the sender came from (app/lib/source.ts), at most 100 code points. */
  source: string;
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
  /** 1: an automatic email answers it once it is accepted, because its sender sent the form, or a program asked for it. */
  notify: Generated<IntegerBoolean>;
  /** Import that stored it; null for every other one. */
  import_id: Generated<string | null>;
  /** 0: it goes to no mirror, because it was imported without, or can still be undone. */
  is_mirrored: Generated<IntegerBoolean>;
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

/** Accepted submissions by source and UTC day, updated in the same transactions. */
export interface SubmissionSourcesTable extends SubmissionDaysTable {
  source: string;
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

/** What the search finds an accepted submission or a person by (app/lib/search-words.ts). */
export interface DocumentsTable {
  /** Only on SQLite: the millisecond of the id, and 15 bits that count up within it. */
  n: ColumnType<never, number | undefined, never>;
  /** Of the submission or person; null when that was erased or hidden, until the words are swept. */
  id: string | null;
  words: string;
}

/** Words of an accepted inquiry and its sender. Deleted with the submission. */
export interface InquiryDocumentsTable {
  /** Only on SQLite, as in the other documents. */
  n: ColumnType<never, number | undefined, never>;
  submission_id: string;
  /** Separated by spaces. The first one stands for the form. */
  words: string;
}

export interface SubmissionTables {
  submissions: SubmissionsTable;
  submission_fingerprints: SubmissionFingerprintsTable;
  submission_counts: SubmissionCountsTable;
  submission_days: SubmissionDaysTable;
  submission_sources: SubmissionSourcesTable;
  deletions: DeletionsTable;
  submission_documents: DocumentsTable;
  inquiry_documents: InquiryDocumentsTable;
  consents: ConsentsTable;
}
