import { z } from "zod";
import { readPage } from "~/http/list-state";
import { emailKey } from "~/lib/email-address";
import { CHOICES, SUBMISSION_KINDS } from "~/lib/form-fields";
import { cleanSource } from "~/lib/source";
import { isUuid } from "~/lib/uuid";
import { WAVE_STATES } from "~/lib/wave-states";
import type { ListedPerson } from "~/services/api-people/api-people.server";
import { apiPeople } from "~/services/container.server";
import { CONFIRMATION_STATES, INVITATION_FILTERS, RECEIPTS } from "~/services/people/people-filter";
import { SUBMISSION_STATES } from "~/services/submissions/submission-state";
import { defineCall } from "../call.server";
import { address, after, limit, text, toTime } from "../fields";
import { withToken } from "../guards.server";
import { problem } from "../problem.server";
import { submissionFields, toSubmissionFields } from "./submission-fields";

const guard = withToken("people:read");
const MAX_PEOPLE = 100;
/** Newest submissions of one person in a response. */
const MAX_FORMS = 100;

const person = z.object({
  id: z.string(),
  email: z.string().meta({ description: "As typed last." }),
  name: z.string(),
  company: z.string(),
  role: z.string(),
  domain: z.string().meta({ description: "What follows the @, in lower case." }),
  firstSignupAt: z.iso.datetime().nullable().meta({
    description:
      "null while none of their forms is accepted: all are unconfirmed, in quarantine or deleted, and anybody may have sent them.",
  }),
  source: z
    .string()
    .meta({ description: "Where they came from to their first accepted form, or `unknown`." }),
  invitation: z
    .enum(WAVE_STATES)
    .meta({ description: "Where they are between the waiting list and the product." }),
  wave: z.int().nullable().meta({ description: "Number of the wave that invited them, or is about to." }),
  invitedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: "When the mail server accepted their invitation." }),
  joinedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: "When the application reported that they joined." }),
  confirmedAt: z.iso.datetime().nullable().meta({ description: "When they confirmed their address." }),
  suppression: z
    .object({
      reason: z.enum(["unsubscribed", "complained", "refused", "bounced", "added", "imported"]),
      since: z.iso.datetime(),
    })
    .nullable()
    .meta({ description: "Why this address gets no campaign; null when it may be emailed." }),
});

const oneOf = <Value extends string>(choices: readonly Value[], about: string) =>
  z
    .enum(choices, { error: `must be one of ${choices.join(", ")}` })
    .optional()
    .meta({ description: about });
const part = (about: string) => text(about, { max: 200 }).optional();
const isNotEmpty = (value: string | undefined) => value !== "";
const NOT_EMPTY = { error: "must not be empty" };
const time = (about: string) =>
  z.iso
    .datetime({ error: "must be a time like 2026-12-31T08:30:00Z" })
    .optional()
    .meta({ description: about });

/** The filters of the list of people, by which a program finds the same people. */
const filters = {
  form: oneOf(SUBMISSION_KINDS, "Only who sent this form."),
  role: oneOf(CHOICES["early-access"], "Only this role."),
  company: part("Any part of the company's name, in any case."),
  domain: part("What follows the @, in any case.")
    // As the end of an address, whose domain is stored in ASCII.
    .transform((domain) => domain && emailKey(`@${domain.replace(/^@/, "")}`).slice(1))
    .refine(isNotEmpty, NOT_EMPTY),
  // Cleaned as it is before it is stored.
  source: part("Where they came from to their first accepted form, in any case, or `unknown`.")
    .transform((source) => source && cleanSource(source))
    .refine(isNotEmpty, NOT_EMPTY),
  confirmed: oneOf(CONFIRMATION_STATES, "Whether they confirmed their address."),
  campaign: z
    .string()
    .refine(isUuid, { error: "must be the id of a campaign" })
    .optional()
    .meta({ description: "Only who got this campaign, or as `got` says." }),
  got: oneOf(
    RECEIPTS,
    "How the delivery of `campaign` ended: `sent` without it, `any` for every recipient, `none` for those to whom no email of it was sent, `invitation` for those whom it invited or is about to invite.",
  ),
  invitation: oneOf(
    INVITATION_FILTERS,
    "Where they are between the waiting list and the product. `asked`: their link had expired, and they asked for a new one that they did not get yet.",
  ),
  from: time("First known at this time or later."),
  until: time("First known before this time."),
};

const ADA = {
  id: "019a8c3e-5a00-7000-8000-000000000001",
  email: "ada@example.com",
  name: "Ada Byron",
  company: "Engines",
  role: "developer",
  domain: "example.com",
  firstSignupAt: "2026-11-21T08:00:00.000Z",
  source: "news.example",
  invitation: "waiting" as const,
  wave: null,
  invitedAt: null,
  joinedAt: null,
  confirmedAt: null,
  suppression: { reason: "unsubscribed", since: "2026-11-24T17:30:00.000Z" },
};

export const listPeople = defineCall({
  method: "GET",
  path: "/api/people",
  name: "listPeople",
  guard,
  summary: "List the people who used a form",
  description:
    "One entry for each address, in the order in which they were first known; under a filter only who has an accepted form. To keep a copy of signups up to date, use `GET /api/signups`.",
  query: z
    .object({
      email: address("Only the person with this address.").optional(),
      ...filters,
      limit: limit("The maximum number of people.", { max: MAX_PEOPLE }),
      after: after(),
    })
    .refine(({ got, campaign }) => got === undefined || campaign !== undefined, {
      path: ["got"],
      error: "needs a campaign",
    }),
  ok: z.object({
    status: z.literal("success"),
    data: z.array(person),
    next: z.string().nullable().meta({ description: "For `after`; null on the last page." }),
  }),
  examples: { ok: { status: "success", data: [ADA], next: ADA.id } },
  work: async ({ query: { after, limit, campaign, got = "sent", from, until, ...others } }) => {
    const filter = {
      ...others,
      campaign: campaign === undefined ? undefined : { id: campaign, got },
      from: from === undefined ? undefined : Date.parse(from),
      until: until === undefined ? undefined : Date.parse(until),
    };
    const list = await readPage({ after }, limit, (page) => apiPeople.list(page, filter), "asc");
    const data = list.rows.map(toPerson);
    return { ok: { status: "success", data, next: list.next?.after ?? null } };
  },
});

export const getPerson = defineCall({
  method: "GET",
  path: "/api/people/{id}",
  name: "getPerson",
  guard,
  summary: "Get a person and the forms they sent",
  params: { id: "The person's id, or that of any of their signups." },
  ok: z.object({
    status: z.literal("success"),
    data: person.extend({
      forms: z
        .array(
          z.object({
            id: z.string(),
            form: z.enum(SUBMISSION_KINDS),
            state: z.enum(SUBMISSION_STATES),
            fields: submissionFields,
            createdAt: z.iso.datetime(),
          }),
        )
        .meta({ description: `Newest first, ${MAX_FORMS} at most.` }),
      hasMoreForms: z.boolean(),
    }),
  }),
  examples: {
    ok: {
      status: "success",
      data: {
        ...ADA,
        forms: [
          {
            id: ADA.id,
            form: "early-access",
            state: "accepted",
            fields: { name: ADA.name, email: ADA.email, company: ADA.company, role: ADA.role },
            createdAt: ADA.firstSignupAt,
          },
        ],
        hasMoreForms: false,
      },
    },
  },
  refusals: ["unknown_person"],
  work: async ({ params }) => {
    const found = await apiPeople.find(params.id ?? "", { limit: MAX_FORMS });
    if (!found) return problem("unknown_person");
    const forms = found.forms.map((form) => ({
      id: form.id,
      form: form.kind,
      state: form.state,
      fields: toSubmissionFields(form.kind, form),
      createdAt: toTime(form.created_at),
    }));
    const data = { ...toPerson(found), forms, hasMoreForms: found.hasMoreForms };
    return { ok: { status: "success", data } };
  },
});

function toPerson(row: ListedPerson) {
  const { id, email, name, company, role, source, email_domain: domain } = row;
  const {
    wave_state: invitation,
    wave,
    invited_at,
    joined_at,
    confirmed_at,
    first_signup_at,
    suppression_reason: reason,
    suppressed_at,
  } = row;
  return {
    id,
    email,
    name,
    company,
    role,
    domain,
    firstSignupAt: first_signup_at === null ? null : toTime(first_signup_at),
    source,
    invitation,
    wave,
    invitedAt: invited_at === null ? null : toTime(invited_at),
    joinedAt: joined_at === null ? null : toTime(joined_at),
    confirmedAt: confirmed_at === null ? null : toTime(confirmed_at),
    suppression: reason === null || suppressed_at === null ? null : { reason, since: toTime(suppressed_at) },
  };
}
