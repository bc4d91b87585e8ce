import type { AutomaticRule } from "~/lib/automatic-rules";
import { AUTOMATIC_HEADERS, BULK_HEADERS, toHeaderText } from "~/services/mail/email-headers";
import type { Email } from "~/services/mail/mailer";
import type { AutomaticEmail, OutreachContent, OutreachDelivery } from "~/services/mail/email-parts";
import { fillMarks, markFields, toFirstName, type FieldValues } from "~/lib/merge-fields";
import { toEmail, type EmailContent } from "./email-content";
import { checkPlainUrl, toButton } from "./message-tree";
import { fillMessage, parseMessage } from "./parse-message";
import { toTypedValue } from "./typed-value";

interface Origin {
  readonly brandName: string;
  /** Postal address of the sender, for the footer; empty for none. */
  readonly postalAddress?: string;
}

/**
 * Parses the content of a campaign, and returns what composes the email for each recipient. Pure: the same input gives
 * the same email.
 *
 * Everything is escaped in the HTML; no header can contain a line break (hardening C18). Bulk email carries a
 * visible unsubscribe link and the headers of RFC 2369 and RFC 8058 (hardening C20), and suppresses automatic replies.
 */
export function composeOutreachEmails({
  title,
  message,
  format,
  brandName,
  postalAddress = "",
}: OutreachContent & Origin): (delivery: OutreachDelivery) => Email {
  const markedTitle = markFields(title);
  const parsed = parseMessage(message, format);
  const imprint = toHeaderText(postalAddress);

  return (delivery) => {
    const { recipient, sender, messageId, unsubscribeUrl, inviteUrl } = delivery;
    const values = toValues(recipient, { unsubscribeUrl, inviteUrl });
    const content: EmailContent = {
      title: fillMarks(markedTitle.text, markedTitle, values),
      brandName,
      message: fillMessage(parsed, values),
      footer: `You get this because ${recipient.address} asked to hear from ${brandName}.`,
      imprint,
      footerLink: { label: "Unsubscribe", href: unsubscribeUrl },
    };
    return toEmail(content, {
      messageId,
      sender,
      to: { name: values.name, address: recipient.address },
      headers: { ...BULK_HEADERS, ...toUnsubscribeHeaders(unsubscribeUrl) },
    });
  };
}

/** Why somebody gets each automatic email; follows their address. */
const REASONS: Readonly<Record<AutomaticRule, (brandName: string) => string>> = {
  "thank-you": (brandName) => `signed up for early access to ${brandName}`,
  welcome: (brandName) => `asked for news from ${brandName}`,
  receipt: (brandName) => `was entered when somebody wrote to ${brandName}`,
};

/**
 * Composes an email that answers a form by itself. Pure: the same input gives the same email. It is one email to one
 * person, so it has no Precedence; a receipt has no link to unsubscribe.
 *
 * Anybody may have typed the address, so only a welcome carries more of what was typed than a first name that is safe
 * (hardening C42).
 * @throws TypeError when a URL is no plain http(s) URL.
 */
export function composeAutomaticEmail(email: AutomaticEmail & Origin): Email {
  const { rule, recipient, sender, messageId, unsubscribeUrl, brandName } = email;
  const values = toValues(recipient, { unsubscribeUrl });
  const isOnList = rule !== "receipt";
  const message = fillMessage(parseMessage(email.message, email.format), values);
  if (email.confirmUrl !== undefined) message.push(toButton(email.confirmUrl, "Confirm your address"));
  const content: EmailContent = {
    title: fillTitle(email.subject, values),
    brandName,
    message,
    footer: `You get this because ${recipient.address} ${REASONS[rule](brandName)}.`,
    imprint: toHeaderText(email.postalAddress ?? ""),
    footerLink: isOnList ? { label: "Unsubscribe", href: unsubscribeUrl } : undefined,
  };
  return toEmail(content, {
    messageId,
    sender,
    to: { name: "", address: recipient.address },
    headers: { ...AUTOMATIC_HEADERS, ...(isOnList && toUnsubscribeHeaders(unsubscribeUrl)) },
  });
}

const toUnsubscribeHeaders = (url: string) => ({
  "List-Unsubscribe": `<${url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

function fillTitle(text: string, values: FieldValues): string {
  const title = markFields(text);
  return fillMarks(title.text, title, values);
}

/**
 * Returns what the fields stand for. Name, company and role come from a public form.
 * @throws TypeError when a URL is no plain http(s) URL.
 */
function toValues(
  recipient: OutreachDelivery["recipient"],
  { unsubscribeUrl, inviteUrl = "" }: Pick<OutreachDelivery, "unsubscribeUrl" | "inviteUrl">,
): FieldValues {
  checkPlainUrl(unsubscribeUrl);
  if (inviteUrl !== "") checkPlainUrl(inviteUrl);
  const name = toTypedValue(recipient.name);
  return {
    name,
    first_name: toFirstName(name),
    company: toTypedValue(recipient.company),
    role: toTypedValue(recipient.role),
    email: recipient.address,
    unsubscribe_link: unsubscribeUrl,
    invite_link: inviteUrl,
  };
}
