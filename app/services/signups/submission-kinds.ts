/** The three forms a submission comes from; as recipient groups of outreach they have the same names (specification, section 9). */
export const SUBMISSION_KINDS = ["early-access", "contact-form", "updates-signup"] as const;

export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];
