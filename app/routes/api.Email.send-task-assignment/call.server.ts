import { z } from "zod";
import { answerMail, mailCall } from "~/api/answer-mail.server";
import { defineCall } from "~/api/call.server";
import { address, day, text, webLink } from "~/api/fields";
import { taskAssignmentNotice } from "~/services/mail/api-notices";

export const sendTaskAssignment = defineCall({
  ...{ ...mailCall, path: "/api/Email/send-task-assignment", name: "sendTaskAssignment" },
  summary: "Tell somebody of a task that is now theirs",
  description: "The mail is written here, from these fields, as text and as HTML.",
  body: z.strictObject({
    ToEmail: address("Whose task it is."),
    TaskTitle: text("What to do; stands in the subject too.", { max: 150 }),
    Description: text("More about it.", { max: 5000, singleLine: false }).optional(),
    AssignedBy: text("The name of who assigned it.", { max: 200 }).optional(),
    DueDate: day("When it is due.").optional(),
    Link: webLink("Where the task is.").optional(),
  }),
  work: (given) => {
    const { ToEmail: to, TaskTitle: title, Description: description, AssignedBy: assignedBy } = given.body;
    const { DueDate: dueDate, Link: link } = given.body;
    const notice = taskAssignmentNotice({ title, description, assignedBy, dueDate, link });
    return answerMail(given, { kind: "send-task-assignment", to, ...notice });
  },
});
