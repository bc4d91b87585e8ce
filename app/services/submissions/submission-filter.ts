import type { Choice, SubmissionKind } from "~/lib/form-fields";
import type { SortOrder } from "~/lib/list-page";

/** What a table can be sorted by, with the direction that comes first; rows of the same value are ordered by time. */
export const SUBMISSION_SORTS = { received: "desc", name: "asc", address: "asc", company: "asc" } as const;
export type SubmissionOrder = SortOrder<keyof typeof SUBMISSION_SORTS>;

export const NEWEST_FIRST: SubmissionOrder = { sort: "received", direction: "desc" };

/** States of an address: it receives email, its owner unsubscribed, or it is suppressed otherwise. */
export const ADDRESS_STATES = ["open", "unsubscribed", "suppressed"] as const;
export type AddressState = (typeof ADDRESS_STATES)[number];

/** States of an inquiry. */
export const INQUIRY_STATES = ["open", "answered"] as const;
export type InquiryState = (typeof INQUIRY_STATES)[number];

/** Filter of the accepted submissions of a form; a property left out does not filter. */
export interface SubmissionFilter {
  readonly kind: SubmissionKind;
  /** As typed: beginnings of words, parts of an address or a company, and of an inquiry beginnings of words of its text. */
  readonly search?: string | undefined;
  readonly choice?: Choice | undefined;
  readonly emailState?: AddressState | undefined;
  /** A source as stored (app/lib/source.ts). */
  readonly source?: string | undefined;
  /** Only for inquiries. */
  readonly inquiryState?: InquiryState | undefined;
  /** Start of a day in epoch milliseconds, inclusive. */
  readonly from?: number | undefined;
  /** End of a day in epoch milliseconds, exclusive. */
  readonly until?: number | undefined;
  /** Epoch milliseconds, any moment, inclusive. */
  readonly since?: number | undefined;
  /** Position in the audience of the form (`getAudienceEnd`): excludes what was accepted later, of whatever time it is. */
  readonly through?: number | undefined;
}
