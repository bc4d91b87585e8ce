import { z } from "zod";
import { answerSignup, consentField, emailField, nameField, signupCall } from "~/api/answer-signup.server";
import { defineCall } from "~/api/call.server";
import { signups } from "~/services/container.server";

export const signUpForUpdates = defineCall({
  ...{ ...signupCall, path: "/api/signups/updates", name: "signUpForUpdates" },
  summary: "Sign somebody up for news",
  body: z.strictObject({ name: nameField, email: emailField, consent: consentField }),
  work: (given) => {
    const { name, email } = given.body;
    return answerSignup(given, (by) => signups.recordUpdatesSignup({ name, email }, by));
  },
});
