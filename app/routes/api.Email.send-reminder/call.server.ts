import { z } from "zod";
import { answerMail, mailCall } from "~/api/answer-mail.server";
import { defineCall } from "~/api/call.server";
import { address, day, text, webLink } from "~/api/fields";
import { reminderNotice } from "~/services/mail/api-notices";

export const sendReminder = defineCall({
  ...{ ...mailCall, path: "/api/Email/send-reminder", name: "sendReminder" },
  summary: "Remind somebody of something",
  description: "The mail is written here, from these fields, as text and as HTML.",
  body: z.strictObject({
    ToEmail: address("Whom to remind."),
    Title: text("What of; stands in the subject too.", { max: 150 }),
    Message: text("What to say about it.", { max: 5000, singleLine: false }).optional(),
    DueDate: day("When it is due.").optional(),
    Link: webLink("Where to go.").optional(),
  }),
  work: (given) => {
    const { ToEmail: to, Title: title, Message: message, DueDate: dueDate, Link: link } = given.body;
    const notice = reminderNotice({ title, message, dueDate, link });
    return answerMail(given, { kind: "send-reminder", to, ...notice });
  },
});
