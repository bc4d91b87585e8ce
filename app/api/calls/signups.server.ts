import { z } from "zod";
import { getRequestOrigin } from "~/http/request-context.server";
import { signups } from "~/services/container.server";
import type { FormColumns } from "~/services/signups/signups.server";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import { CHOICES } from "~/services/submissions/submission-filter";
import { defineCall, done, success } from "../call.server";
import { address, text } from "../fields";
import { withToken } from "../guards.server";
import { problem, retryAfter } from "../problem.server";

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

const emailField = address("The person's address.");
const nameField = text("The person's name.", { max: 200 });

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
async function answerSignup<Kind extends SubmissionKind>(
  request: Request,
  kind: Kind,
  body: FormColumns[Kind] & { consent?: z.infer<typeof consentField> },
) {
  const { consent = DEFAULT_CONSENT } = body;
  const { address } = getRequestOrigin(request);
  const outcome = await signups.record(kind, body, { isByProgram: true, consent, address });
  if (outcome.ok) return done;
  // Only forms on pages can expire.
  if (outcome.error === "expired") throw new Error("A program's signup cannot expire");
  return problem("too_many_signups", retryAfter(outcome.retryAfterSeconds));
}

const roles = ["", ...CHOICES["early-access"]] as const;

export const signUpForEarlyAccess = defineCall({
  ...signupCall,
  path: "/api/signups/early-access",
  name: "signUpForEarlyAccess",
  summary: "Sign somebody up for early access",
  body: z.strictObject({
    name: nameField,
    email: emailField,
    company: text("The person's company.", { max: 200, mayBeEmpty: true }).default(""),
    role: z.enum(roles, { error: `must be one of ${roles.slice(1).join(", ")}, or empty` }).default(""),
    consent: consentField,
  }),
  work: ({ request, body }) => answerSignup(request, "early-access", body),
});

const types = CHOICES["contact-form"];

export const sendInquiry = defineCall({
  ...signupCall,
  path: "/api/signups/contact",
  name: "sendInquiry",
  summary: "Submit somebody's inquiry",
  body: z.strictObject({
    fullName: nameField,
    email: emailField,
    inquiryType: z.enum(types, { error: `must be one of ${types.join(", ")}` }),
    message: text("The message.", { max: 5000, singleLine: false }),
    consent: consentField,
  }),
  work: ({ request, body: { fullName: name, inquiryType: inquiry_type, ...others } }) =>
    answerSignup(request, "contact-form", { name, inquiry_type, ...others }),
});

export const signUpForUpdates = defineCall({
  ...signupCall,
  path: "/api/signups/updates",
  name: "signUpForUpdates",
  summary: "Sign somebody up for news",
  body: z.strictObject({ name: nameField, email: emailField, consent: consentField }),
  work: ({ request, body }) => answerSignup(request, "updates-signup", body),
});
