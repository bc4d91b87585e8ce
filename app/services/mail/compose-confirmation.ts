import { brand } from "~/content/brand";
import { hours } from "~/lib/durations";
import { checkPlainUrl, toMail } from "./email-content";
import type { EmailContent } from "./email-content";
import type { Mail } from "./mailer";

export interface ConfirmationMail {
  readonly address: string;
  readonly sender: { readonly name: string; readonly address: string };
  /** With angle brackets. */
  readonly messageId: string;
  /** Absolute http(s) URL of the page that asks for the confirmation. */
  readonly confirmUrl: string;
  /** Lifetime of the link. */
  readonly validForMs: number;
}

const TITLE = `Please confirm that you want news from ${brand.name}`;

/**
 * Composes the email that asks an address to confirm its signup. Pure: the same input gives the same email.
 *
 * Anybody may have entered the address, so nothing else they entered is included, not even their name: it would
 * be a stranger's text in our name. The email carries no List-Unsubscribe, because its recipient is on no list;
 * Auto-Submitted suppresses out-of-office replies (RFC 3834, section 5).
 * @throws TypeError when `confirmUrl` is no plain http(s) URL.
 */
export function composeConfirmationMail({
  address,
  sender,
  messageId,
  confirmUrl,
  validForMs,
}: ConfirmationMail): Mail {
  checkPlainUrl(confirmUrl);
  const content: EmailContent = {
    title: TITLE,
    paragraphs: [
      [
        {
          text: `This address was entered to get news from ${brand.name}. If that was you, please confirm it:`,
        },
      ],
      [{ text: confirmUrl, href: confirmUrl, label: "Confirm this address" }],
      [{ text: `The link works once, within ${validForMs / hours(1)} hours.` }],
    ],
    footer:
      `You get this because somebody entered ${address} on our page. If it was not you, you can ignore this email: ` +
      "no more emails are sent to an unconfirmed address.",
  };
  return toMail(content, {
    messageId,
    sender,
    to: { name: "", address },
    headers: { "Auto-Submitted": "auto-generated" },
  });
}
