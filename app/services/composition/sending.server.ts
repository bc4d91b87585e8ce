import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { getAutomaticTexts } from "~/content/automatic-texts";
import { composeAutomaticEmail, composeOutreachEmails } from "~/emails/compose";
import { composeAlertEmail, composeAlertTestEmail } from "~/emails/alert-email";
import {
  composeConfirmationEmail,
  composeEmailChangedEmail,
  composeEmailChangeEmail,
  composeInvitationEmail,
} from "~/emails/compose-transactional";
import type { Environment } from "~/env.server";
import { seconds } from "~/lib/durations";
import { getCampaignFields } from "~/lib/merge-fields";
import { paths } from "~/paths";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import type { PasswordPolicy } from "~/services/accounts/password-policy.server";
import { createAlertKind } from "~/services/alerts/alert-email.server";
import { createAlertWorker } from "~/services/alerts/alert-worker.server";
import { createAlerts } from "~/services/alerts/alerts.server";
import { createApiEmailKind, createSendApiEmail } from "~/services/api-email/send-api-email.server";
import { createAutomaticEmails } from "~/services/automatic/automatic-emails.server";
import { createAutomaticKinds } from "~/services/automatic/automatic-kinds.server";
import { createAutomaticRules } from "~/services/automatic/automatic-rules.server";
import { createBounces } from "~/services/bounces/bounces.server";
import { requestAddressLink } from "~/services/confirmations/address-link.server";
import { createConfirmationKind } from "~/services/confirmations/confirmation-email.server";
import {
  createConfirmationTokens,
  type ConfirmationRequest,
} from "~/services/confirmations/confirmation-request.server";
import { createEmailChangedKind, EMAIL_CHANGE } from "~/services/email-changes/email-change-emails";
import { createEmailChanges } from "~/services/email-changes/email-changes.server";
import { INVITATION_EMAIL } from "~/services/invitations/invitation-email";
import { createInvitations } from "~/services/invitations/invitations.server";
import type { AutomaticEmail, ComposeOutreach } from "~/services/mail/email-parts";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import { PlatformMailer } from "~/services/mail/drivers/platform-mailer.server";
import { SmtpMailer } from "~/services/mail/drivers/smtp-mailer.server";
import type { Mailer } from "~/services/mail/mailer";
import { createOutbox } from "~/services/mail/outbox.server";
import { createTransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { createCampaignWorker } from "~/services/outreach/campaign-jobs.server";
import type { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import {
  createEmailPreviews,
  createTestEmail,
  createTestEmailKind,
} from "~/services/outreach/sample-email.server";
import { createOutreach } from "~/services/outreach/outreach.server";
import { createTemplates } from "~/services/outreach/templates.server";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { INCIDENT_EMAIL } from "~/services/resources/incidents.server";
import { createSuppressionList } from "~/services/suppressions/suppression-list.server";
import { createUnsubscribeTokens, createUnsubscribing } from "~/services/suppressions/suppressions.server";
import { createInviteLinks, TEST_CODE } from "~/services/waves/invite-links.server";
import { createInviteTokens, type InviteLink } from "~/services/waves/invite-tokens.server";
import { createJoins } from "~/services/waves/joins.server";
import { createPersonInvitations } from "~/services/waves/person-invitations.server";
import { waveReminderMessages } from "~/content/wave-reminders";
import { createWaveReminders } from "~/services/waves/wave-reminders.server";
import { createWaveResendKind, createWaveReminderKind } from "~/services/waves/wave-email.server";
import type { Foundation } from "./foundation.server";
import { createGmailMailer } from "./google.server";

/** Composes what all emails share: one rate and one daily allowance, and the queue of transactional emails. */
export function composeSending(foundation: Foundation, mailer: Mailer, allowance: DailyAllowance) {
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
    allowance,
    resendAfterCrash: environment.RESEND_AFTER_CRASH,
  };
  const confirmationTokens = createConfirmationTokens(secrets.form, secrets.previousForm);
  const toConfirmUrl = (request: ConfirmationRequest) =>
    origin + paths.confirmUpdates(confirmationTokens.createToken(request));
  const confirmation = createConfirmationKind({
    sender,
    compose: (email) => composeConfirmationEmail({ ...email, brandName: brand.name }),
    confirmUrl: toConfirmUrl,
  });
  const unsubscribeTokens = createUnsubscribeTokens(secrets.form, secrets.previousForm);
  const unsubscribeUrl = (emailId: string) =>
    origin + paths.unsubscribe(unsubscribeTokens.createToken(emailId));
  /** For previews and tests, whose links do nothing. */
  const deadUnsubscribeUrl = origin + paths.unsubscribe("preview");
  const inviteTokens = createInviteTokens(secrets.form, secrets.previousForm);
  const inviteUrl = (link: InviteLink) => origin + paths.invite(inviteTokens.createToken(link));
  const composeCampaign: ComposeOutreach = (content) =>
    composeOutreachEmails({
      ...content,
      postalAddress: environment.POSTAL_ADDRESS,
      brandName: brand.name,
    });
  const composeAutomatic = (email: AutomaticEmail) =>
    composeAutomaticEmail({
      ...email,
      postalAddress: environment.POSTAL_ADDRESS,
      brandName: brand.name,
    });
  const automaticKinds = createAutomaticKinds({
    database,
    sender,
    compose: composeAutomatic,
    unsubscribeUrl,
    async getConfirmUrl(recipient) {
      const request = await requestAddressLink({ database, clock, newId }, recipient);
      return request && toConfirmUrl(request);
    },
  });
  const emailKinds = {
    ...automaticKinds,
    confirmation,
    incident: INCIDENT_EMAIL,
    invitation: INVITATION_EMAIL,
    emailChange: EMAIL_CHANGE,
    emailChanged: createEmailChangedKind({
      sender,
      compose: (email) => composeEmailChangedEmail({ ...email, brandName: brand.name }),
    }),
    waveInvitation: createWaveResendKind({
      database,
      clock,
      sender,
      compose: composeCampaign,
      unsubscribeUrl,
      inviteUrl,
    }),
    waveReminder: createWaveReminderKind({
      database,
      clock,
      sender,
      compose: composeCampaign,
      unsubscribeUrl,
      inviteUrl,
      toTitle: waveReminderMessages.toTitle,
      inviteDays: environment.INVITE_DAYS,
    }),
    test: createTestEmailKind({ clock, newId }),
    api: createApiEmailKind({ clock, newId }),
    alert: createAlertKind({
      database,
      sender,
      compose: (email) => composeAlertEmail({ ...email, brandName: brand.name, urls: toAlertUrls(origin) }),
      requiresSecondFactor: environment.REQUIRE_2FA,
    }),
  };
  const emails = createTransactionalEmails({ ...queueOptions, kinds: Object.values(emailKinds) });
  return {
    queueOptions,
    sender,
    confirmationTokens,
    unsubscribeTokens,
    unsubscribeUrl,
    deadUnsubscribeUrl,
    inviteTokens,
    inviteUrl,
    composeCampaign,
    automaticKinds,
    composeAutomatic,
    emailKinds,
    emails,
  };
}

/** Composes what operators do with the emails that answer forms by themselves. */
export function composeAutomaticServices(
  { brand, database, clock, newId, origin }: Foundation,
  sending: Sending,
) {
  const { emails, emailKinds, automaticKinds, queueOptions, sender, composeAutomatic } = sending;
  const { deadUnsubscribeUrl } = sending;
  const automaticRules = createAutomaticRules({
    database,
    clock,
    newId,
    defaults: getAutomaticTexts(brand.name),
  });
  return {
    automaticRules,
    automaticEmails: createAutomaticEmails({
      database,
      clock,
      newId,
      rules: automaticRules,
      emails,
      kinds: automaticKinds,
      wake: emails.worker.wake,
      testKind: emailKinds.test,
      sender,
      mailDomain: queueOptions.mailDomain,
      compose: composeAutomatic,
      deadUnsubscribeUrl,
      deadConfirmUrl: origin + paths.confirmUpdates("preview"),
    }),
  };
}

const toAlertUrls = (origin: string) => ({
  inquiries: origin + paths.openInquiries,
  campaigns: origin + paths.campaigns,
  campaign: (id: string) => origin + paths.outreachCampaign(id),
  resources: origin + paths.resources,
  dashboard: origin + paths.dashboard,
  alerts: origin + paths.alerts,
});

/** Composes what operators are told about by email. */
export function composeAlerts(
  { environment, brand, database, clock, newId, log, origin }: Foundation,
  { emails, emailKinds, sender }: Sending,
) {
  return {
    alerts: createAlerts({
      database,
      clock,
      newId,
      emails,
      testKind: emailKinds.test,
      sender,
      composeTest: (email) =>
        composeAlertTestEmail({ ...email, brandName: brand.name, alertsUrl: origin + paths.alerts }),
    }),
    alertWorker: createAlertWorker({
      database,
      clock,
      log,
      emails,
      kind: emailKinds.alert,
      requiresSecondFactor: environment.REQUIRE_2FA,
    }),
    areIncidentsEmailed: environment.INCIDENT_MAILS,
  };
}

/** Composes the invitations of colleagues. */
export function composeInvitations(
  { brand, database, clock, newId, log, origin }: Foundation,
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
    log,
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
export function composeCampaigns(foundation: Foundation, sending: Sending) {
  const { environment, database, clock, newId, origin } = foundation;
  const { queueOptions, sender, emailKinds, emails, unsubscribeTokens: tokens, unsubscribeUrl } = sending;
  const { inviteUrl, deadUnsubscribeUrl, composeCampaign: compose } = sending;
  const { mailDomain, allowance } = queueOptions;
  const { POSTAL_ADDRESS: postalAddress, BOUNCE_WEBHOOK_SECRET: secret } = environment;
  const campaignWorker = createCampaignWorker({
    ...queueOptions,
    sender,
    compose,
    unsubscribeUrl,
    inviteUrl,
  });
  const deadInviteUrl = origin + paths.invite(TEST_CODE);
  const fields = getCampaignFields(environment.INVITE_URL !== undefined);
  return {
    campaignWorker,
    outreach: createOutreach({
      database,
      clock,
      newId,
      allowance,
      wake: campaignWorker.wake,
      holdMs: seconds(environment.MAIL_HOLD_SECONDS),
      fields,
      settings: {
        ratePerSecond: environment.MAIL_RATE_PER_SECOND,
        postalAddress,
        senderDomain: mailDomain,
        localOrigin: environment.MAIL_DRIVER !== "outbox" && !environment.ORIGIN ? origin : undefined,
      },
    }),
    campaignFields: fields,
    templates: createTemplates({ database, clock, newId }),
    emailPreviews: createEmailPreviews({
      database,
      sender,
      mailDomain,
      compose,
      deadUnsubscribeUrl,
      deadInviteUrl,
    }),
    sendTestEmail: createTestEmail({
      database,
      sender,
      mailDomain,
      compose,
      deadUnsubscribeUrl,
      deadInviteUrl,
      emails,
      kind: emailKinds.test,
    }),
    sendApiEmail: createSendApiEmail({ emails, sender, kind: emailKinds.api }),
    unsubscribing: createUnsubscribing({ database, clock, newId, tokens }),
    suppressions: createSuppressionList({ database, clock, newId }),
    bounces: secret === undefined ? undefined : createBounces({ database, clock, newId, secret }),
  };
}

/** Composes the invitations of people from the waiting list; nothing while they are off. */
export function composeWaves(
  { environment, database, clock, newId }: Foundation,
  { emails, emailKinds, inviteTokens: tokens }: Sending,
) {
  const { INVITE_URL: url, INVITE_DAYS: days, INVITE_BIND: isBound } = environment;
  if (url === undefined) return undefined;
  const settings = { url, days, isBound };
  return {
    settings,
    links: createInviteLinks({ database, clock, newId, tokens, settings }),
    joins: createJoins({ database, clock, newId, tokens, settings }),
    reminders: createWaveReminders({
      database,
      clock,
      emails,
      kind: emailKinds.waveReminder,
      wake: emails.worker.wake,
      inviteDays: days,
    }),
    ofPeople: createPersonInvitations({
      database,
      clock,
      newId,
      emails,
      kind: emailKinds.waveInvitation,
      wake: emails.worker.wake,
    }),
  };
}

/** Emails Gmail lets a personal account send in a day. */
const GMAIL_PER_DAY = 500;

/** Returns the emails allowed per day, from the environment or else by the driver; 0: no limit. */
export function getDailyEmailLimit({ MAIL_PER_DAY, MAIL_DRIVER }: Environment): number {
  return MAIL_PER_DAY ?? (MAIL_DRIVER === "gmail" ? GMAIL_PER_DAY : 0);
}

/** Creates the mail driver that the environment chooses, and the outbox, which may hold emails of an earlier choice. */
export async function composeMailer(
  { environment, database, disk, clock, newId }: Foundation,
  platform: PlatformClient | undefined,
) {
  const { MAIL_DRIVER, SMTP_URL, MAIL_CONCURRENCY } = environment;
  const folder = join(environment.DATA_DIR, "outbox");
  const outbox = createOutbox({ database, folder });
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
    return { mailer, outbox };
  }
  const { retryWhenFull } = disk;
  return { mailer: new OutboxMailer({ folder, rows: outbox, newId, now: clock, retryWhenFull }), outbox };
}
