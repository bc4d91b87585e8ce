import type { ConfirmationsTable } from "~/db/tables/confirmations";
import type { Clock } from "~/services/clock";
import type { ConfirmationMail } from "~/services/mail/compose-confirmation";
import type { Mail, Mailer } from "~/services/mail/mailer";
import { endingOf, poisoned, skipped } from "~/services/outreach/ending";
import type { Ending } from "~/services/outreach/ending";
import type { TakenMail } from "~/services/outreach/leases.server";
import { LINK_LIFE_MS, isExpired } from "./asking";
import type { Asking } from "./confirmation-tokens.server";

export const CLAIMED_COLUMNS = [
  "id",
  "address",
  "email_key",
  "asked_at",
  "detail",
  "attempts",
  "resent_after_crash",
  "not_before",
  // Of a row that was just claimed: when.
  "updated_at",
] as const;
export type Claimed = TakenMail<ConfirmationsTable, (typeof CLAIMED_COLUMNS)[number]>;

/** What one mail is made of and sent with. */
export interface ConfirmationDelivery {
  readonly mailer: Mailer;
  /** A throw fails this one mail. */
  readonly compose: (parts: ConfirmationMail) => Mail;
  readonly clock: Clock;
  readonly sender: ConfirmationMail["sender"];
  /** Right half of each Message-ID. */
  readonly mailDomain: string;
  /** Absolute, of the page that asks. */
  readonly confirmUrl: (asking: Asking) => string;
}

/** Makes one mail and sends it, unless it must not go any more. Never throws. */
export async function deliverConfirmation(has: ConfirmationDelivery, row: Claimed): Promise<Ending> {
  // Who unsubscribed has asked again, and confirming will say so; every other reason not to write stays.
  if (row.suppression && row.suppression !== "unsubscribed") return skipped(row, "suppressed");
  if (isExpired(row, has.clock())) return skipped(row, "expired");
  try {
    const mail = has.compose({
      address: row.address,
      sender: has.sender,
      messageId: messageIdOf(row, has.mailDomain),
      confirmUrl: has.confirmUrl(row),
      validForMs: LINK_LIFE_MS,
    });
    return endingOf(row, await has.mailer.send(mail), has.clock());
  } catch (error) {
    return poisoned(row, error);
  }
}

/** The same for each try of a mail, another one for the next mail to the address. */
export function messageIdOf({ id, asked_at }: Asking, mailDomain: string): string {
  return `<${id}.${asked_at.toString(36)}@${mailDomain}>`;
}
