import type { Database } from "~/db/database.server";
import type { Mail } from "~/services/mail/mailer";
import { firstOfAudience } from "./audience.server";
import type { MailParts } from "./sending-options";
import { findSend } from "./book.server";

/** Of a draft or a send: the very mail, as the first of its group gets it. */
export type MailPreview = Pick<Mail, "to" | "subject" | "text" | "html">;

/**
 * Makes the mail as sending makes it, and keeps and sends nothing. Where the group is empty it is written to nobody in
 * particular. Its unsubscribe link is a dead one: reading a preview takes nobody off a list.
 */
export function createMailPreviews(has: {
  database: Database;
  compose: (parts: MailParts) => Mail;
  sender: MailParts["sender"];
  mailDomain: string;
  /** Absolute, and knows nobody. */
  deadUnsubscribeUrl: string;
}) {
  const { database, compose, sender, mailDomain, deadUnsubscribeUrl } = has;
  /** @returns undefined when there is no such draft or send. */
  async function previewMail(sendId: string): Promise<MailPreview | undefined> {
    const send = await findSend(database.read, sendId);
    if (!send) return undefined;
    const [first] = await firstOfAudience(database.read, send.audience, 1);
    return compose({
      title: send.title,
      message: send.message,
      sender,
      recipient: first ? { name: first.name, address: first.email } : { name: "", address: sender.address },
      messageId: `<preview@${mailDomain}>`,
      unsubscribeUrl: deadUnsubscribeUrl,
    });
  }

  return {
    previewMail,

    /** The same without its HTML, which stands in a document of its own (hardening C17). */
    async previewText(sendId: string): Promise<Omit<MailPreview, "html"> | undefined> {
      const mail = await previewMail(sendId);
      return mail && { to: mail.to, subject: mail.subject, text: mail.text };
    },
  };
}
