import type { Database } from "~/db/database.server";
import type { Mail } from "~/services/mail/mailer";
import { firstOfAudience } from "./audience.server";
import type { MailParts } from "./sending-options";
import { findCampaign } from "./book.server";

/** Of a draft or a campaign: the very mail, as the first of its group gets it. */
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
  async function previewMail(campaignId: string): Promise<MailPreview | undefined> {
    const campaign = await findCampaign(database.read, campaignId);
    if (!campaign) return undefined;
    const [first] = await firstOfAudience(database.read, campaign.audience, 1);
    return compose({
      title: campaign.title,
      message: campaign.message,
      sender,
      recipient: first ? { name: first.name, address: first.email } : { name: "", address: sender.address },
      messageId: `<preview@${mailDomain}>`,
      unsubscribeUrl: deadUnsubscribeUrl,
    });
  }

  return {
    previewMail,

    /** The same without its HTML, which stands in a document of its own (hardening C17). */
    async previewText(campaignId: string): Promise<Omit<MailPreview, "html"> | undefined> {
      const mail = await previewMail(campaignId);
      return mail && { to: mail.to, subject: mail.subject, text: mail.text };
    },
  };
}
