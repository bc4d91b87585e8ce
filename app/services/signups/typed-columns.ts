import type { SubmissionsTable, TypedColumns } from "~/db/tables/submissions";

export type TypedColumn = keyof TypedColumns;

/** A form that asked for nothing: a kind's own columns go over it. Every column is here, or it does not compile. */
export const EMPTY_FIELDS = {
  email: "",
  name: "",
  company: "",
  role: "",
  inquiry_type: "",
  message: "",
} as const satisfies Record<TypedColumn, "">;

/** What people type into the forms, for whoever reads all of it. */
export const TYPED_COLUMNS = Object.keys(EMPTY_FIELDS) as TypedColumn[];

/** All that was typed, and when. */
export type TypedSubmission = TypedColumns & Pick<SubmissionsTable, "created_at">;

/** The three forms a submission comes from; as recipient groups of outreach they have the same names (specification, section 9). */
export const SUBMISSION_KINDS = ["early-access", "contact-form", "updates-signup"] as const;

export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];

/** Why a submission is taken for a program's, in the order they are listed (hardening C27). */
export const QUARANTINE_REASONS = ["honeypot", "too-fast", "forged-form"] as const;

export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];
