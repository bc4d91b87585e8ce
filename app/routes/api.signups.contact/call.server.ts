import { z } from "zod";
import { answerSignup, consentField, emailField, nameField, signupCall } from "~/api/answer-signup.server";
import { defineCall } from "~/api/call.server";
import { text } from "~/api/fields";
import { signups } from "~/services/container.server";

const types = ["general", "partnership", "support"] as const;

export const sendInquiry = defineCall({
  ...{ ...signupCall, path: "/api/signups/contact", name: "sendInquiry" },
  summary: "Pass on somebody's inquiry",
  body: z.strictObject({
    ...{ fullName: nameField, email: emailField },
    inquiryType: z.enum(types, { error: `must be one of ${types.join(", ")}` }),
    message: text("What they write.", { max: 5000, singleLine: false }),
    consent: consentField,
  }),
  work: (given) => {
    const { fullName, email, inquiryType, message } = given.body;
    return answerSignup(given, (by) =>
      signups.recordContactSubmission({ fullName, email, inquiryType, message }, by),
    );
  },
});
