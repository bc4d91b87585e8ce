import { z } from "zod";
import { getLogger, getRequestId, getRequestOrigin } from "~/http/request-context.server";
import { paths } from "~/paths";
import type { ApiEmailOutcome, ApiMessage } from "~/services/api-email/send-api-email.server";
import { brand, sendApiEmail } from "~/services/container.server";
import { reminderNotice, taskAssignmentNotice, userRemovalNotice } from "~/emails/api-notices";
import { defineCall, replayHeaders, type KeyedRequest } from "../call.server";
import { address, day, text, webLink } from "../fields";
import { withToken } from "../guards.server";
import { problem, retryAfter } from "../problem.server";

const acceptedEmail = z
  .object({ messageId: z.string(), detail: z.string().meta({ description: "The mail server's response." }) })
  .meta({ description: "The mail server accepted the email." });

/** The shared definition of all calls that send an email. */
const emailCall = {
  method: "POST",
  guard: withToken("email:send"),
  isKeyed: true,
  ok: acceptedEmail,
  refusals: [
    "mail_refused",
    "mail_uncertain",
    "mail_unavailable",
    "mail_unauthorized",
    "address_unsubscribed",
    "address_complained",
    "address_refused",
    "address_bounced",
    "address_added",
    "address_imported",
  ],
} as const;

/** Sends the email. The response is 2xx only when the mail server accepted it. */
async function answerEmail({ request, caller: token, idempotencyKey }: KeyedRequest, message: ApiMessage) {
  const outcome = await sendApiEmail(message, { token, idempotencyKey, from: getRequestOrigin(request) });
  if (outcome.kind !== "sent") return toProblem(outcome);
  const { messageId, detail } = outcome;
  return { ok: { messageId, detail }, headers: replayHeaders(outcome) };
}

function toProblem(outcome: Exclude<ApiEmailOutcome, { kind: "sent" }>): Response {
  switch (outcome.kind) {
    case "refused":
      return problem("mail_refused", { detail: outcome.detail, headers: replayHeaders(outcome) });
    case "uncertain":
      return problem("mail_uncertain", { detail: outcome.detail, headers: replayHeaders(outcome) });
    case "unavailable": {
      const { detail, retryAfterSeconds } = outcome;
      logFailure(detail);
      return problem("mail_unavailable", { detail, ...retryAfter(retryAfterSeconds) });
    }
    case "unauthorized":
      logFailure(outcome.detail);
      return problem("mail_unauthorized", { detail: outcome.detail });
    case "suppressed":
      return problem(`address_${outcome.reason}`);
    case "under-way":
      return problem("idempotency_key_in_use", retryAfter(5));
    case "other-request":
      return problem("idempotency_key_reused");
  }
}

function logFailure(words: string): void {
  getLogger().warn({ words, id: getRequestId() }, "an email requested through the API could not be sent");
}

/** The default invitation subject (specification, section 9). */
const INVITATION = `Invitation to the ${brand.name} app`;
/** The maximum of the HTML, in bytes of UTF-8. */
const MAX_CONTENT_BYTES = 256 * 1024;

const rule = "must be HTML as a string of 1 byte to 256 KiB";
const html = z
  .string({ error: rule })
  .meta({ description: "The HTML body, sent as it is. Nothing in it is read from a file or fetched." })
  .refine((value) => value.trim() !== "" && !value.includes("\0"), { error: rule })
  .refine((value) => new TextEncoder().encode(value).length <= MAX_CONTENT_BYTES, { error: rule })
  .transform((value) => value.toWellFormed());

export const sendEmail = defineCall({
  ...emailCall,
  path: paths.apiSendEmail,
  name: "sendEmail",
  summary: "Send one HTML email",
  description: "Sent at once, from the team. Without an Idempotency-Key every call sends an email.",
  // Strict: a Cc that is silently ignored would be worse than one that is refused.
  body: z.strictObject({
    ToEmail: address("The recipient: one plain address."),
    Subject: text(`One line. Defaults to "${INVITATION}".`, { max: 200 }).optional(),
    Content: html,
  }),
  work: (input) => {
    const { ToEmail: to, Subject: subject, Content } = input.body;
    const fields = [subject, Content];
    return answerEmail(input, {
      kind: "send-email",
      to,
      fields,
      subject: subject ?? INVITATION,
      html: Content,
    });
  },
});

export const sendReminder = defineCall({
  ...emailCall,
  path: "/api/Email/send-reminder",
  name: "sendReminder",
  summary: "Send a reminder",
  description: "The email is composed from these fields, as text and as HTML.",
  body: z.strictObject({
    ToEmail: address("The recipient."),
    Title: text("What the reminder is about; part of the subject.", { max: 150 }),
    Message: text("The text.", { max: 5000, singleLine: false }).optional(),
    DueDate: day("When it is due.").optional(),
    Link: webLink("A link.").optional(),
  }),
  work: (input) => {
    const { ToEmail: to, Title: title, Message: message, DueDate: dueDate, Link: link } = input.body;
    const notice = reminderNotice({ title, message, dueDate, link }, brand);
    const fields = [title, message, dueDate, link];
    return answerEmail(input, { kind: "send-reminder", to, fields, ...notice });
  },
});

export const sendTaskAssignment = defineCall({
  ...emailCall,
  path: "/api/Email/send-task-assignment",
  name: "sendTaskAssignment",
  summary: "Notify somebody of an assigned task",
  description: "The email is composed from these fields, as text and as HTML.",
  body: z.strictObject({
    ToEmail: address("The recipient."),
    TaskTitle: text("The task; part of the subject.", { max: 150 }),
    Description: text("Details.", { max: 5000, singleLine: false }).optional(),
    AssignedBy: text("The name of the person who assigned it.", { max: 200 }).optional(),
    DueDate: day("When it is due.").optional(),
    Link: webLink("A link to the task.").optional(),
  }),
  work: (input) => {
    const { ToEmail: to, TaskTitle: title, Description: description, AssignedBy: assignedBy } = input.body;
    const { DueDate: dueDate, Link: link } = input.body;
    const notice = taskAssignmentNotice({ title, description, assignedBy, dueDate, link }, brand);
    const fields = [title, description, assignedBy, dueDate, link];
    return answerEmail(input, { kind: "send-task-assignment", to, fields, ...notice });
  },
});

export const sendUserRemoval = defineCall({
  ...emailCall,
  path: "/api/Email/send-user-removal",
  name: "sendUserRemoval",
  summary: "Notify somebody that their access has ended",
  description: "The email is composed from these fields, as text and as HTML.",
  body: z.strictObject({
    ToEmail: address("The recipient."),
    TenantName: text("The company they were removed from.", { max: 150 }).optional(),
    Reason: text("Why.", { max: 5000, singleLine: false }).optional(),
  }),
  work: (input) => {
    const { ToEmail: to, TenantName: tenantName, Reason: reason } = input.body;
    const notice = userRemovalNotice({ tenantName, reason }, brand);
    return answerEmail(input, { kind: "send-user-removal", to, fields: [tenantName, reason], ...notice });
  },
});
