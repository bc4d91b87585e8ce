import { z } from "zod";
import { getRequestOrigin } from "~/http/request-context.server";
import { signupFeed, signups } from "~/services/container.server";
import { formatSignupCursor, parseSignupCursor } from "~/services/signups/signup-cursor";
import { defineCall, done, success } from "../call.server";
import { address, limit, text, toTime } from "../fields";
import { withToken } from "../guards.server";
import { problem, retryAfter } from "../problem.server";
import {
  getFields,
  SOURCE_INPUT,
  SUBMISSION_KINDS,
  toColumns,
  type FieldRule,
  type SubmissionKind,
} from "~/lib/form-fields";
import { submissionFields, toSubmissionFields } from "./submission-fields";

/** Stored with a signup that has no wording of its own. */
const DEFAULT_CONSENT = {
  version: "api-2026-11",
  wording: "Submitted by a program whose operator is responsible for the person's consent.",
};

const consentField = z
  .strictObject({
    wording: text("The wording the person agreed to.", { max: 2000, singleLine: false }),
    version: text("Your version name for that wording.", { max: 50 }),
  })
  .optional()
  .meta({
    description: "Stored with the signup. Without it, the consent is recorded as your responsibility.",
  });

const sourceField = z.string().max(1000, { error: "must have at most 1,000 characters" }).optional().meta({
  description:
    "Where the person came from, such as utm_source. Stored in lower case, on one line, cut to 100 characters; without it the source is api.",
});

const notifyField = z.boolean().optional().meta({
  description:
    "Whether the form's automatic email may answer the signup, where that is on; once a person. Without it none does.",
});

/** Builds the body of a call from the form's fields. */
function toBody(kind: SubmissionKind) {
  const inputs = getFields(kind).map(({ input, rule, about }) => [input, toInput(rule, about)] as const);
  return z.strictObject({
    ...Object.fromEntries(inputs),
    [SOURCE_INPUT]: sourceField,
    consent: consentField,
    notify: notifyField,
  });
}

function toInput(rule: FieldRule, about: string) {
  switch (rule.kind) {
    case "text": {
      const { max, multiline = false, required } = rule;
      const input = text(about, { max, singleLine: !multiline, mayBeEmpty: !required });
      return required ? input : input.default("");
    }
    case "email":
      return address(about);
    case "choice": {
      const choices = rule.choices.join(", ");
      return rule.required
        ? z.enum(rule.choices, { error: `must be one of ${choices}` })
        : z.enum(["", ...rule.choices], { error: `must be one of ${choices}, or empty` }).default("");
    }
  }
}

/** The shared definition of all calls that store a signup. */
const signupCall = {
  method: "POST",
  guard: withToken("signups:write"),
  ok: success,
  description:
    "Handled like the landing page's form, without the bot checks. The same content twice within 24 hours is one signup with the same response.",
  refusals: ["too_many_signups"],
} as const;

/** Stores a signup. */
async function answerSignup(
  request: Request,
  kind: SubmissionKind,
  body: z.infer<ReturnType<typeof toBody>>,
) {
  const { consent = DEFAULT_CONSENT, source, notify, ...fields } = body;
  const { address } = getRequestOrigin(request);
  const columns = toColumns(kind, fields);
  const outcome = await signups.record(kind, columns, {
    isByProgram: true,
    consent,
    address,
    source,
    notify,
  });
  if (outcome.ok) return done;
  // Only forms on pages can expire.
  if (outcome.error === "expired") throw new Error("A program's signup cannot expire");
  return problem("too_many_signups", retryAfter(outcome.retryAfterSeconds));
}

export const signUpForEarlyAccess = defineCall({
  ...signupCall,
  path: "/api/signups/early-access",
  name: "signUpForEarlyAccess",
  summary: "Sign somebody up for early access",
  body: toBody("early-access"),
  work: ({ request, body }) => answerSignup(request, "early-access", body),
});

export const sendInquiry = defineCall({
  ...signupCall,
  path: "/api/signups/contact",
  name: "sendInquiry",
  summary: "Submit somebody's inquiry",
  body: toBody("contact-form"),
  work: ({ request, body }) => answerSignup(request, "contact-form", body),
});

export const signUpForUpdates = defineCall({
  ...signupCall,
  path: "/api/signups/updates",
  name: "signUpForUpdates",
  summary: "Sign somebody up for news",
  body: toBody("updates-signup"),
  work: ({ request, body }) => answerSignup(request, "updates-signup", body),
});

const MAX_SIGNUPS = 100;
const NOT_A_CURSOR = "must be `next` of a previous response";

export const listSignups = defineCall({
  method: "GET",
  path: "/api/signups",
  name: "listSignups",
  guard: withToken("signups:read"),
  summary: "Read the signups, and keep up with new ones",
  description:
    "The accepted signups of each form in the order in which they were accepted. To keep a copy, store `next` with what you read, and ask again with it as `cursor`, at once while `hasMore`, later otherwise: nobody is missed, not even who confirmed late or was released from quarantine. A restored signup comes again with its id, as does one whose address left the suppression list. Corrections, deletions and erasures do not come.",
  query: z.object({
    form: z
      .enum(SUBMISSION_KINDS, { error: `must be one of ${SUBMISSION_KINDS.join(", ")}` })
      .optional()
      .meta({ description: "One form; without it all, one form after the other." }),
    cursor: z
      .string()
      .transform((text, context) => {
        const cursor = parseSignupCursor(text);
        if (cursor) return cursor;
        context.addIssue({ code: "custom", message: NOT_A_CURSOR });
        return z.NEVER;
      })
      .optional()
      .meta({
        description: "`next` of the previous response, of any form; without it from the first signup on.",
      }),
    limit: limit("The maximum number of signups.", { max: MAX_SIGNUPS }),
  }),
  ok: z.object({
    status: z.literal("success"),
    data: z.array(
      z.object({
        id: z.string(),
        form: z.enum(SUBMISSION_KINDS),
        fields: submissionFields,
        createdAt: z.iso.datetime(),
        acceptedAt: z.iso.datetime().meta({
          description: "Later than `createdAt` for who confirmed, or was released from quarantine.",
        }),
      }),
    ),
    next: z.string().meta({ description: "For `cursor`; there is one after the last signup too." }),
    hasMore: z.boolean().meta({ description: "Whether more signups follow now." }),
  }),
  examples: {
    ok: {
      status: "success",
      data: [
        {
          id: "019a8c3e-5a00-7000-8000-000000000001",
          form: "early-access",
          fields: { name: "Ada Byron", email: "ada@example.com", company: "Engines", role: "developer" },
          createdAt: "2026-11-21T08:00:00.000Z",
          acceptedAt: "2026-11-21T08:03:10.000Z",
        },
      ],
      next: "eyJlYXJseS1hY2Nlc3MiOlsxMiwiMDE5YThjM2UtNWEwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAxIl19",
      hasMore: false,
    },
  },
  work: async ({ query: { form, cursor = {}, limit } }) => {
    const page = await signupFeed.read({ form, cursor, limit });
    if (!page.ok) {
      const ahead = "is ahead of this database, which was restored from a backup: begin without a cursor";
      return problem("invalid_query", { fields: { cursor: ahead } });
    }
    const data = page.signups.map((signup) => ({
      id: signup.id,
      form: signup.kind,
      fields: toSubmissionFields(signup.kind, signup),
      createdAt: toTime(signup.created_at),
      acceptedAt: toTime(signup.admitted_at ?? signup.created_at),
    }));
    const { next, hasMore } = page;
    return { ok: { status: "success", data, next: formatSignupCursor(next), hasMore } };
  },
});
