import type { SubmissionKind, SubmissionsTable } from "~/db/tables/submissions";

/** In which order a table stands; equal names and addresses by when they came. */
export const SUBMISSION_SORTS = ["newest", "oldest", "name", "address"] as const;
export type SubmissionSort = (typeof SUBMISSION_SORTS)[number];

/** Whether an address gets mail: nothing is in the way, its owner unsubscribed, or another reason suppresses it. */
export const MAIL_STATES = ["open", "unsubscribed", "suppressed"] as const;
type MailState = (typeof MAIL_STATES)[number];

/** What people choose in a form besides typing: the role in one, the inquiry type in another, nothing in the third. */
export const CHOICES = {
  "early-access": ["executive", "manager", "developer", "other"],
  "contact-form": ["general", "partnership", "support"],
  "updates-signup": [],
} as const satisfies Record<
  SubmissionKind,
  readonly (SubmissionsTable["role"] | SubmissionsTable["inquiry_type"])[]
>;
export type Choice = (typeof CHOICES)[SubmissionKind][number];

/** Which accepted submissions of a form; what is left out does not matter. */
export interface SubmissionFilter {
  readonly kind: SubmissionKind;
  /** Beginnings of words of the name or of the address. */
  readonly search?: string | undefined;
  readonly choice?: Choice | undefined;
  readonly mail?: MailState | undefined;
  /** Epoch milliseconds, the first of a UTC day: from then on. */
  readonly from?: number | undefined;
  /** Epoch milliseconds, the first of a UTC day: before then. */
  readonly until?: number | undefined;
  /** This submission and older ones, so that what arrives later is not meant. */
  readonly through?: string | undefined;
}
