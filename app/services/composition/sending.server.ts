import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { composeOutreachEmail } from "~/emails/compose";
import {
  composeConfirmationEmail,
  composeEmailChangedEmail,
  composeEmailChangeEmail,
  composeInvitationEmail,
} from "~/emails/compose-transactional";
import type { Environment } from "~/env.server";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import type { PasswordPolicy } from "~/services/accounts/password-policy.server";
import { createApiEmailKind, createSendApiEmail } from "~/services/api-email/send-api-email.server";
import { createBounces } from "~/services/bounces/bounces.server";
import { createConfirmationKind } from "~/services/confirmations/confirmation-email.server";
import { createConfirmationTokens } from "~/services/confirmations/confirmation-request.server";
import { createEmailChangedKind, EMAIL_CHANGE } from "~/services/email-changes/email-change-emails";
import { createEmailChanges } from "~/services/email-changes/email-changes.server";
import { INVITATION_EMAIL } from "~/services/invitations/invitation-email";
import { createInvitations } from "~/services/invitations/invitations.server";
import type { OutreachEmail } from "~/services/mail/email-parts";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import { PlatformMailer } from "~/services/mail/drivers/platform-mailer.server";
import { SmtpMailer } from "~/services/mail/drivers/smtp-mailer.server";
import type { Mailer } from "~/services/mail/mailer";
import { createOutbox } from "~/services/mail/outbox.server";
import { createTransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { createCampaignWorker } from "~/services/outreach/campaign-jobs.server";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import {
  createEmailPreviews,
  createTestEmail,
  createTestEmailKind,
} from "~/services/outreach/sample-email.server";
import { createOutreach } from "~/services/outreach/outreach.server";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { INCIDENT_EMAIL } from "~/services/resources/incidents.server";
import { createSuppressionList } from "~/services/suppressions/suppression-list.server";
import { createUnsubscribeTokens, createUnsubscribing } from "~/services/suppressions/suppressions.server";
import type { Foundation } from "./foundation.server";
import { createGmailMailer } from "./google.server";

/** Composes what all emails share: one rate and one daily allowance, and the queue of transactional emails. */
export function composeSending(foundation: Foundation, mailer: Mailer) {
  const { environment, brand, database, clock, newId, log, instance, leaseTime, origin, secrets } =
    foundation;
  const sender = { name: brand.senderLabel, address: environment.MAIL_FROM };
  /** What both queues of emails get: of campaigns, and of transactional emails. */
  const queueOptions = {
    database,
    clock,
    newId,
    log,
    instance,
    leaseTime,
    mailer,
    mailDomain: environment.MAIL_FROM.split("@")[1] ?? "localhost",
    concurrency: environment.MAIL_CONCURRENCY,
    rate: new TokenBucket(environment.MAIL_RATE_PER_SECOND, clock()),
    allowance: new DailyAllowance(getDailyEmailLimit(environment)),
    resendAfterCrash: environment.RESEND_AFTER_CRASH,
  };
  const confirmationTokens = createConfirmationTokens(secrets.form, secrets.previousForm);
  const confirmation = createConfirmationKind({
    sender,
    compose: (email) => composeConfirmationEmail({ ...email, brandName: brand.name }),
    confirmUrl: (request) => origin + paths.confirmUpdates(confirmationTokens.createToken(request)),
  });
  const emailKinds = {
    confirmation,
    incident: INCIDENT_EMAIL,
    invitation: INVITATION_EMAIL,
    emailChange: EMAIL_CHANGE,
    emailChanged: createEmailChangedKind({
      sender,
      compose: (email) => composeEmailChangedEmail({ ...email, brandName: brand.name }),
    }),
    test: createTestEmailKind({ clock, newId }),
    api: createApiEmailKind({ clock, newId }),
  };
  const emails = createTransactionalEmails({ ...queueOptions, kinds: Object.values(emailKinds) });
  return { queueOptions, sender, confirmationTokens, emailKinds, emails };
}

/** Composes the invitations of colleagues. */
export function composeInvitations(
  { brand, database, clock, newId, origin }: Foundation,
  { emails, sender }: Sending,
  passwords: { hasher: PasswordHasher; passwordPolicy: PasswordPolicy },
) {
  return createInvitations({
    database,
    clock,
    newId,
    randomBytes,
    ...passwords,
    emails,
    sender,
    compose: (email) => composeInvitationEmail({ ...email, brandName: brand.name }),
    toUrl: (token) => origin + paths.invitation(token),
  });
}

/** Composes the changes of one's own address. */
export function composeEmailChanges(
  { environment, brand, database, clock, newId, origin }: Foundation,
  { emails, emailKinds, sender }: Sending,
  hasher: PasswordHasher,
) {
  return createEmailChanges({
    database,
    clock,
    newId,
    hasher,
    protectedAccounts: environment.PROTECTED_ACCOUNTS,
    randomBytes,
    emails,
    changedKind: emailKinds.emailChanged,
    sender,
    compose: (email) => composeEmailChangeEmail({ ...email, brandName: brand.name }),
    toUrl: (token) => origin + paths.confirmEmail(token),
  });
}

export type Sending = ReturnType<typeof composeSending>;

/** Composes campaigns, emails from programs, and suppressions. */
export function composeOutreach(foundation: Foundation, sending: Sending) {
  const { environment, brand, database, clock, newId, origin, secrets } = foundation;
  const { queueOptions, sender, emailKinds, emails } = sending;
  const { mailDomain, allowance } = queueOptions;
  const { POSTAL_ADDRESS: postalAddress, BOUNCE_WEBHOOK_SECRET: secret } = environment;
  const compose = (email: OutreachEmail) =>
    composeOutreachEmail({ ...email, postalAddress, brandName: brand.name });
  const tokens = createUnsubscribeTokens(secrets.form, secrets.previousForm);
  const dispatcher = createCampaignWorker({
    ...queueOptions,
    sender,
    compose,
    unsubscribeUrl: (deliveryId) => origin + paths.unsubscribe(tokens.createToken(deliveryId)),
  });
  const deadUnsubscribeUrl = origin + paths.unsubscribe("preview");
  return {
    dispatcher,
    outreach: createOutreach({
      database,
      clock,
      newId,
      allowance,
      wake: dispatcher.wake,
      holdMs: seconds(environment.MAIL_HOLD_SECONDS),
      settings: {
        ratePerSecond: environment.MAIL_RATE_PER_SECOND,
        postalAddress,
        localOrigin: environment.MAIL_DRIVER !== "outbox" && !environment.ORIGIN ? origin : undefined,
      },
    }),
    emailPreviews: createEmailPreviews({ database, sender, mailDomain, compose, deadUnsubscribeUrl }),
    sendTestEmail: createTestEmail({
      database,
      sender,
      mailDomain,
      compose,
      deadUnsubscribeUrl,
      emails,
      kind: emailKinds.test,
    }),
    sendApiEmail: createSendApiEmail({ emails, sender, kind: emailKinds.api }),
    unsubscribing: createUnsubscribing({ database, clock, newId, tokens }),
    suppressions: createSuppressionList({ database, clock, newId }),
    bounces: secret === undefined ? undefined : createBounces({ database, clock, newId, secret }),
  };
}

/** Emails Gmail lets a personal account send in a day. */
const GMAIL_PER_DAY = 500;

/** Returns the emails allowed per day, from the environment or else by the driver; 0: no limit. */
export function getDailyEmailLimit({ MAIL_PER_DAY, MAIL_DRIVER }: Environment): number {
  return MAIL_PER_DAY ?? (MAIL_DRIVER === "gmail" ? GMAIL_PER_DAY : 0);
}

/** Creates the mail driver that the environment chooses; the outbox can also be read. */
export async function composeMailer(
  { environment, database, disk, clock, newId }: Foundation,
  platform: PlatformClient | undefined,
) {
  const { MAIL_DRIVER, SMTP_URL, MAIL_CONCURRENCY } = environment;
  if (MAIL_DRIVER !== "outbox") {
    // The type requires an entry for every driver.
    const senders: Record<typeof MAIL_DRIVER, () => Promise<Mailer> | Mailer | undefined> = {
      gmail: () => createGmailMailer(environment, clock),
      platform: () => platform && new PlatformMailer(platform),
      smtp: () => (SMTP_URL ? new SmtpMailer({ url: SMTP_URL, concurrency: MAIL_CONCURRENCY }) : undefined),
    };
    const mailer = await senders[MAIL_DRIVER]();
    // The environment does not parse without these settings.
    if (!mailer) throw new Error(`MAIL_DRIVER=${MAIL_DRIVER} lacks its settings`);
    return { mailer, outbox: undefined };
  }
  const folder = join(environment.DATA_DIR, "outbox");
  const outbox = createOutbox({ database, folder });
  const { retryWhenFull } = disk;
  return { mailer: new OutboxMailer({ folder, rows: outbox, newId, now: clock, retryWhenFull }), outbox };
}
