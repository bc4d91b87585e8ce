import { toSafeName } from "~/lib/safe-name";
import { BULK_HEADERS, toOneLine } from "~/services/mail/email-headers";
import type { Email } from "~/services/mail/mailer";
import { mergeName, stripSentenceEnd } from "~/services/mail/message-text";
import type { OutreachEmail } from "~/services/mail/email-parts";
import { checkPlainUrl, toEmail, type EmailContent, type TextSpan } from "./email-content";

/** Matches a link in the operator's text, merge fields included, up to white space or a character of HTML. */
const LINK = /(https?:\/\/(?:\{\{\s*name\s*\}\}|[^\s<>"{}])+)/i;
/** Replaces an unknown name: "Hello there". */
const NO_NAME = "there";
/** In code points. */
const MAX_NAME_LENGTH = 100;

/**
 * Composes the email of a campaign for one recipient. Pure: the same input gives the same email.
 *
 * Everything is escaped in the HTML; no header can contain a line break (hardening C18). Bulk email carries a
 * visible unsubscribe link and the headers of RFC 2369 and RFC 8058 (hardening C20), and suppresses automatic replies.
 * @throws TypeError when `unsubscribeUrl` is no plain http(s) URL.
 */
export function composeOutreachEmail(outreach: OutreachEmail & { brandName: string }): Email {
  const { recipient, sender, messageId, unsubscribeUrl, brandName } = outreach;
  checkPlainUrl(unsubscribeUrl);
  const recipientName = toRecipientName(recipient.name);
  const name = recipientName || NO_NAME;
  const content: EmailContent = {
    title: mergeName(outreach.title, name),
    brandName,
    paragraphs: parseParagraphs(outreach.message, name),
    footer: `You get this because ${recipient.address} asked to hear from ${brandName}.`,
    imprint: toOneLine(outreach.postalAddress ?? ""),
    footerLink: { label: "Unsubscribe", href: unsubscribeUrl },
  };
  return toEmail(content, {
    messageId,
    sender,
    to: { name: recipientName, address: recipient.address },
    headers: {
      ...BULK_HEADERS,
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  });
}

/** Splits a message into paragraphs and links, before names are merged: no name can start a paragraph or a link. */
function parseParagraphs(message: string, name: string): TextSpan[][] {
  const paragraphs = message
    .replace(/\r\n?/g, "\n")
    .trim()
    .split(/\n[^\S\n]*\n\s*/);
  return paragraphs.map((paragraph) =>
    paragraph.split(LINK).flatMap((part, index) => {
      const isLink = index % 2 === 1;
      return isLink ? toLinkSpans(part, name) : [{ text: mergeName(part, name) }];
    }),
  );
}

function toLinkSpans(link: string, name: string): TextSpan[] {
  const url = stripSentenceEnd(link);
  const after: TextSpan = { text: link.slice(url.length) };
  const merged = mergeName(url, encodeURIComponent(name));
  return [URL.canParse(merged) ? { text: merged, href: merged } : { text: merged }, after];
}

/** Cleans the recipient's name: one line of at most 100 characters; empty when it is not safe (hardening C42). */
function toRecipientName(typedName: string): string {
  const name = toSafeName(toOneLine(typedName.toWellFormed()));
  return [...name].slice(0, MAX_NAME_LENGTH).join("").trim();
}
