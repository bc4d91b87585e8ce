import { escapeHtml } from "~/lib/escape-html";
import { toHeaderText } from "~/services/mail/email-headers";
import type { Email } from "~/services/mail/mailer";
import type { Block } from "./message-tree";
import { toHtml, toHtmlLink, toPlainText } from "./render-message";

/** Content of an email in the shared layout, not escaped: a message, and in small type the reason it was sent. */
export interface EmailContent {
  /** Used as the subject. */
  readonly title: string;
  /** The first line of the HTML. */
  readonly brandName: string;
  readonly message: readonly Block[];
  readonly footer: string;
  /** Postal address of the sender, as required by law; empty for none. */
  readonly imprint?: string;
  readonly footerLink?: { readonly label: string; readonly href: string } | undefined;
}

/** Renders content as text and as HTML; its title, on one line, is the subject. */
export function renderContent({ title, ...body }: EmailContent): Pick<Email, "subject" | "text" | "html"> {
  const content = { ...body, title: toHeaderText(title) };
  return { subject: content.title, text: renderText(content), html: renderHtml(content) };
}

/** Builds an email, which a program sends, from its content. The sender's name becomes one line too. */
export function toEmail(
  content: EmailContent,
  { sender, ...rest }: Pick<Email, "messageId" | "to" | "headers"> & { sender: Email["from"] },
): Email {
  const from = { name: toHeaderText(sender.name), address: sender.address };
  return { ...rest, from, autoSubmitted: "auto-generated", ...renderContent(content) };
}

function renderText({ message, footer, imprint, footerLink }: EmailContent): string {
  const link = footerLink ? [`${footerLink.label}: ${footerLink.href}`] : [];
  return [toPlainText(message), "", "-".repeat(40), footer, ...link, ...(imprint ? [imprint] : []), ""].join(
    "\n",
  );
}

/** Dark colours, which only the head can hold. The light ones are inline, because some clients drop the head. */
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #17181c !important; }
  .sheet { background: #212329 !important; color: #e8e8ea !important; }
  .sheet a { color: #9db7ff !important; }
  .sheet a.button { color: #ffffff !important; }
  .quiet { color: #a4a6ad !important; border-color: #3a3d45 !important; }
  .code { background: #2c2f37 !important; }
}`;
const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
function renderHtml({ title, brandName, message, footer, imprint, footerLink }: EmailContent): string {
  const link = footerLink ? `<br>${toHtmlLink(footerLink.href, footerLink.label)}` : "";
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
${toHtml(message)}
<p class="quiet" style="margin:28px 0 0;padding-top:16px;border-top:1px solid #dcdcd8;color:#5d5f66;font-size:13px">${escapeHtml(footer)}${link}${origin}</p>
</div>
</body>
</html>
`;
}
