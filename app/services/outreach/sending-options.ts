import type { Database } from "~/db/database.server";
import type { SharedTime } from "~/db/shared-time.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { Mail, Mailer } from "~/services/mail/mailer";
import type { DailyAllowance } from "./daily-allowance.server";
import type { TokenBucket } from "./token-bucket";

interface Party {
  readonly name: string;
  readonly address: string;
}

/** What every mail of a send has in common; fixed once it is confirmed. */
export interface Letter {
  readonly title: string;
  readonly message: string;
}

/** What one mail is made of. */
export interface MailParts extends Letter {
  readonly recipient: Party;
  readonly sender: Party;
  readonly messageId: string;
  readonly unsubscribeUrl: string;
}

export interface SendingOptions {
  readonly database: Database;
  readonly mailer: Mailer;
  /** A throw fails this one mail. */
  readonly compose: (parts: MailParts) => Mail;
  readonly clock: Clock;
  readonly leaseTime: SharedTime;
  readonly newId: NewId;
  /** Stable over restarts, and no two processes that live at once share it: its earlier rows are taken back at start. */
  readonly instance: string;
  /** Mails in flight at most, with the accepted ones that are not recorded yet: what a crash can repeat. */
  readonly concurrency: number;
  /** Of this instance, shared by all that sends mail. */
  readonly rate: TokenBucket;
  readonly allowance: DailyAllowance;
  /** Whether a mail that was perhaps sent before a crash is sent again; otherwise its row waits for an admin. */
  readonly resendAfterCrash: boolean;
  readonly sender: Party;
  /** Right half of each Message-ID. */
  readonly mailDomain: string;
  readonly unsubscribeUrl: (deliveryId: string) => string;
}
