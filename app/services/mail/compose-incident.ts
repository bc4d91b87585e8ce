import { checkPlainUrl, oneLine, sheetHtml, sheetText } from "./mail-sheet";
import type { MailSheet } from "./mail-sheet";
import type { Mail } from "./mailer";

export interface IncidentMail {
  readonly address: string;
  readonly sender: { readonly name: string; readonly address: string };
  /** With angle brackets. */
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  readonly footer: string;
  /** Absolute http(s) URL of the page to look at, and what its button says. */
  readonly link: { readonly url: string; readonly label: string };
}

/**
 * The mail that tells an account of an incident. Pure: the same input gives the same mail. It carries no List-Unsubscribe,
 * because its reader is on no list; Auto-Submitted keeps out-of-office replies away (RFC 3834, section 5).
 * @throws TypeError when the link is no plain http(s) URL.
 */
export function composeIncidentMail({ address, sender, messageId, link, ...words }: IncidentMail): Mail {
  checkPlainUrl(link.url);
  const subject = oneLine(words.subject);
  const sheet: MailSheet = {
    title: subject,
    paragraphs: [[{ text: words.text }], [{ text: link.url, href: link.url, label: link.label }]],
    footer: words.footer,
  };
  return {
    messageId,
    from: { name: oneLine(sender.name), address: sender.address },
    to: { name: "", address },
    subject,
    text: sheetText(sheet),
    html: sheetHtml(sheet),
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
