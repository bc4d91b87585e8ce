import { z } from "zod";
import { answerSignup, consentField, emailField, nameField, signupCall } from "~/api/answer-signup.server";
import { defineCall } from "~/api/call.server";
import { text } from "~/api/fields";
import { signups } from "~/services/container.server";

const roles = ["", "executive", "manager", "developer", "other"] as const;

export const signUpForEarlyAccess = defineCall({
  ...{ ...signupCall, path: "/api/signups/early-access", name: "signUpForEarlyAccess" },
  summary: "Sign somebody up for early access",
  body: z.strictObject({
    ...{ name: nameField, email: emailField },
    company: text("Where they work.", { max: 200, mayBeEmpty: true }).default(""),
    role: z.enum(roles, { error: `must be one of ${roles.slice(1).join(", ")}, or empty` }).default(""),
    consent: consentField,
  }),
  work: (given) => {
    const { name, email, company, role } = given.body;
    return answerSignup(given, (by) => signups.recordEarlyAccessSignup({ name, email, company, role }, by));
  },
});
