import { z } from "zod";
import { originOf } from "~/request-context.server";
import type { ProgramCircumstances, SignupOutcome } from "~/services/signups/signups.server";
import { address, text } from "./fields";
import { withToken } from "./guards.server";
import { problem, retryAfter } from "./problem.server";
import { done, success } from "./success";

/** Stored with what came without a wording. */
const CONSENT = {
  version: "api-2026-11",
  wording: "Passed on by a program of ours, whose operator answers for the person's consent.",
};

/** What all bodies have besides the content. */
export const consentField = z
  .strictObject({
    wording: text("What the person agreed to, word for word.", { max: 2000, singleLine: false }),
    version: text("What you call that wording.", { max: 50 }),
  })
  .optional()
  .meta({ description: "Kept beside the signup. Without it we note that you answer for the consent." });

export const emailField = address("The person's.");
export const nameField = text("The person's.", { max: 200 });

/** What all calls that store a signup have in common. */
export const signupCall = {
  method: "POST",
  guard: withToken("signups:write"),
  ok: success,
  description:
    "Goes the way of the landing page's form, but for the checks that tell people from bots. The same content twice within 24 hours is one signup, and is answered alike.",
  refusals: ["too_many_signups"],
} as const;

/** @param record stores it: resolved means on disk. */
export async function answerSignup(
  { request, body }: { request: Request; body: { consent?: z.infer<typeof consentField> } },
  record: (circumstances: ProgramCircumstances) => Promise<SignupOutcome>,
) {
  const consent = body.consent ?? CONSENT;
  const outcome = await record({ isByProgram: true, consent, address: originOf(request).address });
  if (outcome.ok) return done;
  // Only forms of pages can be too old.
  if (outcome.error === "expired") throw new Error("A program's signup cannot expire");
  return problem("too_many_signups", retryAfter(outcome.retryAfterSeconds));
}
