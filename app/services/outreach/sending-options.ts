import type { Mail, Mailer } from "~/services/mail/mailer";
import type { DailyAllowance } from "./daily-allowance.server";
import type { QueueOptions } from "~/services/queue/queue.server";

interface Party {
  readonly name: string;
  readonly address: string;
}

/** What every mail of a campaign has in common; fixed once it is confirmed. */
export interface MessageContent {
  readonly title: string;
  readonly message: string;
}

/** What one mail is made of. */
export interface MailParts extends MessageContent {
  readonly recipient: Party;
  readonly sender: Party;
  readonly messageId: string;
  readonly unsubscribeUrl: string;
}

export interface SendingOptions extends QueueOptions {
  readonly mailer: Mailer;
  /** A throw fails this one mail. */
  readonly compose: (parts: MailParts) => Mail;
  readonly allowance: DailyAllowance;
  /** Whether a mail that was perhaps sent before a crash is sent again; otherwise its row waits for an admin. */
  readonly resendAfterCrash: boolean;
  readonly sender: Party;
  /** Right half of each Message-ID. */
  readonly mailDomain: string;
  readonly unsubscribeUrl: (deliveryId: string) => string;
}
