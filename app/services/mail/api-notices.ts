import { brand } from "~/content/brand";
import { toSafeName } from "~/lib/safe-name";
import { toOneLine, renderHtml, renderText, type TextSpan } from "./email-content";
import type { Email } from "./mailer";

/**
 * Content of a notification email that the application requests by its data alone, as text and as HTML.
 * Names of people and companies that look like a link are omitted (hardening C42); titles, messages and reasons
 * are the content itself.
 */
type Notice = Pick<Email, "subject" | "text" | "html">;

interface Task {
  readonly title: string;
  /** YYYY-MM-DD */
  readonly dueDate?: string | undefined;
  readonly link?: string | undefined;
}

interface Reminder extends Task {
  readonly message?: string | undefined;
}

interface TaskAssignment extends Task {
  readonly description?: string | undefined;
  /** Name of the person who assigned the task. */
  readonly assignedBy?: string | undefined;
}

interface UserRemoval {
  readonly tenantName?: string | undefined;
  readonly reason?: string | undefined;
}

export function reminderNotice({ title, message, dueDate, link }: Reminder): Notice {
  return notice(`Reminder: ${title}`, [
    [{ text: `This is a reminder of: ${title}` }],
    ...due(dueDate),
    ...paragraph(message),
    ...button(link, `Open in ${brand.name}`),
  ]);
}

export function taskAssignmentNotice(task: TaskAssignment): Notice {
  const { title, description, dueDate, link } = task;
  const assignedBy = toSafeName(task.assignedBy);
  const greeting = assignedBy ? `${assignedBy} assigned a task to you` : "You have a new task";
  return notice(`New task: ${title}`, [
    [{ text: `${greeting}: ${title}` }],
    ...due(dueDate),
    ...paragraph(description),
    ...button(link, "Open the task"),
  ]);
}

export function userRemovalNotice({ reason, ...removal }: UserRemoval): Notice {
  const tenantName = toSafeName(removal.tenantName);
  const where = tenantName ? `${tenantName} on ${brand.name}` : brand.name;
  return notice(`You were removed from ${where}`, [
    [{ text: `Your access to ${where} has ended, and you cannot log in there any more.` }],
    ...(reason === undefined ? [] : [[{ text: `Reason: ${reason}` }]]),
    [{ text: "If you think this is a mistake, please ask whoever manages the users there." }],
  ]);
}

function notice(title: string, paragraphs: readonly (readonly TextSpan[])[]): Notice {
  const subject = toOneLine(title);
  const footer = `${brand.senderLabel} sends this email because you use ${brand.name}.`;
  const content = { title: subject, paragraphs, footer };
  return { subject, text: renderText(content), html: renderHtml(content) };
}

const paragraph = (text: string | undefined): TextSpan[][] => (text === undefined ? [] : [[{ text }]]);

const button = (link: string | undefined, label: string): TextSpan[][] =>
  link === undefined ? [] : [[{ text: link, href: link, label }]];

function due(dueDate: string | undefined): TextSpan[][] {
  if (dueDate === undefined) return [];
  const inWords = new Intl.DateTimeFormat("en", { dateStyle: "full", timeZone: "UTC" });
  return [[{ text: `Due on ${inWords.format(new Date(dueDate))}.` }]];
}

export interface ApiEmail {
  readonly to: string;
  readonly subject: string;
  /** Complete HTML body; HTML supplied by the calling program is sent unchanged. */
  readonly html: string;
  /** Undefined when only the HTML is known. */
  readonly text: string | undefined;
  readonly sender: { readonly name: string; readonly address: string };
  /** With angle brackets. */
  readonly messageId: string;
}

/**
 * Builds an email requested by another program. Where the program supplied the HTML, the text part only points
 * to it: text extracted from foreign HTML is a guess, and when the two parts differ people read one thing and
 * filters another (docs/decisions/0020). No unsubscribe link: the recipient is on no list of ours.
 */
export function composeApiEmail({ to, html, text, sender, messageId, ...email }: ApiEmail): Email {
  const subject = toOneLine(email.subject);
  return {
    messageId,
    from: sender,
    to: { name: "", address: to },
    subject,
    text:
      text ?? `${subject}\n\nThis email was written in HTML. Please open it in a program that shows HTML.\n`,
    html,
    headers: {},
  };
}
