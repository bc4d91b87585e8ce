import type { AliasedRawBuilder, RawBuilder } from "kysely";
import type { Write } from "~/db/database.server";
import { hours } from "~/lib/durations";
import { getErrorMessage } from "~/lib/error-message";

const MAX_DETAIL_LENGTH = 500;

/** How to claim jobs, and how many. */
export interface ClaimRequest<Row> {
  /** Claims up to `limit` jobs for which `where` holds. */
  readonly claimJobs: (where: RawBuilder<boolean>, limit: number) => Promise<readonly Row[]>;
  readonly limit: number;
  readonly now: number;
}

/** The columns of a job that the retry rules use. */
export interface JobAttempts {
  /** Attempts that the other side answered, or may have. */
  readonly attempts: number;
  readonly detail: string;
}

/** The columns of a claimed job that the engine uses. */
export interface ClaimedJob extends JobAttempts {
  readonly id: string;
  readonly not_before: number;
}

/** The result that ends a claim. */
export interface JobResult {
  /** "pending" and "retrying" are claimed again at `notBefore`; every other state is final. */
  readonly state: string;
  /** The reason, as the other side reported it. */
  readonly detail: string;
  /** Left out: unchanged. */
  readonly notBefore?: number;
  /** Counts no attempt: the other side did not answer, and cannot have. */
  readonly isUntried?: true;
  /** The job is delivered again after a crash that hid whether it was delivered. */
  readonly isResend?: true;
}

export interface Finished<Job, Result> {
  readonly row: Job;
  readonly result: Result;
}

/**
 * Defines one type of job; the engine (queue.server.ts) is the same for all.
 * @typeParam Row a job as its claim returns it: a row of `table`, with `computed`.
 * @typeParam Job a Row with the data its delivery needs.
 * @typeParam Due the work that can be claimed, as known after the results were recorded.
 */
export interface JobType<Row extends ClaimedJob, Job extends Row, Result extends JobResult, Due> {
  /** Table with the columns of a queue (leases.server.ts) and partial indexes of due and of claimed jobs. */
  readonly table: string;
  /** An expression that a claim returns beside the table's columns. */
  readonly computed?: AliasedRawBuilder<unknown, string>;
  /** Whether due retries or first attempts are claimed first; the index of due jobs has the same order. */
  readonly order: "retries-first" | "first-tries-first";
  /** Whether a claim may find a job. Asked before a write that has no results to record, so that an idle queue writes nothing. */
  hasDue(now: number): Promise<boolean>;
  /** Applies results beyond their own rows, in the transaction that records them. May run again. */
  settle(trx: Write, finished: readonly Finished<Job, Result | EngineResult>[], now: number): Promise<Due>;
  /** Claims up to `limit` jobs in the same transaction, and loads the data their delivery needs. */
  claim(trx: Write, due: Due, request: ClaimRequest<Row>): Promise<readonly Job[]>;
  /** Returns the result of a claimed job that must not be delivered; undefined when it may. */
  withhold?(job: Job, now: number): Result | undefined;
  /** Delivers one job. A throw fails this job permanently, and no other (hardening R28). */
  deliver(job: Job): Promise<Result>;
  /** Returns the results of jobs whose instance died while they were claimed: they may have been delivered. */
  recover(rows: readonly Row[]): Promise<readonly Finished<Row, Result>[]>;
  /** Applies the results of `recover` beyond their own rows, in the transaction that records them. */
  settleRecovered?(trx: Write, recovered: readonly Finished<Row, Result>[], now: number): Promise<void>;
  /** Does one step of other work between two claims. @returns whether there is more. */
  advance?(due: Due): Promise<boolean>;
}

/** Returns the result that puts a job back into its queue, as if it had never been claimed. */
export function requeue({ attempts, detail }: JobAttempts) {
  return { state: attempts > 0 ? "retrying" : "pending", detail, isUntried: true } as const;
}

/** Longest delay the other side can ask for. */
export const MAX_REQUESTED_MS = hours(4);

/**
 * Returns the result of an attempt after which another may succeed; the attempt after the last delay fails for good.
 * @param delays after the first and each further attempt, in milliseconds.
 * @param options.requestedMs delay the other side asks for, honoured up to four hours.
 */
export function retryLater(
  { attempts }: JobAttempts,
  delays: readonly number[],
  options: { detail: string; now: number; requestedMs: number | undefined },
) {
  const { detail, now, requestedMs = 0 } = options;
  const wait = delays[attempts];
  if (wait === undefined) return { state: "failed", detail } as const;
  const notBefore = now + Math.max(wait, Math.min(requestedMs, MAX_REQUESTED_MS));
  return { state: "retrying", detail, notBefore } as const;
}

/** Returns the result of a job whose delivery threw. */
export function permanentFailure(error: unknown) {
  return { state: "failed", detail: toDetail(getErrorMessage(error)) } as const;
}

/** The results the engine produces for any job type, whose own results include these states. */
export type EngineResult = ReturnType<typeof requeue> | ReturnType<typeof permanentFailure>;

/** Cleans a server's reply into one line that every database accepts, of at most 500 UTF-16 units. */
export function toDetail(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_DETAIL_LENGTH)
    .toWellFormed();
}
