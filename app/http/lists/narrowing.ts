import { audienceMessages as copy } from "~/content/audiences";
import { WAVE_STATES } from "~/lib/wave-states";
import { isTimeZone } from "~/lib/zoned-time";
import {
  AUDIENCE_ORDERS,
  formatNarrowing,
  MAX_AUDIENCE,
  type Narrowing,
} from "~/services/audiences/narrowing";
import { anyText, dayFields, listState, oneOf, type ValuesOf } from "../list-state";
import { checkCampaign, personFields, toCampaign } from "./people-list";

/** The filter of the list of people, but for the form, the email status, and who asked for a new link. */
const { role, company, domain, source, confirmed, campaign, got } = personFields;

const countField = {
  error: copy.notACount(MAX_AUDIENCE),
  /** Without the marks between thousands. */
  clean: (typed: string) => typed.replace(/(?<=\d)[\s,.](?=\d{3}(?!\d))/g, ""),
  parse: (text: string) =>
    /^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_AUDIENCE ? Number(text) : undefined,
};

/** What narrows the group of a campaign, in the form of its draft and in a URL that starts one. */
export const narrowingState = listState(
  {
    role,
    company,
    domain,
    source,
    confirmed,
    campaign,
    got,
    invitation: oneOf(WAVE_STATES),
    ...dayFields,
    /** Of the days, where these are not of the reader's zone. */
    zone: { ...anyText, clean: (typed: string) => (isTimeZone(typed) ? typed : "") },
    pick: oneOf(AUDIENCE_ORDERS),
    limit: countField,
    perDomain: countField,
  },
  (parsed) => parsed,
  checkCampaign,
);

export type NarrowingValues = ValuesOf<typeof narrowingState>;
export type NarrowingErrors = Partial<Record<keyof NarrowingValues, string>>;

type ReadNarrowing =
  | { readonly ok: true; readonly values: NarrowingValues; readonly narrowing: string }
  | { readonly ok: false; readonly values: NarrowingValues; readonly errors: NarrowingErrors };

/** Reads a narrowing from a form or a URL. @returns it as `campaigns.narrowing` has it. */
export function readNarrowing(search: URLSearchParams, timeZone: string): ReadNarrowing {
  const read = narrowingState.read(search, timeZone);
  return read.ok ? { ok: true, values: read.values, narrowing: toNarrowing(read, timeZone) } : read;
}

/** Reads a narrowing from a form that is not complete yet: an invalid field does not narrow. */
export const readNarrowingLoosely = (search: URLSearchParams, timeZone: string): string =>
  toNarrowing(narrowingState.readLoosely(search, timeZone), timeZone);

function toNarrowing(read: ReturnType<typeof narrowingState.readLoosely>, timeZone: string): string {
  const {
    pick: order = "oldest",
    campaign: id,
    got: receipt,
    zone,
    from: _from,
    to: _to,
    ...filter
  } = read.filter;
  const { from, to } = read.values;
  const narrowing: Narrowing = {
    ...filter,
    campaign: toCampaign(id, receipt),
    from: from || undefined,
    to: to || undefined,
    timeZone: zone ?? timeZone,
    order,
  };
  return formatNarrowing(narrowing);
}

/** Returns the values of the form's fields; a field that narrows nothing is empty. */
export function toNarrowingValues(narrowing: Narrowing): NarrowingValues {
  const { role = "", company = "", domain = "", source = "", confirmed = "", campaign } = narrowing;
  const { invitation = "", from = "", to = "", timeZone = "", order, limit, perDomain } = narrowing;
  return {
    role,
    company,
    domain,
    source,
    confirmed,
    campaign: campaign?.id ?? "",
    got: campaign === undefined || campaign.got === "sent" ? "" : campaign.got,
    invitation,
    from,
    to,
    zone: timeZone,
    pick: order === "oldest" ? "" : order,
    limit: limit === undefined ? "" : String(limit),
    perDomain: perDomain === undefined ? "" : String(perDomain),
  };
}
