import { brand } from "~/content/brand";
import { toSafeName } from "~/lib/safe-name";
import {
  BULK_HEADERS,
  checkPlainUrl,
  toOneLine,
  toEmail,
  type EmailContent,
  type TextSpan,
} from "./email-content";
import type { Email } from "./mailer";

export interface OutreachEmail extends Pick<Email, "messageId"> {
  /** Used as the subject; `{{name}}` is merged. */
  readonly title: string;
  /** Plain text written by an operator; `{{name}}` is merged and http(s) links become links. */
  readonly message: string;
  /** `name` comes from a public form; empty when unknown. */
  readonly recipient: Email["to"];
  readonly sender: Email["from"];
  /** Absolute http(s) URL whose POST unsubscribes at once (RFC 8058). */
  readonly unsubscribeUrl: string;
  /** Postal address of the sender, for the footer; empty for none. */
  readonly postalAddress?: string;
}

const MERGE_FIELD = /\{\{([^{}]*)\}\}/g;
const NAME_FIELD = /\{\{\s*name\s*\}\}/g;
/** Matches a link in the operator's text, merge fields included, up to white space or a character of HTML. */
const LINK = /(https?:\/\/(?:\{\{\s*name\s*\}\}|[^\s<>"{}])+)/i;
/** Punctuation after a link belongs to the sentence. */
const SENTENCE_END = ".,;:!?'’”»";

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
export function composeOutreachEmail(outreach: OutreachEmail): Email {
  const { recipient, sender, messageId, unsubscribeUrl } = outreach;
  checkPlainUrl(unsubscribeUrl);
  const recipientName = toRecipientName(recipient.name);
  const name = recipientName || NO_NAME;
  const content: EmailContent = {
    title: mergeName(outreach.title, name),
    paragraphs: parseParagraphs(outreach.message, name),
    footer: `You get this because ${recipient.address} asked to hear from ${brand.name}.`,
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

/** Lists the unknown merge fields by name, each once, in order: `Hi {{nmae}}` gives ["nmae"]. */
export function listUnknownMergeFields(text: string): string[] {
  const names = Array.from(text.matchAll(MERGE_FIELD), ([, field = ""]) => field.trim());
  return [...new Set(names)].filter((field) => field !== "name");
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

/** Strips the sentence's punctuation from a link: "https://x.example/a_(b))." gives "https://x.example/a_(b)". */
export function stripSentenceEnd(link: string): string {
  let unopened = link.split(")").length - link.split("(").length;
  let end = link.length;
  for (; end > 0; end -= 1) {
    const last = link.charAt(end - 1);
    if (last === ")" && unopened > 0) unopened -= 1;
    else if (!SENTENCE_END.includes(last)) break;
  }
  return link.slice(0, end);
}

function mergeName(text: string, name: string): string {
  return text.replace(NAME_FIELD, () => name);
}

/** Cleans the recipient's name: one line of at most 100 characters; empty when it is not safe (hardening C42). */
function toRecipientName(typedName: string): string {
  const name = toSafeName(toOneLine(typedName.toWellFormed()));
  return [...name].slice(0, MAX_NAME_LENGTH).join("").trim();
}
