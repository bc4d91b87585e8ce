import { audienceMessages } from "~/content/audiences";
import { peopleMessages as copy } from "~/content/people";
import { submissionMessages } from "~/content/submissions";
import { cleanText } from "~/lib/clean-text";
import { emailKey } from "~/lib/email-address";
import { cleanSource } from "~/lib/source";
import { CHOICES } from "~/lib/form-fields";
import { isUuid } from "~/lib/uuid";
import { ADDRESS_STATES } from "~/services/submissions/submission-filter";
import {
  CONFIRMATION_STATES,
  FORM_FILTERS,
  INVITATION_FILTERS,
  PEOPLE_SORTS,
  RECEIPTS,
  type CampaignFilter,
  type PeopleFilter,
} from "~/services/people/people-filter";
import {
  anyText,
  dayFields,
  describeFilterInWords,
  listState,
  oneOf,
  shortText,
  sortFields,
  toOrder,
  toSearch,
  withoutOrder,
  type ValuesOf,
} from "../list-state";

const MAX_LENGTH = 200;
const wholeText = {
  ...shortText(MAX_LENGTH, copy.tooLong),
  clean: (typed: string) => cleanText(typed) ?? "",
};

/** What is known of a person, as the list and a narrowed audience filter by it. */
export const personFields = {
  role: oneOf(CHOICES["early-access"]),
  company: wholeText,
  domain: {
    ...wholeText,
    // As the end of an address, whose domain is stored in ASCII.
    clean: (typed: string) => emailKey(`@${wholeText.clean(typed).replace(/^@/, "")}`).slice(1),
  },
  source: { ...anyText, clean: cleanSource },
  confirmed: oneOf(CONFIRMATION_STATES),
  campaign: {
    error: audienceMessages.notACampaign,
    parse: (text: string) => (isUuid(text) ? text : undefined),
  },
  got: oneOf(RECEIPTS),
} as const;

/** Returns the filter by a campaign, which people got unless it says otherwise. */
export const toCampaign = (
  id: string | undefined,
  got: CampaignFilter["got"] = "sent",
): CampaignFilter | undefined => (id === undefined ? undefined : { id, got });

/** Refuses a delivery's status without the campaign. */
export const checkCampaign = (parsed: { campaign?: unknown; got?: unknown }) =>
  parsed.got !== undefined && parsed.campaign === undefined ? { got: audienceMessages.noCampaign } : {};

/** The filter of the list of people. */
export const peopleList = listState(
  {
    q: shortText(100, submissionMessages.searchTooLong),
    form: oneOf(FORM_FILTERS),
    ...personFields,
    invitation: oneOf(INVITATION_FILTERS),
    mail: oneOf(ADDRESS_STATES),
    ...dayFields,
    ...sortFields(PEOPLE_SORTS),
  },
  ({
    q,
    form,
    role,
    company,
    domain,
    source,
    mail: emailState,
    confirmed,
    campaign,
    got,
    invitation,
    from,
    to,
    ...order
  }) => {
    const matching: PeopleFilter = {
      search: q,
      form,
      role,
      company,
      domain,
      source,
      emailState,
      confirmed,
      campaign: toCampaign(campaign, got),
      invitation,
      from,
      until: to,
    };
    return { matching, order: toOrder(PEOPLE_SORTS, order) };
  },
  checkCampaign,
);

export type PeopleValues = ValuesOf<typeof peopleList>;

/** Returns whether people are filtered out; an order alone is no filter. */
export const isFiltered = (values: PeopleValues): boolean => toSearch(withoutOrder(values)) !== "";

/** Returns "form early-access, domain acme.com", for the activity. */
export function filterInWords(values: PeopleValues, timeZone: string): string {
  const names = {
    q: "found by",
    form: "form",
    role: "role",
    company: "company contains",
    domain: "domain",
    source: "source",
    mail: "email status",
    confirmed: "confirmed",
    campaign: "campaign",
    got: "delivery",
    invitation: "invitation",
    from: "from",
    to: "to",
  };
  const words = describeFilterInWords(values, names, { typed: ["q", "company", "source"], timeZone });
  return `people, ${words || "all of them"}`;
}
