import type { SubmissionsTable, TypedColumns } from "~/db/tables/submissions";

export type TypedColumn = keyof TypedColumns;

/** Empty values for every typed column; the form's own columns override them. A missing column does not compile. */
export const EMPTY_FIELDS = {
  email: "",
  name: "",
  company: "",
  role: "",
  inquiry_type: "",
  message: "",
} as const satisfies Record<TypedColumn, "">;

/** Columns with what people type into the forms. */
export const TYPED_COLUMNS = Object.keys(EMPTY_FIELDS) as TypedColumn[];

/** All typed fields, and when they were submitted. */
export type TypedSubmission = TypedColumns & Pick<SubmissionsTable, "created_at">;

/** The three forms; recipient groups of outreach have the same names (specification, section 9). */
export const SUBMISSION_KINDS = ["early-access", "contact-form", "updates-signup"] as const;

export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];

/** Reasons for taking a submission for automated, in display order (hardening C27). */
export const QUARANTINE_REASONS = ["honeypot", "too-fast", "forged-form"] as const;

export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];
