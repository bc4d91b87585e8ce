import { hours } from "~/lib/durations";
import { AUTOMATIC_HEADERS } from "~/services/mail/email-headers";
import type { EmailChangeEmail } from "~/services/email-changes/email-change-emails";
import type { InvitationEmail } from "~/services/invitations/invitation-email";
import type { ConfirmationEmail, TransactionalEmail } from "~/services/mail/email-parts";
import type { Email } from "~/services/mail/mailer";
import { toButton, toEmail, type EmailContent } from "./email-content";

/**
 * Composes the email that asks an address to confirm its signup. Pure: the same input gives the same email.
 *
 * Anybody may have entered the address, so nothing else they entered is included, not even their name: it would
 * be a stranger's text in our name.
 * @throws TypeError when `confirmUrl` is no plain http(s) URL.
 */
export function composeConfirmationEmail({
  confirmUrl,
  validForMs,
  brandName,
  ...email
}: ConfirmationEmail & { brandName: string }): Email {
  const question = `This address was entered to get news from ${brandName}. If that was you, please confirm it:`;
  return composeTransactionalEmail(email, {
    title: `Please confirm that you want news from ${brandName}`,
    brandName,
    paragraphs: [
      [{ text: question }],
      [toButton(confirmUrl, "Confirm this address")],
      [{ text: `The link works once, within ${validForMs / hours(1)} hours.` }],
    ],
    footer:
      `You get this because somebody entered ${email.address} on our page. If it was not you, you can ignore this email: ` +
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
    paragraphs: [
      [{ text: `Hello ${fullName},` }],
      [
        {
          text: `${who} invites you to the back office of ${brandName}. Choose a password, and then log in with this address:`,
        },
      ],
      [toButton(url, "Accept the invitation")],
      [{ text: `The link works once, within ${validForMs / hours(1)} hours.` }],
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
    paragraphs: [
      [{ text: `${asked} from now on. If that was you, please confirm it:` }],
      [toButton(url, "Confirm this address")],
      [
        {
          text: `The link works once, within ${validForMs / hours(1)} hours. Until then nothing changes.`,
        },
      ],
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
    paragraphs: [
      [
        {
          text:
            `The account in the back office of ${brandName} that had this address has another one now. You log in ` +
            "with the new one; the password is the same.",
        },
      ],
      [
        {
          text:
            "If that was not you, tell a superadmin at once. Where you are still logged in, choose a new password: that " +
            "ends every other session.",
        },
      ],
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
