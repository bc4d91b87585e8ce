import { SUBMISSION_KINDS, type Choice } from "~/lib/form-fields";
import type { SortOrder } from "~/lib/list-page";
import { WAVE_STATES } from "~/lib/wave-states";
import type { AddressState } from "~/services/submissions/submission-filter";

/** What the list of people can be sorted by, with the direction that comes first; people of one value by time. */
export const PEOPLE_SORTS = { first: "desc", name: "asc", address: "asc", company: "asc" } as const;
export type PeopleOrder = SortOrder<keyof typeof PEOPLE_SORTS>;

export const NEWEST_PEOPLE: PeopleOrder = { sort: "first", direction: "desc" };

/** Whether a person confirmed their address. */
export const CONFIRMATION_STATES = ["yes", "no"] as const;

/** The forms that the list filters by; "none" are people without an accepted form, such as in quarantine. */
export const FORM_FILTERS = [...SUBMISSION_KINDS, "none"] as const;

/**
 * Whether a person got a campaign: the status of their delivery, "any" for whatever status. "none": no email of it was sent
 * to them, also where it failed or was skipped. "invitation": theirs is of the campaign, a wave, in whatever state.
 */
export const RECEIPTS = ["sent", "failed", "skipped", "any", "none", "invitation"] as const;

/**
 * Where people are between the waiting list and the product. "waiting": no wave has emailed them, whichever form they sent.
 * "asked": their link had expired, and they asked for a new one that they did not get yet.
 */
export const INVITATION_FILTERS = [...WAVE_STATES, "asked"] as const;
export type InvitationFilter = (typeof INVITATION_FILTERS)[number];

export interface CampaignFilter {
  readonly id: string;
  readonly got: (typeof RECEIPTS)[number];
}

/** Filter of people: of those with an accepted form, unless `form` is "none". A property left out does not filter. */
export interface PeopleFilter {
  /** Starts of words, and parts of an address or company. Nobody without an accepted form is found. */
  readonly search?: string | undefined;
  /** Whoever has an accepted submission of this form. */
  readonly form?: (typeof FORM_FILTERS)[number] | undefined;
  readonly role?: Choice | undefined;
  /** Any part of the name of their company, in any case. */
  readonly company?: string | undefined;
  /** What follows the @ of an address, in lower case. */
  readonly domain?: string | undefined;
  /** Of their first accepted form (app/lib/source.ts). */
  readonly source?: string | undefined;
  /** Whether their address gets emails. */
  readonly emailState?: AddressState | undefined;
  readonly confirmed?: (typeof CONFIRMATION_STATES)[number] | undefined;
  readonly campaign?: CampaignFilter | undefined;
  readonly invitation?: InvitationFilter | undefined;
  /** First known at this time or later; epoch milliseconds. */
  readonly from?: number | undefined;
  /** First known before this time; epoch milliseconds. */
  readonly until?: number | undefined;
}
