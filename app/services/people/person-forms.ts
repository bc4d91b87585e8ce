import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";

/** The bit of each form in `people.forms`; the indexes of migration 0020 name them. */
export const FORM_BITS: Record<SubmissionKind, number> = {
  "early-access": 1,
  "contact-form": 2,
  "updates-signup": 4,
};

/** Returns the forms of a person's accepted submissions. @param bits `people.forms`. */
export const toFormKinds = (bits: number): SubmissionKind[] =>
  SUBMISSION_KINDS.filter((kind) => (bits & FORM_BITS[kind]) !== 0);
