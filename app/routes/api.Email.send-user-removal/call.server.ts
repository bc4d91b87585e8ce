import { z } from "zod";
import { answerMail, mailCall } from "~/api/answer-mail.server";
import { defineCall } from "~/api/call.server";
import { address, text } from "~/api/fields";
import { userRemovalNotice } from "~/services/mail/api-notices";

export const sendUserRemoval = defineCall({
  ...{ ...mailCall, path: "/api/Email/send-user-removal", name: "sendUserRemoval" },
  summary: "Tell somebody that they have no access any more",
  description: "The mail is written here, from these fields, as text and as HTML.",
  body: z.strictObject({
    ToEmail: address("Who was removed."),
    TenantName: text("The company whose users they belonged to.", { max: 150 }).optional(),
    Reason: text("Why.", { max: 5000, singleLine: false }).optional(),
  }),
  work: (given) => {
    const { ToEmail: to, TenantName: tenantName, Reason: reason } = given.body;
    const notice = userRemovalNotice({ tenantName, reason });
    return answerMail(given, { kind: "send-user-removal", to, ...notice });
  },
});
