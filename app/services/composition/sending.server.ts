import { brand } from "~/brand";
import type { Environment } from "~/env.server";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import { createSendApiMail } from "~/services/api-mail/send-api-mail.server";
import { createBounces } from "~/services/bounces/bounces.server";
import type { Idempotency } from "~/services/idempotency/idempotency.server";
import { composeOutreachMail } from "~/services/mail/compose";
import type { OutreachMail } from "~/services/mail/compose";
import { composeApiMail } from "~/services/mail/compose-api-mail";
import type { Mailer } from "~/services/mail/mailer";
import { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import { createDispatcher } from "~/services/outreach/dispatcher.server";
import { createMailPreviews } from "~/services/outreach/mail-preview.server";
import { createOutreach } from "~/services/outreach/outreach.server";
import { createTestMail } from "~/services/outreach/test-mail.server";
import { TokenBucket } from "~/services/outreach/token-bucket";
import type { Secrets } from "~/services/secrets/secrets.server";
import { createSuppressionList } from "~/services/suppressions/suppression-list.server";
import { createUnsubscribeTokens } from "~/services/suppressions/unsubscribe-tokens.server";
import { createUnsubscribing } from "~/services/suppressions/unsubscribing.server";
import type { Basics } from "./basics";
import { mailsPerDay } from "./mail.server";
import { getInstanceName } from "./instance-name";

/** How mails leave here, whatever they say: one rate and one allowance for all of them. */
export function sendingFor(environment: Environment, has: Basics & { mailer: Mailer }) {
  const { database, mailer, clock, leaseTime, newId, log } = has;
  return {
    ...{ database, mailer, clock, leaseTime, newId, log },
    sender: { name: brand.senderLabel, address: environment.MAIL_FROM },
    mailDomain: environment.MAIL_FROM.split("@")[1] ?? "localhost",
    instance: getInstanceName(environment),
    concurrency: environment.MAIL_CONCURRENCY,
    rate: new TokenBucket(environment.MAIL_RATE_PER_SECOND, clock()),
    allowance: new DailyAllowance(mailsPerDay(environment)),
    resendAfterCrash: environment.RESEND_AFTER_CRASH,
  };
}

export type Sending = ReturnType<typeof sendingFor>;

/** Mails to groups and from programs, and who gets none any more. */
export function outreachFor(
  environment: Environment,
  has: { sending: Sending; idempotency: Idempotency; secrets: Secrets; origin: string },
) {
  const { sending, idempotency, origin } = has;
  const { database, clock, newId, allowance } = sending;
  const postalAddress = environment.POSTAL_ADDRESS;
  const compose = (mail: OutreachMail) => composeOutreachMail({ ...mail, postalAddress });
  const tokens = createUnsubscribeTokens(has.secrets.form);
  const dispatcher = createDispatcher({
    ...{ ...sending, compose },
    unsubscribeUrl: (deliveryId) => origin + paths.unsubscribe(tokens.tokenFor(deliveryId)),
  });
  const deadUnsubscribeUrl = origin + paths.unsubscribe("preview");
  const secret = environment.BOUNCE_WEBHOOK_SECRET;
  return {
    dispatcher,
    outreach: createOutreach({
      ...{ database, clock, newId, allowance, wake: dispatcher.wake },
      holdMs: seconds(environment.MAIL_HOLD_SECONDS),
      settings: {
        ratePerSecond: environment.MAIL_RATE_PER_SECOND,
        postalAddress,
        localOrigin: environment.MAIL_DRIVER !== "outbox" && !environment.ORIGIN ? origin : undefined,
      },
    }),
    mailPreviews: createMailPreviews({
      ...{ ...sending, compose },
      deadUnsubscribeUrl,
    }),
    sendTestMail: createTestMail({ ...sending, compose, deadUnsubscribeUrl }),
    sendApiMail: createSendApiMail({ ...sending, idempotency, compose: composeApiMail }),
    unsubscribing: createUnsubscribing({ database, tokens, clock, newId }),
    suppressions: createSuppressionList({ database, clock, newId }),
    bounces: secret === undefined ? undefined : createBounces({ database, clock, newId, secret }),
  };
}
