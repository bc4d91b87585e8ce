import type { Selectable } from "kysely";
import { hasRows } from "~/db/rows";
import type { ConfirmationsTable } from "~/db/tables/outreach";
import type { ConfirmationEmail } from "~/services/mail/compose-transactional";
import type { EmailSending } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import { recoveredResult, skipped, toResult, type DeliveryResult } from "~/services/outreach/delivery-result";
import { selectSuppression, suppress, type Suppressible } from "~/services/suppressions/suppressions.server";
import { Backoff } from "~/services/queue/backoff";
import type { Finished, JobType } from "~/services/queue/job-type";
import { isDueAt } from "~/services/queue/leases.server";
import { createQueueWorker, type QueueOptions } from "~/services/queue/queue.server";
import type { Worker, WorkerOptions } from "~/services/queue/worker.server";
import { LINK_LIFETIME_MS, isExpired, type ConfirmationRequest } from "./confirmation-request.server";

/** `updated_at` is the time of the claim. */
type Claimed = Selectable<ConfirmationsTable> & Suppressible;
type FinishedEmail = Finished<Claimed, DeliveryResult>;

export interface ConfirmationEmailOptions extends QueueOptions, WorkerOptions, EmailSending {
  /** A throw fails this one delivery. */
  readonly compose: (parts: ConfirmationEmail) => Email;
  /** Absolute URL of the confirmation page. */
  readonly confirmUrl: (request: ConfirmationRequest) => string;
  /**
   * Resends an email that may have been sent before a crash. Otherwise it stays uncertain, and its
   * reader can request another one after an hour.
   */
  readonly resendAfterCrash: boolean;
}

/** Creates the worker that sends confirmation emails until it is stopped. */
export function createConfirmationEmails(options: ConfirmationEmailOptions): Worker {
  return createQueueWorker("the confirmation email", createConfirmationJobs(options), options);
}

/** Runs confirmation emails as jobs, with the retry rules of outreach. Skips an email whose link expired. */
function createConfirmationJobs(
  options: ConfirmationEmailOptions,
): JobType<Claimed, Claimed, DeliveryResult, undefined> {
  const { database, clock, newId, log, allowance, compose, confirmUrl, mailer, mailDomain, sender } = options;
  const table = "confirmations";
  const backoff = new Backoff();
  /** Epoch milliseconds; 0 while the mail server answers. */
  let waitsUntil = 0;

  return {
    table,
    computed: selectSuppression(table),
    order: "retries-first",

    async hasDue(now) {
      return now >= waitsUntil && hasRows(database.read.selectFrom(table).where(isDueAt(now)));
    },

    async settle(trx, finished: readonly FinishedEmail[], now) {
      const untried = finished.filter(({ result }) => result.isUntried);
      const countedAt = untried.map(({ row }) => row.updated_at);
      await allowance.refund(trx, countedAt);
      const refused = finished
        .filter(({ result }) => result.suppress)
        .map(({ row, result }) => ({ address: row.address, detail: result.detail, deliveryId: null }));
      await suppress(trx, newId, "refused", refused, now);
      updateBackoff(finished, now);
      return undefined;
    },

    async claim(trx, _due, { claimJobs, limit, now }) {
      if (limit === 0 || now < waitsUntil) return [];
      const rows = await claimJobs(isDueAt(now), limit);
      await allowance.consume(trx, rows.length, now);
      return rows;
    },

    withhold(row, now) {
      // A new signup asks for emails again, so an unsubscription does not block it; every other suppression does.
      if (row.suppression && row.suppression !== "unsubscribed") return skipped("suppressed");
      return isExpired(row, now) ? skipped("expired") : undefined;
    },

    async deliver(row) {
      const email = compose({
        address: row.address,
        sender,
        messageId: getMessageId(row, mailDomain),
        confirmUrl: confirmUrl(row),
        validForMs: LINK_LIFETIME_MS,
      });
      return toResult(row, await mailer.send(email), clock());
    },

    recover: (rows) =>
      Promise.all(
        rows.map(async (row) => {
          const known = await mailer.knows(getMessageId(row, mailDomain));
          const mayResend = options.resendAfterCrash;
          return { row, result: recoveredResult(row, { known, mayResend, now: clock() }) };
        }),
      ),
  };

  /** Backs off while the mail server is unreachable or rejects our login. */
  function updateBackoff(finished: readonly FinishedEmail[], now: number): void {
    const responses = finished.flatMap(({ result }) => (result.server ? [result.server] : []));
    const problem = responses.find((one) => typeof one === "object");
    if (problem) {
      if (waitsUntil === 0) log.error(problem, "confirmation emails wait for the mail server");
      waitsUntil = backoff.getRetryTime(table, now);
    } else if (responses.length > 0 && waitsUntil > 0 && now >= waitsUntil) {
      // The answer to an email sent before the outage does not end the wait.
      backoff.reset(table, now);
      waitsUntil = 0;
      log.info({}, "confirmation emails are sent again");
    }
  }
}

/** Returns the Message-ID: the same for each attempt of an email, a new one for the next email to the address. */
function getMessageId({ id, requested_at }: ConfirmationRequest, mailDomain: string): string {
  return `<${id}.${requested_at.toString(36)}@${mailDomain}>`;
}
