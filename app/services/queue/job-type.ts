import type { AliasedRawBuilder, RawBuilder } from "kysely";
import type { Write } from "~/db/database.server";

const LONGEST_DETAIL = 500;

/** Whether due retries or first tries are claimed first; the index of what is due has the same order. */
export type ClaimOrder = "retries-first" | "first-tries-first";

/** Claims up to `limit` jobs for which `where` holds. */
export type ClaimJobs<Row> = (where: RawBuilder<boolean>, limit: number) => Promise<readonly Row[]>;

/** What the rules of retries know of a job. */
export interface JobAttempts {
  /** Attempts that the other side answered, or may have. */
  readonly attempts: number;
  readonly not_before: number;
  readonly detail: string;
}

/** What the engine reads of a claimed job. */
export interface ClaimedJob extends JobAttempts {
  readonly id: string;
}

/** How a job leaves `claimed`. */
export interface JobResult {
  /** "pending" and "retrying" are claimed again at `notBefore`; every other state is final. */
  readonly state: string;
  /** Why, in the other side's words. */
  readonly detail: string;
  readonly attempts: number;
  readonly notBefore: number;
  /** The job may have been delivered, and is delivered again because a crash hid that. */
  readonly isResend?: true;
}

export interface Finished<Job, Result> {
  readonly row: Job;
  readonly result: Result;
}

/**
 * What differs between queues; the engine (queue.server.ts) does the rest.
 * @typeParam Row a job as its claim returns it: `columns` of `table`.
 * @typeParam Job the same with what its delivery needs.
 * @typeParam Due what there is to claim from, as known after the results were recorded.
 */
export interface JobType<Row extends ClaimedJob, Job extends Row, Result extends JobResult, Due> {
  /** Has the columns of a queue (leases.server.ts) and a partial index each for what is due and what is claimed. */
  readonly table: string;
  /** Columns and expressions of a claimed row. */
  readonly columns: readonly (string | AliasedRawBuilder<unknown, string>)[];
  readonly order: ClaimOrder;
  /** Whether a claim may find something. Read before each write, so that an idle queue writes nothing. */
  hasDue(now: number): Promise<boolean>;
  /** Records what results mean beyond their own rows, in the transaction that records these. May run again. */
  settle(trx: Write, finished: readonly Finished<Job, Result | EngineResult>[], now: number): Promise<Due>;
  /** Claims up to `limit` jobs in the same transaction, and loads what their delivery needs. */
  claim(
    trx: Write,
    due: Due,
    by: { readonly claimJobs: ClaimJobs<Row>; readonly limit: number; readonly now: number },
  ): Promise<readonly Job[]>;
  /** Returns the result of a claimed job that must not be delivered; undefined when it may. */
  withhold(job: Job, now: number): Result | undefined;
  /** Delivers one job. A throw fails this job alone, for good (hardening R28). */
  deliver(job: Job): Promise<Result>;
  /** Returns the results of jobs whose instance died while they were claimed: they may have been delivered. */
  recover(rows: readonly Row[]): Promise<readonly Finished<Row, Result>[]>;
  /** Does one piece of other work between two claims. @returns whether there is more of it. */
  advance?(due: Due): Promise<boolean>;
}

/** Returns a job to its queue as if it had never been claimed. */
export function requeue(job: JobAttempts) {
  const state = job.attempts > 0 ? "retrying" : "pending";
  return { state, detail: job.detail, attempts: job.attempts, notBefore: job.not_before } as const;
}

/** The result of a job that cannot even be handed over. */
export function permanentFailure(job: ClaimedJob, error: unknown) {
  const detail = toPlainText(error instanceof Error ? error.message : String(error));
  return { state: "failed", detail, attempts: job.attempts + 1, notBefore: job.not_before } as const;
}

/** What the engine itself makes of a job, whatever its type: a type's own results have these states too. */
export type EngineResult = ReturnType<typeof requeue> | ReturnType<typeof permanentFailure>;

/** Whether the other side answered the attempt, or may have. */
export function isAttempted({ row, result }: Finished<JobAttempts, JobResult>): boolean {
  return result.attempts > row.attempts;
}

/** One line that any database takes, whatever a server wrote. */
export function toPlainText(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, LONGEST_DETAIL)
    .toWellFormed();
}
