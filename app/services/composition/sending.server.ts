import { join } from "node:path";
import { brand } from "~/content/brand";
import type { Environment } from "~/env.server";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import { createSendApiEmail } from "~/services/api-email/send-api-email.server";
import { createBounces } from "~/services/bounces/bounces.server";
import type { Idempotency } from "~/services/idempotency/idempotency.server";
import { composeOutreachEmail, type OutreachEmail } from "~/services/mail/compose";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import { PlatformMailer } from "~/services/mail/drivers/platform-mailer.server";
import { SmtpMailer } from "~/services/mail/drivers/smtp-mailer.server";
import type { Mailer } from "~/services/mail/mailer";
import { createOutbox } from "~/services/mail/outbox.server";
import { createCampaignWorker } from "~/services/outreach/campaign-jobs.server";
import { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import { createEmailPreviews, createTestEmail } from "~/services/outreach/sample-email.server";
import { createOutreach } from "~/services/outreach/outreach.server";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { createSuppressionList } from "~/services/suppressions/suppression-list.server";
import { createUnsubscribeTokens, createUnsubscribing } from "~/services/suppressions/suppressions.server";
import type { Foundation } from "./foundation.server";
import { createGmailMailer } from "./google.server";

/** Composes what all emails share: one rate and one daily allowance for all of them. */
export function composeSending(foundation: Foundation, mailer: Mailer) {
  const { environment, clock } = foundation;
  return {
    ...foundation,
    mailer,
    sender: { name: brand.senderLabel, address: environment.MAIL_FROM },
    mailDomain: environment.MAIL_FROM.split("@")[1] ?? "localhost",
    concurrency: environment.MAIL_CONCURRENCY,
    rate: new TokenBucket(environment.MAIL_RATE_PER_SECOND, clock()),
    allowance: new DailyAllowance(getDailyEmailLimit(environment)),
    resendAfterCrash: environment.RESEND_AFTER_CRASH,
  };
}

export type Sending = ReturnType<typeof composeSending>;

/** Composes campaigns, emails from programs, and suppressions. */
export function composeOutreach(sending: Sending, idempotency: Idempotency) {
  const { environment, origin, secrets } = sending;
  const { POSTAL_ADDRESS: postalAddress, BOUNCE_WEBHOOK_SECRET: secret } = environment;
  const compose = (email: OutreachEmail) => composeOutreachEmail({ ...email, postalAddress });
  const tokens = createUnsubscribeTokens(secrets.form, secrets.previousForm);
  const dispatcher = createCampaignWorker({
    ...sending,
    compose,
    unsubscribeUrl: (deliveryId) => origin + paths.unsubscribe(tokens.createToken(deliveryId)),
  });
  const deadUnsubscribeUrl = origin + paths.unsubscribe("preview");
  return {
    dispatcher,
    outreach: createOutreach({
      ...sending,
      wake: dispatcher.wake,
      holdMs: seconds(environment.MAIL_HOLD_SECONDS),
      settings: {
        ratePerSecond: environment.MAIL_RATE_PER_SECOND,
        postalAddress,
        localOrigin: environment.MAIL_DRIVER !== "outbox" && !environment.ORIGIN ? origin : undefined,
      },
    }),
    emailPreviews: createEmailPreviews({ ...sending, compose, deadUnsubscribeUrl }),
    sendTestEmail: createTestEmail({ ...sending, compose, deadUnsubscribeUrl }),
    sendApiEmail: createSendApiEmail({ ...sending, idempotency }),
    unsubscribing: createUnsubscribing({ ...sending, tokens }),
    suppressions: createSuppressionList(sending),
    bounces: secret === undefined ? undefined : createBounces({ ...sending, secret }),
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
