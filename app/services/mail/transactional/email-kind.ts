import type { Selectable } from "kysely";
import type { ZodType } from "zod";
import type { Write } from "~/db/database.server";
import type { TransactionalClass, TransactionalEmailsTable } from "~/db/tables/transactional-emails";
import { days } from "~/lib/durations";
import type { JobResult } from "~/services/queue/job-type";
import type { SuppressionReason } from "~/services/suppressions/suppression-reasons";
import type { SkipReason } from "../delivery/delivery-result";
import type { Email } from "../mailer";

/** A row, with its kind's data as an object. */
export type TransactionalEmailRow<Data> = Omit<Selectable<TransactionalEmailsTable>, "data"> & {
  readonly data: Data;
};

/** Retention of emails that stay as long as the database, as those whose links to unsubscribe name their row. */
export const FOR_GOOD_MS = days(36_500);

/** Returns whether an email has waited too long, for the daily allowance or a mail server: it is skipped as "too-late". */
export const isTooLate = (
  { late_at }: Pick<Selectable<TransactionalEmailsTable>, "late_at">,
  now: number,
): boolean => late_at !== null && late_at <= now;

/**
 * Defines one kind of transactional email. Everything else, as retries, rate, daily allowance, suppression and
 * recovery, is the same for all (transactional-jobs.server.ts).
 */
export interface EmailKind<Data> {
  readonly name: TransactionalEmailsTable["kind"];
  /** How the log calls several of them. */
  readonly plural: string;
  /**
   * - always: somebody waits for it. It is sent when the daily allowance is used up, too, and counts.
   * - automatic: nobody waits for it. It waits for the next day's allowance, up to three days, and is then skipped.
   */
  readonly allowanceClass: TransactionalClass;
  /** What a row stores for this kind. */
  readonly data: ZodType<Data>;
  /** What makes an email unique: a second one with the same key is not sent, unless the first was skipped. Undefined: nothing does. */
  getKey(data: Data): string | undefined;
  /** Time after which finished emails are deleted and their keys name other emails. */
  readonly retentionMs: number;
  /** Suppression reasons in spite of which it is sent; left out: none. */
  readonly ignores?: readonly SuppressionReason[];
  /**
   * What the worker does for it; left out for a kind that is only sent at once, by `send`. Such an email has one
   * attempt, and none after a crash.
   */
  readonly queued?: {
    /** Finds the claimed emails that must not be sent any more, with the reasons by id; in the claim's transaction. */
    listSkipped(
      trx: Write,
      emails: readonly TransactionalEmailRow<Data>[],
      now: number,
    ): Promise<ReadonlyMap<string, SkipReason>>;
    /**
     * Composes the email at each attempt, from the database if it has to. A throw fails this one; where the database
     * was away, it is tried again later.
     */
    compose(email: TransactionalEmailRow<Data>): Email | Promise<Email>;
  };
  /** Records the end of an email, in the transaction of its result; of one that `send` refuses for its rate it is not called. */
  recordEnd?(trx: Write, email: TransactionalEmailRow<Data>, result: JobResult): Promise<void>;
}
