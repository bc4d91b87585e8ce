import { z } from "zod";
import { days } from "~/lib/durations";
import type { TransactionalEmail } from "~/services/mail/email-parts";
import type { Email } from "~/services/mail/mailer";
import type { EmailKind } from "~/services/mail/transactional/email-kind";

/** What the email to a new address is composed of. */
export interface EmailChangeEmail extends TransactionalEmail {
  /** Absolute http(s) URL of the page that asks for the confirmation. */
  readonly url: string;
  /** Lifetime of the link. */
  readonly validForMs: number;
}

const emailChangeData = z.object({ change: z.string() });
type EmailChangeData = z.infer<typeof emailChangeData>;

/**
 * Emails that ask a new address to confirm the change: one for each link, sent at once, because only a hash of the link
 * is stored. They say nothing that a stranger typed, and go to people who left the mailing list too.
 */
export const EMAIL_CHANGE: EmailKind<EmailChangeData> = {
  name: "email-change",
  plural: "emails that confirm an address",
  allowanceClass: "always",
  data: emailChangeData,
  getKey: ({ change }) => change,
  retentionMs: days(30),
  ignores: ["unsubscribed"],
};

export type EmailChangedKind = EmailKind<EmailChangeData>;

interface EmailChangedKindOptions {
  readonly sender: Email["from"];
  readonly compose: (parts: TransactionalEmail) => Email;
}

/** Creates the kind of emails that tell the old address of a change: one for each change, by the queue. */
export function createEmailChangedKind({ sender, compose }: EmailChangedKindOptions): EmailChangedKind {
  return {
    name: "email-changed",
    plural: "notices of changed addresses",
    allowanceClass: "always",
    data: emailChangeData,
    getKey: ({ change }) => change,
    retentionMs: days(30),
    ignores: ["unsubscribed"],
    queued: {
      listSkipped: () => Promise.resolve(new Map()),
      compose: ({ address, message_id: messageId }) => compose({ address, sender, messageId }),
    },
  };
}
