import { z } from "zod";
import { CHOICES, type SubmissionKind } from "~/lib/form-fields";
import { parseJson } from "~/lib/parse-json";
import { isUuid } from "~/lib/uuid";
import { endOfZonedDay, startOfZonedDay } from "~/lib/zoned-day";
import { isTimeZone, UTC } from "~/lib/zoned-time";
import { WAVE_STATES } from "~/lib/wave-states";
import { CONFIRMATION_STATES, RECEIPTS, type PeopleFilter } from "~/services/people/people-filter";

/**
 * In which order people are chosen and written to: by when they were first known, or spread over domains: the oldest of
 * each domain first, then the second of each.
 */
export const AUDIENCE_ORDERS = ["oldest", "newest", "spread"] as const;

/** Most people of a narrowed audience. */
export const MAX_AUDIENCE = 100_000;

const text = z.string().min(1).max(200);
const day = z.string().refine((typed) => startOfZonedDay(typed, UTC) !== undefined);
const count = z.int().min(1).max(MAX_AUDIENCE);

/** In the order in which it is written. */
const schema = z.object({
  role: z.enum(CHOICES["early-access"]).optional(),
  company: text.optional(),
  domain: text.optional(),
  source: text.optional(),
  confirmed: z.enum(CONFIRMATION_STATES).optional(),
  campaign: z.object({ id: z.string().refine(isUuid), got: z.enum(RECEIPTS) }).optional(),
  invitation: z.enum(WAVE_STATES).optional(),
  /** First and last day on which people were first known, like 2026-11-21, in `timeZone`. */
  from: day.optional(),
  to: day.optional(),
  timeZone: z.string().refine(isTimeZone).optional(),
  order: z.enum(AUDIENCE_ORDERS),
  limit: count.optional(),
  perDomain: count.optional(),
});

/**
 * What narrows the group that a campaign goes to: the filter of the list of people but for the form, which the group is,
 * and for the email status: suppressed people get no campaign. Then an order, and how many of these.
 */
export type Narrowing = z.infer<typeof schema>;

/** The group in the order of its people, as without a narrowing. */
const WHOLE_GROUP: Narrowing = { order: "oldest" };

/** Parses the JSON of `campaigns.narrowing`. @throws when it is not ours. */
export function parseNarrowing(json: string): Narrowing {
  return json === "" ? WHOLE_GROUP : schema.parse(parseJson(json));
}

/** Formats a narrowing as JSON, always in the same way; the whole group is "". */
export function formatNarrowing(narrowing: Narrowing): string {
  const { from, to, timeZone, ...rest } = narrowing;
  const days = from || to ? { from, to, timeZone } : {};
  // The schema has the properties in their order.
  const json = JSON.stringify(schema.parse({ ...rest, ...days }));
  return json === JSON.stringify(WHOLE_GROUP) ? "" : json;
}

/** Returns the filter of the people of a group under a narrowing. */
export function toPeopleFilter(form: SubmissionKind, narrowing: Narrowing): PeopleFilter {
  const { role, company, domain, source, confirmed, campaign, invitation } = narrowing;
  const { from, to, timeZone = UTC } = narrowing;
  return {
    form,
    role,
    company,
    domain,
    source,
    confirmed,
    campaign,
    invitation,
    from: from === undefined ? undefined : startOfZonedDay(from, timeZone),
    until: to === undefined ? undefined : endOfZonedDay(to, timeZone),
  };
}
