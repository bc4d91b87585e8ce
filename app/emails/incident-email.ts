import { resourceMessages } from "~/content/resources";
import type { Email } from "~/services/mail/mailer";
import type { IncidentEmail } from "~/services/resources/incidents.server";
import { composeTransactionalEmail } from "./compose-transactional";
import { toButton, toParagraph } from "./message-tree";

/**
 * Composes the email about the beginning or the end of an incident.
 * @param email.pageUrl absolute URL of the page that shows incidents.
 */
export function composeIncidentEmail({
  event,
  pageUrl,
  brandName,
  ...email
}: IncidentEmail & { pageUrl: string; brandName: string }): Email {
  const copy = resourceMessages.email;
  const hasBegun = event.change === "began";
  const text = hasBegun ? copy.beganText(event) : copy.endedText(event);
  return composeTransactionalEmail(email, {
    title: hasBegun ? copy.began(event) : copy.ended(event),
    brandName,
    message: [toParagraph(text), toButton(pageUrl, copy.look)],
    footer: copy.footer,
  });
}
