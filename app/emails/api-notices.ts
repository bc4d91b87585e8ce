import type { Brand } from "~/content/brand";
import { toSafeName } from "~/lib/safe-name";
import { renderContent } from "./email-content";
import { toButton, toParagraph } from "./message-tree";
import type { Email } from "~/services/mail/mailer";

/**
 * Content of a notification that the application requests by its data alone. Names of people and companies that look
 * like a link are omitted (hardening C42); titles, messages and reasons are the content itself.
 */
type Notice = Pick<Email, "subject" | "text" | "html">;

interface Task {
  readonly title: string;
  /** YYYY-MM-DD */
  readonly dueDate?: string | undefined;
  readonly link?: string | undefined;
}

export function reminderNotice(
  { title, message, dueDate, link }: Task & { message?: string },
  brand: Brand,
): Notice {
  const texts = [`This is a reminder of: ${title}`, formatDueDate(dueDate), message];
  return notice(brand, `Reminder: ${title}`, texts, { link, label: `Open in ${brand.name}` });
}

/** @param task.assignedBy name of a person. */
export function taskAssignmentNotice(
  task: Task & { description?: string; assignedBy?: string },
  brand: Brand,
): Notice {
  const { title, description, dueDate, link } = task;
  const assignedBy = toSafeName(task.assignedBy);
  const greeting = assignedBy ? `${assignedBy} assigned a task to you` : "You have a new task";
  const texts = [`${greeting}: ${title}`, formatDueDate(dueDate), description];
  return notice(brand, `New task: ${title}`, texts, { link, label: "Open the task" });
}

export function userRemovalNotice(
  { reason, ...removal }: { tenantName?: string; reason?: string },
  brand: Brand,
): Notice {
  const tenantName = toSafeName(removal.tenantName);
  const where = tenantName ? `${tenantName} on ${brand.name}` : brand.name;
  return notice(brand, `You were removed from ${where}`, [
    `Your access to ${where} has ended, and you cannot log in there any more.`,
    reason === undefined ? undefined : `Reason: ${reason}`,
    "If you think this is a mistake, please ask whoever manages the users there.",
  ]);
}

/** Composes a notification of these paragraphs and a button; what is undefined is left out. */
function notice(
  brand: Brand,
  title: string,
  texts: readonly (string | undefined)[],
  { link, label = "" }: { link?: string | undefined; label?: string } = {},
): Notice {
  const message = texts.filter((text) => text !== undefined).map((text) => toParagraph(text));
  if (link !== undefined) message.push(toButton(link, label));
  const footer = `${brand.senderLabel} sends this email because you use ${brand.name}.`;
  return renderContent({ title, brandName: brand.name, message, footer });
}

function formatDueDate(dueDate: string | undefined): string | undefined {
  if (dueDate === undefined) return undefined;
  const inWords = new Intl.DateTimeFormat("en", { dateStyle: "full", timeZone: "UTC" });
  return `Due on ${inWords.format(new Date(dueDate))}.`;
}
