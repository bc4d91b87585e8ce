import { brand } from "~/content/brand";
import { hours } from "~/lib/durations";
import { AUTOMATIC_HEADERS, toButton, toEmail, type EmailContent } from "./email-content";
import type { Email } from "./mailer";

interface TransactionalEmail extends Pick<Email, "messageId"> {
  readonly address: string;
  readonly sender: Email["from"];
}

export interface ConfirmationEmail extends TransactionalEmail {
  /** Absolute http(s) URL of the page that asks for the confirmation. */
  readonly confirmUrl: string;
  /** Lifetime of the link. */
  readonly validForMs: number;
}

/**
 * Composes the email that asks an address to confirm its signup. Pure: the same input gives the same email.
 *
 * Anybody may have entered the address, so nothing else they entered is included, not even their name: it would
 * be a stranger's text in our name.
 * @throws TypeError when `confirmUrl` is no plain http(s) URL.
 */
export function composeConfirmationEmail({ confirmUrl, validForMs, ...email }: ConfirmationEmail): Email {
  const question = `This address was entered to get news from ${brand.name}. If that was you, please confirm it:`;
  return composeTransactionalEmail(email, {
    title: `Please confirm that you want news from ${brand.name}`,
    paragraphs: [
      [{ text: question }],
      [toButton(confirmUrl, "Confirm this address")],
      [{ text: `The link works once, within ${validForMs / hours(1)} hours.` }],
    ],
    footer:
      `You get this because somebody entered ${email.address} on our page. If it was not you, you can ignore this email: ` +
      "no more emails are sent to an unconfirmed address.",
  });
}

/**
 * Composes an email that answers an event. No List-Unsubscribe, because the recipient is on no list, and no Precedence,
 * because it is not one of many.
 */
export function composeTransactionalEmail(
  { address, sender, messageId }: TransactionalEmail,
  content: EmailContent,
): Email {
  return toEmail(content, {
    messageId,
    sender,
    to: { name: "", address },
    headers: AUTOMATIC_HEADERS,
  });
}
