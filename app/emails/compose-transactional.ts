import { hours } from "~/lib/durations";
import { AUTOMATIC_HEADERS } from "~/services/mail/email-headers";
import type { EmailChangeEmail } from "~/services/email-changes/email-change-emails";
import type { InvitationEmail } from "~/services/invitations/invitation-email";
import type { ConfirmedSubject } from "~/services/confirmations/confirmation-request.server";
import type { ConfirmationEmail, TransactionalEmail } from "~/services/mail/email-parts";
import type { Email } from "~/services/mail/mailer";
import { toEmail, type EmailContent } from "./email-content";
import { toButton, toParagraph } from "./message-tree";

/** What the email says that asks for a confirmation, and why somebody gets it; both follow the address. */
const CONFIRMATIONS: Readonly<
  Record<ConfirmedSubject, { title(name: string): string; question(name: string): string }>
> = {
  "updates-signup": {
    title: (name) => `Please confirm that you want news from ${name}`,
    question: (name) =>
      `This address was entered to get news from ${name}. If that was you, please confirm it:`,
  },
  "early-access": {
    title: (name) => `Please confirm that you want early access to ${name}`,
    question: (name) =>
      `This address was entered to sign up for early access to ${name}. If that was you, please confirm it:`,
  },
  address: {
    title: (name) => `Please confirm your address for ${name}`,
    question: (name) => `This address is on the list of ${name}. Please confirm that it is yours:`,
  },
};

/**
 * Composes the email that asks an address to confirm its signup. Pure: the same input gives the same email.
 *
 * Anybody may have entered the address, so nothing else they entered is included, not even their name: it would
 * be a stranger's text in our name.
 * @throws TypeError when `confirmUrl` is no plain http(s) URL.
 */
export function composeConfirmationEmail({
  about,
  confirmUrl,
  validForMs,
  brandName,
  ...email
}: ConfirmationEmail & { brandName: string }): Email {
  const { title, question } = CONFIRMATIONS[about];
  return composeTransactionalEmail(email, {
    title: title(brandName),
    brandName,
    message: [
      toParagraph(question(brandName)),
      toButton(confirmUrl, "Confirm this address"),
      toParagraph(`The link works once, within ${validForMs / hours(1)} hours.`),
    ],
    footer:
      about === "address"
        ? `You get this because a new link was asked for, on the page that an email to ${email.address} led to.`
        : `You get this because somebody entered ${email.address} on our page. If it was not you, you can ignore this email: ` +
          "no more emails are sent to an unconfirmed address.",
  });
}

/**
 * Composes the email that invites a colleague to the back office. Pure: the same input gives the same email.
 * @throws TypeError when `url` is no plain http(s) URL.
 */
export function composeInvitationEmail({
  fullName,
  inviter,
  url,
  validForMs,
  brandName,
  ...email
}: InvitationEmail & { brandName: string }): Email {
  const who = `${inviter.fullName} (${inviter.email})`;
  return composeTransactionalEmail(email, {
    title: `${inviter.fullName} invites you to the back office of ${brandName}`,
    brandName,
    message: [
      toParagraph(`Hello ${fullName},`),
      toParagraph(
        `${who} invites you to the back office of ${brandName}. Choose a password, and then log in with this address:`,
      ),
      toButton(url, "Accept the invitation"),
      toParagraph(`The link works once, within ${validForMs / hours(1)} hours.`),
    ],
    footer:
      `You get this because ${who} entered ${email.address}. If you did not expect it, you can ignore this email: ` +
      "without the link nobody gets an account.",
  });
}

/**
 * Composes the email that asks a new address to confirm that an account gets it. Pure: the same input gives the same
 * email. Nothing else of the account is in it: the address may be a stranger's.
 * @throws TypeError when `url` is no plain http(s) URL.
 */
export function composeEmailChangeEmail({
  url,
  validForMs,
  brandName,
  ...email
}: EmailChangeEmail & { brandName: string }): Email {
  const asked = `Somebody with an account in the back office of ${brandName} wants to log in with this address`;
  return composeTransactionalEmail(email, {
    title: `Please confirm your new address for ${brandName}`,
    brandName,
    message: [
      toParagraph(`${asked} from now on. If that was you, please confirm it:`),
      toButton(url, "Confirm this address"),
      toParagraph(`The link works once, within ${validForMs / hours(1)} hours. Until then nothing changes.`),
    ],
    footer:
      `You get this because ${email.address} was entered as the new address of an account. If it was not you, you can ` +
      "ignore this email: without the link nothing happens.",
  });
}

/** Composes the email that tells the old address of an account that it was changed. */
export function composeEmailChangedEmail({
  brandName,
  ...email
}: TransactionalEmail & { brandName: string }): Email {
  return composeTransactionalEmail(email, {
    title: `The address of your ${brandName} account was changed`,
    brandName,
    message: [
      toParagraph(
        `The account in the back office of ${brandName} that had this address has another one now. You log in ` +
          "with the new one; the password is the same.",
      ),
      toParagraph(
        "If that was not you, tell a superadmin at once. Where you are still logged in, choose a new password: that " +
          "ends every other session.",
      ),
    ],
    footer: `You get this because ${email.address} was the address of the account.`,
  });
}

/**
 * Composes an email that answers an event. No List-Unsubscribe, because the recipient is on no list, and no Precedence,
 * because it is not one of many.
 */
export function composeTransactionalEmail(
  { address, sender, messageId }: TransactionalEmail,
  content: EmailContent,
): Email {
  return toEmail(content, {
    messageId,
    sender,
    to: { name: "", address },
    headers: AUTOMATIC_HEADERS,
  });
}
