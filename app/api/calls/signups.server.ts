import { z } from "zod";
import { getRequestOrigin } from "~/http/request-context.server";
import { signups } from "~/services/container.server";
import { defineCall, done, success } from "../call.server";
import { address, text } from "../fields";
import { withToken } from "../guards.server";
import { problem, retryAfter } from "../problem.server";
import { getFields, toColumns, type FieldRule, type SubmissionKind } from "~/lib/form-fields";

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

/** Builds the body of a call from the form's fields. */
function toBody(kind: SubmissionKind) {
  const inputs = getFields(kind).map(({ input, rule, about }) => [input, toInput(rule, about)] as const);
  return z.strictObject({ ...Object.fromEntries(inputs), consent: consentField });
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
  const { consent = DEFAULT_CONSENT, ...fields } = body;
  const { address } = getRequestOrigin(request);
  const columns = toColumns(kind, fields);
  const outcome = await signups.record(kind, columns, { isByProgram: true, consent, address });
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
