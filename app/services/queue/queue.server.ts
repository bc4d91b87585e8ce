import type { RawBuilder } from "kysely";
import type { Write } from "~/db/database.server";
import type { SharedTime } from "~/db/shared-time.server";
import { seconds } from "~/lib/durations";
import type { ServiceDeps } from "~/services/service-deps";
import { permanentFailure, requeue } from "./job-type";
import type { ClaimRequest, ClaimedJob, EngineResult, Finished, JobResult, JobType } from "./job-type";
import {
  claimJobs,
  getLeaseEnd,
  isOrphaned,
  LEASE_RENEWAL_INTERVAL_MS,
  recordResults,
  START_MS,
  updateHeldJobs,
} from "./leases.server";
import type { TokenBucket } from "./token-bucket";
import {
  createWorker,
  MAX_BACKOFF_MS,
  type WorkLoop,
  type Worker,
  type WorkerOptions,
} from "./worker.server";

/**
 * Interval of the check for orphans. A dead instance's jobs are recovered within a lease and this: 35 s (R22
 * allows 45).
 */
const ORPHAN_CHECK_INTERVAL_MS = seconds(5);
/** The same at the start, when an earlier process of the same name is found gone (hardening R3: within 5 s). */
const ORPHAN_CHECK_INTERVAL_AT_START_MS = seconds(1);
/** Time without a check for orphans after a failed pass: the longest backoff of another instance, and what its failure took. */
const ORPHAN_PAUSE_MS = MAX_BACKOFF_MS + seconds(5);
const ORPHAN_BATCH_SIZE = 100;
/** Pause of an idle worker. */
const IDLE_MS = seconds(1);
/**
 * Share of the concurrency that makes a full batch of results: a commit costs as much as sending several emails, and
 * the jobs still in flight keep the other side busy during it.
 */
const BATCH_SHARE = 0.8;
/** Delay of a partial batch, so that more results are recorded with it. */
const BATCH_WAIT_MS = 3;

/** Dependencies and settings of every queue's worker. */
export interface QueueOptions extends ServiceDeps {
  readonly leaseTime: SharedTime;
  /** Stable over restarts: jobs of its earlier processes are recovered at its start, once they are found gone. */
  readonly instance: string;
  /** Limit of jobs in flight plus finished ones that are not recorded: as many as a crash can repeat. */
  readonly concurrency: number;
  /** Rate limit of this instance; may be shared with other senders. */
  readonly rate: TokenBucket;
}

/** The columns of a job that is inserted as claimed by this process. */
export interface Lease {
  readonly state: "claimed";
  readonly lease_owner: string;
  readonly lease_until: RawBuilder<number>;
}

/** A worker that also delivers a job at once, for a caller that waits for its result. */
export interface QueueWorker<Row, Result> extends Worker {
  /**
   * Inserts a job as claimed and delivers it in the caller's context: beside the rate limit and the concurrency, and
   * whether the worker runs or not. After a crash it is recovered as any other job is.
   * @param insert returns the inserted job; undefined when there is nothing to deliver.
   * @param deliver a throw fails the job permanently, and is passed on.
   * @returns once the result is recorded.
   */
  deliverNow(
    insert: (trx: Write, lease: Lease) => Promise<Row | undefined>,
    deliver: (row: Row) => Promise<Result>,
  ): Promise<void>;
}

/**
 * Creates the worker of a queue: it claims due jobs of one type, delivers them and records their results until
 * it is stopped.
 *
 * Guarantees, with any number of instances on the same database:
 * - Nothing is skipped: a job is claimed by one statement and stays claimed until its result is on disk. The
 *   job of an instance that died is recovered within 5 s of its death if it starts again, or by another one within
 *   35 s (hardening R3, R4, R22). Two living processes with one name repeat nothing (R40).
 * - At most `concurrency` jobs are repeated by a crash: those in flight, together with the finished ones that
 *   are not recorded yet, are never more (R3, R4). The job type decides whether a recovered job is delivered
 *   again.
 * - Leases use the database's shared time, so that setting a clock takes no job from its owner (R18, R22). The
 *   result of a job that another instance took over is dropped, except an accepted one (R22).
 * - A job that throws fails alone (R28). An unreachable database delays the queue and loses nothing. Once it is back,
 *   nothing is recovered for half a minute, so that living instances renew their leases first.
 * - No transaction is open while a job is delivered. One write records all finished results and claims as many
 *   jobs as concurrency and rate limit allow.
 */
export function createQueueWorker<Row extends ClaimedJob, Job extends Row, Result extends JobResult, Due>(
  name: string,
  type: JobType<Row, Job, Result, Due>,
  options: QueueOptions & WorkerOptions,
): QueueWorker<Job, Result> {
  let loop: QueueLoop<Job, Result>;
  const worker = createWorker(name, (endPause) => (loop = createQueueLoop(type, options, endPause)), options);
  return { ...worker, deliverNow: (insert, deliver) => loop.deliverNow(insert, deliver) };
}

type QueueLoop<Job, Result> = WorkLoop & Pick<QueueWorker<Job, Result>, "deliverNow">;

/** @param endPause called for the first result of a batch, and when the batch is full. */
function createQueueLoop<Row extends ClaimedJob, Job extends Row, Result extends JobResult, Due>(
  type: JobType<Row, Job, Result, Due>,
  options: QueueOptions,
  endPause: () => void,
): QueueLoop<Job, Result> {
  const { database, clock, concurrency, rate, leaseTime } = options;
  const owner = `${options.instance}/${options.newId()}`;
  const lessee = { owner, leaseTime };
  /** Ids of our jobs: in flight, or finished with a result that is not committed. */
  const held = new Set<string>();
  /** Ids of the jobs of `deliverNow`, which take none of the concurrency. */
  const heldDirectly = new Set<string>();
  /** Jobs whose results are not committed. */
  const finished: Finished<Job, Result | EngineResult>[] = [];
  let isStopping = false;
  const startedAt = clock();
  let renewedAt = clock();
  let orphansCheckedAt: number | undefined;
  let hasFailed = false;
  /** Start of the last pass after a failed one. */
  let resumedAt: number | undefined;

  const loop = {
    deliverNow,

    async next(): Promise<number> {
      if (hasFailed) resumedAt = clock();
      hasFailed = true;
      const waitMs = await runPass();
      hasFailed = false;
      return waitMs;
    },
    beginStopping(): void {
      isStopping = true;
    },
    get idle(): boolean {
      return held.size === 0;
    },
    get inFlight(): number {
      return held.size - finished.length;
    },
    get batchWaitMs(): number | undefined {
      if (finished.length === 0) return undefined;
      return loop.inFlight > 0 && finished.length < concurrency * BATCH_SHARE ? BATCH_WAIT_MS : 0;
    },
  };
  return loop;

  async function runPass(): Promise<number> {
    await renewLeases();
    if (!isStopping) await recoverOrphans();
    const now = clock();
    if (finished.length === 0 && (isStopping || !(await type.hasDue(now)))) return IDLE_MS;
    const { due, waitMs } = await recordAndClaim(now);
    const hasMore = !isStopping && ((await type.advance?.(due)) ?? false);
    return hasMore ? 0 : waitMs;
  }

  /** Records finished jobs and claims new ones in one write, then starts their delivery. */
  async function recordAndClaim(now: number): Promise<{ due: Due; waitMs: number }> {
    const { due, recorded, limit, jobs } = await database.write(async (trx) => {
      const results = [...finished];
      await recordResults(trx, type.table, owner, results, now);
      const due = await type.settle(trx, results, now);
      const recorded = results.length;
      const capacity = concurrency - held.size + recorded;
      const limit = isStopping ? 0 : Math.min(capacity, rate.available(now));
      const request: ClaimRequest<Row> = {
        claimJobs: (where, limit) => claimJobs<Row>(trx, lessee, type, { where, limit, now }),
        limit,
        now,
      };
      const jobs = isStopping ? [] : await type.claim(trx, due, request);
      return { due, recorded, limit, jobs };
    });
    for (const { row } of finished.splice(0, recorded)) held.delete(row.id);
    for (const job of jobs) begin(job, now);
    // With free capacity and the rate limit used up, more jobs may be due once it allows another.
    const waitsForRate = !isStopping && held.size < concurrency && jobs.length === limit;
    return { due, waitMs: waitsForRate ? Math.min(IDLE_MS, rate.waitMs(now)) : IDLE_MS };
  }

  function begin(job: Job, now: number): void {
    held.add(job.id);
    const result = isStopping ? requeue(job) : type.withhold?.(job, now);
    if (result) return finish(job, result);
    rate.consume(1);
    void deliver(job).then((result) => finish(job, result));
  }

  async function deliverNow(
    insert: (trx: Write, lease: Lease) => Promise<Job | undefined>,
    deliverOne: (job: Job) => Promise<Result>,
  ): Promise<void> {
    const job = await database.write((trx) =>
      insert(trx, { state: "claimed", lease_owner: owner, lease_until: getLeaseEnd(leaseTime) }),
    );
    if (!job) return;
    heldDirectly.add(job.id);
    try {
      const result = await deliverOne(job).catch(async (error: unknown) => {
        await record(job, permanentFailure(error));
        throw error;
      });
      await record(job, result);
    } finally {
      // Where its result could not be recorded, it is recovered once its lease is over.
      heldDirectly.delete(job.id);
    }
  }

  async function record(row: Job, result: Result | EngineResult): Promise<void> {
    await database.write(async (trx) => {
      const now = clock();
      await recordResults(trx, type.table, owner, [{ row, result }], now);
      await type.settle(trx, [{ row, result }], now);
    });
  }

  async function deliver(job: Job): Promise<Result | EngineResult> {
    try {
      return await type.deliver(job);
    } catch (error) {
      return permanentFailure(error);
    }
  }

  function finish(row: Job, result: Result | EngineResult): void {
    finished.push({ row, result });
    if (finished.length === 1 || loop.batchWaitMs === 0) endPause();
  }

  async function renewLeases(): Promise<void> {
    const now = clock();
    // Compares the distance, so that a clock that is set back does not stop the renewals.
    if (Math.abs(now - renewedAt) < LEASE_RENEWAL_INTERVAL_MS) return;
    const ids = [...held, ...heldDirectly];
    if (ids.length > 0) {
      await database.write((trx) =>
        updateHeldJobs(trx, type.table, owner, ids, { lease_until: getLeaseEnd(leaseTime) }),
      );
    }
    renewedAt = now;
  }

  /** Recovers orphaned jobs, including our own whose claim committed although the write reported an error. */
  async function recoverOrphans(): Promise<void> {
    const checkedAt = clock();
    const last = orphansCheckedAt;
    const isStarting = Math.abs(checkedAt - startedAt) < START_MS;
    const interval = isStarting ? ORPHAN_CHECK_INTERVAL_AT_START_MS : ORPHAN_CHECK_INTERVAL_MS;
    if (last !== undefined && Math.abs(checkedAt - last) < interval) return;
    // The failure may have been the database's, and have kept living instances from renewing their leases too.
    if (resumedAt !== undefined && Math.abs(checkedAt - resumedAt) < ORPHAN_PAUSE_MS) return;
    for (let found = ORPHAN_BATCH_SIZE; found === ORPHAN_BATCH_SIZE;) {
      const rows = await database.write((trx) => {
        // In the transaction: a lease that another instance took while this one waited would seem to be too long.
        const where = isOrphaned(lessee, { held: [...held, ...heldDirectly], isStarting });
        return claimJobs<Row>(trx, lessee, type, { where, limit: ORPHAN_BATCH_SIZE, now: clock() });
      });
      found = rows.length;
      if (found === 0) break;
      const recovered = await type.recover(rows);
      const resent = recovered.filter(({ result }) => result.isResend).map(({ row }) => row.id);
      await database.write(async (trx) => {
        if (resent.length > 0) {
          await updateHeldJobs(trx, type.table, owner, resent, { resent_after_crash: 1 });
        }
        await recordResults(trx, type.table, owner, recovered, clock());
        await type.settleRecovered?.(trx, recovered, clock());
      });
    }
    orphansCheckedAt = checkedAt;
  }
}
