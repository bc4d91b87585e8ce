import { brand } from "~/brand";
import type { Mail } from "./mailer";

export interface OutreachMail {
  /** Becomes the subject; `{{name}}` is merged. */
  readonly title: string;
  /** Plain text by an operator; `{{name}}` is merged and http(s) links become links. */
  readonly message: string;
  /** `name` comes from a public form; empty when unknown. */
  readonly recipient: { readonly name: string; readonly address: string };
  readonly sender: { readonly name: string; readonly address: string };
  /** With angle brackets. */
  readonly messageId: string;
  /** Absolute http(s) URL whose POST unsubscribes at once (RFC 8058); undefined for a test mail. */
  readonly unsubscribeUrl: string | undefined;
}

const MERGE_FIELD = /\{\{([^{}]*)\}\}/g;
const NAME_FIELD = /\{\{\s*name\s*\}\}/g;
/** A link in the operator's text; it may hold merge fields, and ends before white space and HTML's own characters. */
const LINK = /(https?:\/\/(?:\{\{\s*name\s*\}\}|[^\s<>"{}])+)/i;
/** Punctuation after a link belongs to the sentence. */
const SENTENCE_END = ".,;:!?'’”»";

/** What stands in for a name nobody gave: "Hello there". */
const NO_NAME = "there";
/** In code points. */
const LONGEST_NAME = 100;

/**
 * The mail of an outreach, as text and as HTML, for one recipient. Pure: the same input gives the same mail.
 *
 * Everything is escaped into the HTML; no header can hold a line break (hardening C18). Bulk mail carries a visible
 * unsubscribe link and the headers of RFC 2369 and RFC 8058 (hardening C20).
 * @throws TypeError when `unsubscribeUrl` is no plain http(s) URL.
 */
export function composeOutreachMail(outreach: OutreachMail): Mail {
  const { recipient, sender, messageId, unsubscribeUrl } = outreach;
  if (unsubscribeUrl !== undefined && !/^https?:\/\/[!#-;=?-~]+$/.test(unsubscribeUrl)) {
    throw new TypeError("unsubscribeUrl must be a plain http or https URL");
  }
  const recipientName = usableName(recipient.name);
  const name = recipientName || NO_NAME;
  const subject = oneLine(mergeName(outreach.title, name));
  const paragraphs = piecesOf(outreach.message, name);
  const reason = unsubscribeUrl
    ? `You get this because ${recipient.address} asked to hear from ${brand.name}.`
    : `This is a test mail from ${brand.name}. Nobody on a list has received it.`;
  return {
    messageId,
    from: { name: oneLine(sender.name), address: sender.address },
    to: { name: recipientName, address: recipient.address },
    subject,
    text: asText(paragraphs, reason, unsubscribeUrl),
    html: asHtml(paragraphs, subject, reason, unsubscribeUrl),
    headers: unsubscribeUrl
      ? { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
      : {},
  };
}

/** The merge fields that nothing replaces, by name, each once, in order: `Hi {{nmae}}` gives ["nmae"]. */
export function unknownMergeFields(text: string): string[] {
  const names = Array.from(text.matchAll(MERGE_FIELD), ([, field = ""]) => field.trim());
  return [...new Set(names)].filter((field) => field !== "name");
}

/** `href` marks a link; `text` is what is read. */
interface Piece {
  readonly text: string;
  readonly href?: string;
}

/** Paragraphs of pieces. Text is cut before names are merged, so that no name can begin a paragraph or a link. */
function piecesOf(message: string, name: string): Piece[][] {
  const paragraphs = message
    .replace(/\r\n?/g, "\n")
    .trim()
    .split(/\n[^\S\n]*\n\s*/);
  return paragraphs.map((paragraph) =>
    paragraph.split(LINK).flatMap((part, index) => {
      const isLink = index % 2 === 1;
      return isLink ? linkPieces(part, name) : [{ text: mergeName(part, name) }];
    }),
  );
}

function linkPieces(link: string, name: string): Piece[] {
  const url = withoutSentenceEnd(link);
  const after: Piece = { text: link.slice(url.length) };
  const merged = mergeName(url, encodeURIComponent(name));
  return [URL.canParse(merged) ? { text: merged, href: merged } : { text: merged }, after];
}

/** The link in "(see https://x.example/a_(b))." is https://x.example/a_(b). */
function withoutSentenceEnd(link: string): string {
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

/**
 * The name as it may be used, empty when there is none. A name with a link in it is none: the form is public, and the
 * mail would carry a stranger's link in our name.
 */
function usableName(given: string): string {
  const name = [...oneLine(given.toWellFormed())].slice(0, LONGEST_NAME).join("").trim();
  return /:\/\/|www\./i.test(name) ? "" : name;
}

/** Line breaks, control and direction-changing characters become one space. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\s]+/gu, " ").trim();
}

function asText(paragraphs: Piece[][], reason: string, unsubscribeUrl: string | undefined): string {
  const message = paragraphs.map((pieces) => pieces.map(({ text }) => text).join("")).join("\n\n");
  const footer = unsubscribeUrl ? [reason, `Unsubscribe: ${unsubscribeUrl}`] : [reason];
  return [message, "", "-".repeat(40), ...footer, ""].join("\n");
}

/** Colours as inline styles, because some clients drop the head; the dark ones can only stand in the head. */
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #17181c !important; }
  .sheet { background: #212329 !important; color: #e8e8ea !important; }
  .sheet a { color: #9db7ff !important; }
  .quiet { color: #a4a6ad !important; border-color: #3a3d45 !important; }
}`;
const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const LINK_STYLE = "color:#2a4bd0;text-decoration:underline;word-break:break-word";

function asHtml(
  paragraphs: Piece[][],
  title: string,
  reason: string,
  unsubscribeUrl: string | undefined,
): string {
  const body = paragraphs.map(
    (pieces) => `<p style="margin:0 0 16px">${pieces.map((piece) => pieceHtml(piece)).join("")}</p>`,
  );
  const unsubscribe = unsubscribeUrl ? `<br>${anchor(unsubscribeUrl, "Unsubscribe")}` : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f4f4f2">
<div class="sheet" style="max-width:600px;margin:0 auto;padding:28px 24px;border-radius:12px;background:#ffffff;color:#1d1e22;${FONT};font-size:16px;line-height:1.55;overflow-wrap:anywhere">
<p style="margin:0 0 24px;font-weight:700;letter-spacing:0.01em">${escapeHtml(brand.name)}</p>
${body.join("\n")}
<p class="quiet" style="margin:28px 0 0;padding-top:16px;border-top:1px solid #dcdcd8;color:#5d5f66;font-size:13px">${escapeHtml(reason)}${unsubscribe}</p>
</div>
</body>
</html>
`;
}

function pieceHtml({ text, href }: Piece): string {
  return href === undefined ? escapeHtml(text).replaceAll("\n", "<br>\n") : anchor(href, text);
}

function anchor(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}" style="${LINK_STYLE}">${escapeHtml(text)}</a>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
