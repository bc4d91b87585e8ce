import { getAutomaticTexts } from "~/content/automatic-texts";
import { composeAutomaticEmail } from "~/emails/compose";
import { hours, minutes } from "~/lib/durations";
import { paths } from "~/paths";
import { createAutomaticKinds } from "~/services/automatic/automatic-kinds.server";
import { createAutomaticQueue } from "~/services/automatic/automatic-queue.server";
import { createAutomaticRules } from "~/services/automatic/automatic-rules.server";
import { requestAddressLink } from "~/services/confirmations/address-link.server";
import { createConfirmationTokens } from "~/services/confirmations/confirmation-request.server";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import type { Mailer } from "~/services/mail/mailer";
import { createTransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { createUnsubscribeTokens } from "~/services/suppressions/suppressions.server";
import { onDay, type PastEvent, type PastTools } from "./past";

/** Days since somebody turned the rules on. */
const ON_SINCE = 14;
const SEND_EVERY_MS = hours(3);

/** Contacts nobody. */
const mailer: Mailer = {
  name: "seed",
  send: async () => ({ kind: "accepted", detail: "250 2.0.0 Queued." }),
  knows: async () => undefined,
  close: async () => undefined,
};

/**
 * Seeds automatic emails: thank-you and receipt were turned on two weeks ago and answer the forms since; the welcome is off.
 * @returns the queue for the forms, and what happens besides.
 */
export function createAutomaticEvents(tools: PastTools, origin: string) {
  const { brand, now, operator, secrets } = tools;
  const unsubscribeTokens = createUnsubscribeTokens(secrets.form);
  const confirmationTokens = createConfirmationTokens(secrets.form);
  const kinds = createAutomaticKinds({
    ...tools,
    sender: { name: brand.senderLabel, address: "hello@example.com" },
    compose: (email) => composeAutomaticEmail({ ...email, brandName: brand.name }),
    unsubscribeUrl: (id) => origin + paths.unsubscribe(unsubscribeTokens.createToken(id)),
    async getConfirmUrl(recipient) {
      const request = await requestAddressLink(tools, recipient);
      return request && origin + paths.confirmUpdates(confirmationTokens.createToken(request));
    },
  });
  const emails = createTransactionalEmails({
    ...tools,
    kinds: Object.values(kinds),
    mailer,
    concurrency: 20,
    allowance: new DailyAllowance(0),
    mailDomain: "example.com",
    rate: new TokenBucket(0, now),
    resendAfterCrash: false,
  });
  const rules = createAutomaticRules({ ...tools, defaults: getAutomaticTexts(brand.name) });
  const since = onDay(now, ON_SINCE);
  const sendings = Array.from({ length: Math.floor((now - since) / SEND_EVERY_MS) }, (_, index) => ({
    at: since + (index + 1) * SEND_EVERY_MS,
    do: () => emails.worker.tick(),
  }));
  const events: PastEvent[] = [
    { at: since, do: () => rules.turn("thank-you", true, operator()) },
    { at: since + minutes(2), do: () => rules.turn("receipt", true, operator()) },
    ...sendings,
    // Nothing is left to send.
    { at: now - minutes(2), do: () => emails.worker.tick() },
  ];
  return { queue: createAutomaticQueue({ emails, kinds }), events };
}
