import { checkPlainUrl, toOneLine, toMail } from "./email-content";
import type { EmailContent } from "./email-content";
import type { Mail } from "./mailer";

export interface IncidentMail {
  readonly address: string;
  readonly sender: { readonly name: string; readonly address: string };
  /** With angle brackets. */
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  readonly footer: string;
  /** Absolute http(s) URL of the page with the details, and the label of its button. */
  readonly link: { readonly url: string; readonly label: string };
}

/**
 * Composes the email that notifies an account of an incident. Pure: the same input gives the same email. It
 * carries no List-Unsubscribe, because its recipient is on no list; Auto-Submitted suppresses out-of-office
 * replies (RFC 3834, section 5).
 * @throws TypeError when the link is no plain http(s) URL.
 */
export function composeIncidentMail({ address, sender, messageId, link, ...words }: IncidentMail): Mail {
  checkPlainUrl(link.url);
  const content: EmailContent = {
    title: toOneLine(words.subject),
    paragraphs: [[{ text: words.text }], [{ text: link.url, href: link.url, label: link.label }]],
    footer: words.footer,
  };
  return toMail(content, {
    messageId,
    sender,
    to: { name: "", address },
    headers: { "Auto-Submitted": "auto-generated" },
  });
}
