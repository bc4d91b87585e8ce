import type { Selectable } from "kysely";
import type { Write } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import type { ConfirmationsTable } from "~/db/tables/outreach";
import type { ConfirmationEmail } from "~/services/mail/compose-transactional";
import type { EmailSending } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import { recoveredResult, skipped, toResult, type DeliveryResult } from "~/services/outreach/delivery-result";
import { selectSuppression, suppress, type Suppressible } from "~/services/suppressions/suppressions.server";
import { Backoff } from "~/services/queue/backoff";
import { isAttempted, type ClaimRequest, type Finished, type JobType } from "~/services/queue/job-type";
import { isDueAt } from "~/services/queue/leases.server";
import { createQueueWorker, type QueueOptions } from "~/services/queue/queue.server";
import type { Worker, WorkerOptions } from "~/services/queue/worker.server";
import { LINK_LIFETIME_MS, isExpired, type ConfirmationRequest } from "./confirmation-request.server";

const COLUMNS = [
  "id",
  "address",
  "email_key",
  "requested_at",
  "detail",
  "attempts",
  "resent_after_crash",
  "not_before",
  // The time of the claim.
  "updated_at",
] as const;
type Claimed = Pick<Selectable<ConfirmationsTable>, (typeof COLUMNS)[number]> & Suppressible;
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
  return createQueueWorker("the confirmation email", new ConfirmationJobs(options), options);
}

/** Runs confirmation emails as jobs, with the retry rules of outreach. Skips an email whose link expired. */
class ConfirmationJobs implements JobType<Claimed, Claimed, DeliveryResult, undefined> {
  readonly table = "confirmations";
  readonly columns = [...COLUMNS, selectSuppression("confirmations")];
  readonly order = "retries-first";
  readonly #options: ConfirmationEmailOptions;
  readonly #backoff = new Backoff();
  /** Epoch milliseconds; 0 while the mail server answers. */
  #waitsUntil = 0;

  constructor(options: ConfirmationEmailOptions) {
    this.#options = options;
  }

  async hasDue(now: number): Promise<boolean> {
    if (now < this.#waitsUntil) return false;
    return hasRows(this.#options.database.read.selectFrom(this.table).where(isDueAt(now)));
  }

  async settle(trx: Write, finished: readonly FinishedEmail[], now: number): Promise<undefined> {
    const { allowance, newId } = this.#options;
    const untried = finished.filter((one) => !isAttempted(one));
    const countedAt = untried.map(({ row }) => row.updated_at);
    await allowance.refund(trx, countedAt);
    const refused = finished
      .filter(({ result }) => result.suppress)
      .map(({ row, result }) => ({ address: row.address, detail: result.detail, deliveryId: null }));
    await suppress(trx, newId, "refused", refused, now);
    this.#updateBackoff(finished, now);
  }

  async claim(
    trx: Write,
    _due: undefined,
    { claimJobs, limit, now }: ClaimRequest<Claimed>,
  ): Promise<readonly Claimed[]> {
    if (limit === 0 || now < this.#waitsUntil) return [];
    const rows = await claimJobs(isDueAt(now), limit);
    await this.#options.allowance.consume(trx, rows.length, now);
    return rows;
  }

  withhold(row: Claimed, now: number): DeliveryResult | undefined {
    // A new signup asks for emails again, so an unsubscription does not block it; every other suppression does.
    if (row.suppression && row.suppression !== "unsubscribed") return skipped(row, "suppressed");
    return isExpired(row, now) ? skipped(row, "expired") : undefined;
  }

  async deliver(row: Claimed): Promise<DeliveryResult> {
    const { compose, confirmUrl, mailer, mailDomain, sender, clock } = this.#options;
    const email = compose({
      address: row.address,
      sender,
      messageId: getMessageId(row, mailDomain),
      confirmUrl: confirmUrl(row),
      validForMs: LINK_LIFETIME_MS,
    });
    return toResult(row, await mailer.send(email), clock());
  }

  recover(rows: readonly Claimed[]): Promise<FinishedEmail[]> {
    const { mailer, clock, mailDomain, resendAfterCrash: mayResend } = this.#options;
    return Promise.all(
      rows.map(async (row) => {
        const known = await mailer.knows(getMessageId(row, mailDomain));
        return { row, result: recoveredResult(row, { known, mayResend, now: clock() }) };
      }),
    );
  }

  /** Backs off while the mail server is unreachable or rejects our login. */
  #updateBackoff(finished: readonly FinishedEmail[], now: number): void {
    const { log } = this.#options;
    const responses = finished.flatMap(({ result }) => (result.server ? [result.server] : []));
    const problem = responses.find((one) => typeof one === "object");
    if (problem) {
      if (this.#waitsUntil === 0) log.error(problem, "confirmation emails wait for the mail server");
      this.#waitsUntil = this.#backoff.getRetryTime(this.table, now);
    } else if (responses.length > 0 && this.#waitsUntil > 0 && now >= this.#waitsUntil) {
      // The answer to an email sent before the outage does not end the wait.
      this.#backoff.reset(this.table, now);
      this.#waitsUntil = 0;
      log.info({}, "confirmation emails are sent again");
    }
  }
}

/** Returns the Message-ID: the same for each attempt of an email, a new one for the next email to the address. */
function getMessageId({ id, requested_at }: ConfirmationRequest, mailDomain: string): string {
  return `<${id}.${requested_at.toString(36)}@${mailDomain}>`;
}
