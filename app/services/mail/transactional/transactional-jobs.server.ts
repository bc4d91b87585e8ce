import { sql, type Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import type { TransactionalClass, TransactionalEmailsTable } from "~/db/tables/transactional-emails";
import { getErrorMessage } from "~/lib/error-message";
import { isDatabaseUnavailable } from "~/lib/is-database-unavailable";
import { parseJson } from "~/lib/parse-json";
import {
  retryLater,
  toDetail,
  type ClaimRequest,
  type Finished,
  type JobType,
} from "~/services/queue/job-type";
import { IS_DUE, isDueAt } from "~/services/queue/leases.server";
import type { QueueOptions } from "~/services/queue/queue.server";
import type { WorkerOptions } from "~/services/queue/worker.server";
import { selectSuppression, type Suppressible } from "~/services/suppressions/suppressions.server";
import { Backoff, isRetryAhead } from "../delivery/backoff";
import {
  RETRY_DELAYS,
  skipped,
  toResult,
  type DeliveryResult,
  type SkipReason,
} from "../delivery/delivery-result";
import { recoverEmails, refundUntried, suppressRefused } from "../delivery/settle.server";
import type { EmailSending } from "../email-sending";
import type { Email } from "../mailer";
import { isTooLate, type EmailKind, type TransactionalEmailRow } from "./email-kind";

export const TABLE = "transactional_emails";

type Row = Selectable<TransactionalEmailsTable>;
/** `updated_at` is the time of the claim. */
export type ClaimedEmail = Row & Suppressible;

/** An email that is claimed, with the reason why it must not be sent, if there is one. */
interface EmailJob extends ClaimedEmail {
  readonly skip?: SkipReason | undefined;
}

type FinishedEmail = Finished<Row, DeliveryResult>;

export interface TransactionalSending extends QueueOptions, WorkerOptions, EmailSending {
  readonly kinds: readonly EmailKind<unknown>[];
}

/** Creates the function that finds an email's kind and reads its data; undefined when they cannot be read. */
function createKindReader(kinds: readonly EmailKind<unknown>[]) {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  return (row: Row): { kind: EmailKind<unknown>; email: TransactionalEmailRow<unknown> } | undefined => {
    const kind = byName.get(row.kind);
    const data = kind?.data.safeParse(parseJson(row.data));
    return kind && data?.success ? { kind, email: { ...row, data: data.data } } : undefined;
  };
}

/** Matches emails of a class that may be claimed now. Literal, so that SQLite does not plan the claim at every run. */
const isDue = (emailClass: TransactionalClass, now: number) =>
  sql<boolean>`allowance_class = ${sql.lit(emailClass)} and ${isDueAt(now)}`;

/** Matches emails that waited too long. */
const isLate = (now: number) => sql<boolean>`${IS_DUE} and late_at <= ${now}`;

const hasEmails = (read: Read, where: ReturnType<typeof isLate>) =>
  hasRows(read.selectFrom(TABLE).where(where));

/**
 * Runs transactional emails as jobs: within the rate, with the retries of all emails. Those that are always sent go
 * beyond the daily allowance; the automatic ones wait for it after them.
 */
export function createTransactionalJobs(
  options: TransactionalSending,
): JobType<ClaimedEmail, EmailJob, DeliveryResult, undefined> {
  const { database, clock, newId, log, allowance, kinds, mailer } = options;
  const read = createKindReader(kinds);
  const getQueued = (row: Row) => read(row)?.kind.queued;
  const backoff = new Backoff();
  /** Epoch milliseconds; 0 while the mail server answers. */
  let waitsUntil = 0;
  /** How the log calls the emails that wait. */
  let waiting = "";

  return {
    table: TABLE,
    computed: selectSuppression(TABLE),
    order: "retries-first",

    async hasDue(now) {
      if (isRetryAhead(waitsUntil, now)) return false;
      if (await hasEmails(database.read, isDue("always", now))) return true;
      if (!(await hasEmails(database.read, isDue("automatic", now)))) return false;
      const isUsedUp = await allowance.isUsedUp(database.read, now);
      return !isUsedUp || hasEmails(database.read, isLate(now));
    },

    async settle(trx, finished: readonly FinishedEmail[], now) {
      await refundUntried(trx, allowance, finished);
      const emails = finished.map(({ row, result }) => ({
        row: { address: row.address, deliveryId: null },
        result,
      }));
      await suppressRefused(trx, { newId, now }, emails);
      await recordEnds(trx, finished);
      updateBackoff(finished, now);
      return undefined;
    },

    async claim(trx, _due, request) {
      const { claimJobs, limit, now } = request;
      if (limit === 0 || isRetryAhead(waitsUntil, now)) return [];
      const always = await claimJobs(isDue("always", now), limit);
      await allowance.consume(trx, always.length, now);
      const automatic = await claimAutomatic(trx, { ...request, limit: limit - always.length });
      return toJobs(trx, [...always, ...automatic], now);
    },

    withhold(job, now) {
      // The kind's own reason says more.
      if (job.skip) return skipped(job.skip);
      const ignores = read(job)?.kind.ignores ?? [];
      if (job.suppression && !ignores.includes(job.suppression)) return skipped("suppressed");
      return isTooLate(job, now) ? skipped("too-late") : undefined;
    },

    async deliver(job) {
      const found = read(job);
      if (!found?.kind.queued) throw new Error("The email's data cannot be read");
      let email: Email;
      try {
        email = await found.kind.queued.compose(found.email);
      } catch (err) {
        if (!isDatabaseUnavailable(err)) throw err;
        const detail = toDetail(getErrorMessage(err));
        const later = retryLater(job, RETRY_DELAYS, { detail, now: clock(), requestedMs: undefined });
        return { ...later, isUntried: true };
      }
      return toResult(job, await mailer.send(email), clock());
    },

    async recover(rows) {
      const mayResend = (row: Row) => options.resendAfterCrash && getQueued(row) !== undefined;
      const recovered = await recoverEmails(rows, { mailer, mayResend, now: clock() });
      // An email that was only sent at once has no second attempt: whoever asked for it may ask again.
      return recovered.map(({ row, result }) => {
        const isOver = result.state === "retrying" && !getQueued(row);
        return { row, result: isOver ? skipped("interrupted") : result };
      });
    },

    settleRecovered: (trx, recovered) => recordEnds(trx, recovered),
  };

  /** Claims automatic emails within what remains of the allowance, and those that are skipped as too late. */
  async function claimAutomatic(
    trx: Write,
    { claimJobs, limit, now }: ClaimRequest<ClaimedEmail>,
  ): Promise<ClaimedEmail[]> {
    // Locks the day only when there is something to claim.
    if (limit === 0 || !(await hasEmails(trx, isDue("automatic", now)))) return [];
    const allowed = Math.min(limit, await allowance.remaining(trx, "automatic", now));
    // By id: for the order of the claim SQLite would read every one that waits.
    const late = trx.selectFrom(TABLE).select("id").where(isLate(now)).orderBy("late_at").limit(limit);
    const rows = [...(await claimJobs(sql<boolean>`${IS_DUE} and id in (${late})`, limit))];
    const wanted = Math.min(allowed, limit - rows.length);
    if (wanted > 0) rows.push(...(await claimJobs(isDue("automatic", now), wanted)));
    // Those that are too late are refunded as all that is not attempted.
    await allowance.consume(trx, rows.length, now);
    return rows;
  }

  /** Returns claimed emails as jobs: with their Message-ID, and why they must not be sent any more. */
  async function toJobs(trx: Write, rows: readonly ClaimedEmail[], now: number): Promise<EmailJob[]> {
    const readable = rows.flatMap((row) => read(row) ?? []);
    const skips = new Map<string, SkipReason>();
    for (const [kind, found] of Map.groupBy(readable, (one) => one.kind)) {
      const emails = found.map(({ email }) => email);
      for (const [id, reason] of (await kind.queued?.listSkipped(trx, emails, now)) ?? []) {
        skips.set(id, reason);
      }
    }
    return rows.map((row) => ({
      ...row,
      // Empty in rows of an earlier version (migration 0009).
      message_id: row.message_id || `<${row.id}@${options.mailDomain}>`,
      skip: skips.get(row.id),
    }));
  }

  async function recordEnds(trx: Write, finished: readonly FinishedEmail[]): Promise<void> {
    for (const { row, result } of finished) {
      if (result.state === "pending" || result.state === "retrying") continue;
      const found = read(row);
      await found?.kind.recordEnd?.(trx, found.email, result);
    }
  }

  /** Backs off while the mail server is unreachable or rejects our login. */
  function updateBackoff(finished: readonly FinishedEmail[], now: number): void {
    // Emails of kinds that are sent at once tell whoever sends them, and wait for nothing.
    const attempts = finished.flatMap(({ row, result }) => {
      const kind = read(row)?.kind;
      return kind?.queued && result.server ? [{ plural: kind.plural, server: result.server }] : [];
    });
    // An object says why the server could not be reached, or that it rejects our login.
    const [failed] = attempts.flatMap(({ plural, server }) =>
      typeof server === "object" ? [{ plural, server }] : [],
    );
    if (failed) {
      waiting = failed.plural;
      if (waitsUntil === 0) log.error(failed.server, `${waiting} wait for the mail server`);
      waitsUntil = backoff.getRetryTime(TABLE, now);
    } else if (attempts.length > 0 && waitsUntil > 0 && !isRetryAhead(waitsUntil, now)) {
      // The answer to an email sent before the outage does not end the wait.
      backoff.reset(TABLE, now);
      waitsUntil = 0;
      log.info({}, `${waiting} are sent again`);
    }
  }
}
