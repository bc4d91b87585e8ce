import { setupMessages } from "~/content/setup";
import type { TransactionalEmail } from "~/services/mail/email-parts";
import type { Email } from "~/services/mail/mailer";
import { composeTransactionalEmail } from "./compose-transactional";
import { toParagraph } from "./message-tree";

/** Composes the email with which an operator tries the mail server on the setup screen. */
export function composeSetupEmail({
  brandName,
  ...email
}: TransactionalEmail & { brandName: string }): Email {
  const { title, paragraphs, footer } = setupMessages.email;
  return composeTransactionalEmail(email, {
    title: title(brandName),
    brandName,
    message: paragraphs.map((text) => toParagraph(text)),
    footer,
  });
}
