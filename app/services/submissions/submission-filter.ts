import type { SubmissionKind, SubmissionsTable } from "~/db/tables/submissions";

/** Orders of a table; equal names and addresses are ordered by time. */
export const SUBMISSION_SORTS = ["newest", "oldest", "name", "address"] as const;
export type SubmissionSort = (typeof SUBMISSION_SORTS)[number];

/** Email states of an address: it receives email, its owner unsubscribed, or it is suppressed otherwise. */
export const EMAIL_STATES = ["open", "unsubscribed", "suppressed"] as const;
type EmailState = (typeof EMAIL_STATES)[number];

/** Choices in the forms besides typed text: the role in one, the inquiry type in another, none in the third. */
export const CHOICES = {
  "early-access": ["executive", "manager", "developer", "other"],
  "contact-form": ["general", "partnership", "support"],
  "updates-signup": [],
} as const satisfies Record<
  SubmissionKind,
  readonly (SubmissionsTable["role"] | SubmissionsTable["inquiry_type"])[]
>;
export type Choice = (typeof CHOICES)[SubmissionKind][number];

/** Filter of the accepted submissions of a form; a property left out does not filter. */
export interface SubmissionFilter {
  readonly kind: SubmissionKind;
  /** Beginnings of words of the name or of the address. */
  readonly search?: string | undefined;
  readonly choice?: Choice | undefined;
  readonly emailState?: EmailState | undefined;
  /** Epoch milliseconds, start of a UTC day, inclusive. */
  readonly from?: number | undefined;
  /** Epoch milliseconds, start of a UTC day, exclusive. */
  readonly until?: number | undefined;
  /** Limits the filter to this submission and older ones, so that later ones are excluded. */
  readonly through?: string | undefined;
}
