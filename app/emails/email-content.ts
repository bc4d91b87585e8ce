import { toOneLine } from "~/services/mail/email-headers";
import type { Email } from "~/services/mail/mailer";

/** Content of an email in the shared layout, not escaped: paragraphs, and in small type the reason it was sent. */
export interface EmailContent {
  /** Used as the subject. */
  readonly title: string;
  /** The first line of the HTML. */
  readonly brandName: string;
  readonly paragraphs: readonly (readonly TextSpan[])[];
  readonly footer: string;
  /** Postal address of the sender, as required by law; empty for none. */
  readonly imprint?: string;
  readonly footerLink?: { readonly label: string; readonly href: string } | undefined;
}

/** A run of text. `href` makes it a link; with a `label` the HTML shows a button with that label. */
export interface TextSpan {
  readonly text: string;
  readonly href?: string;
  readonly label?: string;
}

/** @throws TypeError for anything but a plain http(s) URL, such as one that would end a header or an attribute. */
export function checkPlainUrl(url: string): void {
  if (!/^https?:\/\/[!#-;=?-~]+$/.test(url)) throw new TypeError("A link must be a plain http or https URL");
}

/** Creates a link that the HTML shows as a button. @throws TypeError when `url` is no plain http(s) URL. */
export function toButton(url: string, label: string): TextSpan {
  checkPlainUrl(url);
  return { text: url, href: url, label };
}

/** Renders content as text and as HTML; its title, on one line, is the subject. */
export function renderContent({ title, ...body }: EmailContent): Pick<Email, "subject" | "text" | "html"> {
  const content = { ...body, title: toOneLine(title) };
  return { subject: content.title, text: renderText(content), html: renderHtml(content) };
}

/** Builds an email, which a program sends, from its content. The sender's name becomes one line too. */
export function toEmail(
  content: EmailContent,
  { sender, ...rest }: Pick<Email, "messageId" | "to" | "headers"> & { sender: Email["from"] },
): Email {
  const from = { name: toOneLine(sender.name), address: sender.address };
  return { ...rest, from, autoSubmitted: "auto-generated", ...renderContent(content) };
}

function renderText({ paragraphs, footer, imprint, footerLink }: EmailContent): string {
  const message = paragraphs.map((spans) => spans.map(({ text }) => text).join("")).join("\n\n");
  const link = footerLink ? [`${footerLink.label}: ${footerLink.href}`] : [];
  return [message, "", "-".repeat(40), footer, ...link, ...(imprint ? [imprint] : []), ""].join("\n");
}

/** Dark colours, which only the head can hold. The light ones are inline, because some clients drop the head. */
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #17181c !important; }
  .sheet { background: #212329 !important; color: #e8e8ea !important; }
  .sheet a { color: #9db7ff !important; }
  .sheet a.button { color: #ffffff !important; }
  .quiet { color: #a4a6ad !important; border-color: #3a3d45 !important; }
}`;
const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const LINK_STYLE = "color:#2a4bd0;text-decoration:underline;word-break:break-word";
const BUTTON_STYLE =
  "display:inline-block;padding:11px 20px;border-radius:8px;background:#2a4bd0;color:#ffffff;text-decoration:none;font-weight:600";

function renderHtml({ title, brandName, paragraphs, footer, imprint, footerLink }: EmailContent): string {
  const body = paragraphs.map(
    (spans) => `<p style="margin:0 0 16px">${spans.map((span) => renderSpan(span)).join("")}</p>`,
  );
  const link = footerLink ? `<br>${anchor(footerLink.href, footerLink.label)}` : "";
  const origin = imprint ? `<br>${escapeHtml(imprint)}` : "";
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
<p style="margin:0 0 24px;font-weight:700;letter-spacing:0.01em">${escapeHtml(brandName)}</p>
${body.join("\n")}
<p class="quiet" style="margin:28px 0 0;padding-top:16px;border-top:1px solid #dcdcd8;color:#5d5f66;font-size:13px">${escapeHtml(footer)}${link}${origin}</p>
</div>
</body>
</html>
`;
}

function renderSpan({ text, href, label }: TextSpan): string {
  if (href === undefined) return escapeHtml(text).replaceAll("\n", "<br>\n");
  return label === undefined ? anchor(href, text) : button(href, label);
}

function anchor(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}" style="${LINK_STYLE}">${escapeHtml(text)}</a>`;
}

function button(href: string, label: string): string {
  return `<a class="button" href="${escapeHtml(href)}" style="${BUTTON_STYLE}">${escapeHtml(label)}</a>`;
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
