import type { SharedTime } from "~/db/shared-time.server";
import { seconds } from "~/lib/durations";
import type { ServiceDeps } from "~/services/service-deps";
import { HeldJobs } from "./held-jobs.server";
import { permanentFailure, requeue } from "./job-type";
import type { ClaimJobs, ClaimedJob, EngineResult, JobResult, JobType } from "./job-type";
import { claimJobs, isOrphaned, markResent, recordResults, renewLeases, type Lessee } from "./leases.server";
import type { TokenBucket } from "./token-bucket";
import { createWorker, type WorkLoop, type Worker, type WorkerOptions } from "./worker.server";

/**
 * Interval of the check for orphans. A dead instance's jobs are recovered within a lease and this: 35 s (R22
 * allows 45).
 */
const ORPHAN_CHECK_INTERVAL_MS = seconds(5);
const ORPHAN_BATCH_SIZE = 100;
/** With a lease of 30 s, two renewals may fail. */
const LEASE_RENEWAL_INTERVAL_MS = seconds(10);
/** Pause of an idle worker. */
export const IDLE_MS = seconds(1);

/** Dependencies and settings of every queue's worker. */
export interface QueueOptions extends ServiceDeps {
  readonly leaseTime: SharedTime;
  /** Stable over restarts and unique among running processes: jobs of its earlier boots are recovered at start. */
  readonly instance: string;
  /** Limit of jobs in flight plus finished ones that are not recorded: as many as a crash can repeat. */
  readonly concurrency: number;
  /** Rate limit of this instance; may be shared with other senders. */
  readonly rate: TokenBucket;
}

/**
 * Creates the worker of a queue: it claims due jobs of one type, delivers them and records their results until
 * it is stopped.
 *
 * Guarantees, with any number of instances on the same database:
 * - Nothing is skipped: a job is claimed by one statement and stays claimed until its result is on disk. The
 *   job of an instance that died is recovered at that instance's next start, or by another one within 35 s
 *   (hardening R3, R4, R22).
 * - At most `concurrency` jobs are repeated by a crash: those in flight, together with the finished ones that
 *   are not recorded yet, are never more (R3, R4). The job type decides whether a recovered job is delivered
 *   again.
 * - Leases use the database's shared time, so that setting a clock takes no job from its owner (R18, R22). The
 *   result of a job that another instance took over is dropped, except an accepted one (R22).
 * - A job that throws fails alone (R28). An unreachable database delays the queue and loses nothing.
 * - No transaction is open while a job is delivered. One write records all finished results and claims as many
 *   jobs as concurrency and rate limit allow.
 */
export function createQueueWorker<Row extends ClaimedJob, Job extends Row, Result extends JobResult, Due>(
  name: string,
  type: JobType<Row, Job, Result, Due>,
  options: QueueOptions & WorkerOptions,
): Worker {
  return createWorker(name, (endPause) => new QueueLoop(type, options, endPause), options);
}

class QueueLoop<Row extends ClaimedJob, Job extends Row, Result extends JobResult, Due> implements WorkLoop {
  readonly #type: JobType<Row, Job, Result, Due>;
  readonly #options: QueueOptions;
  readonly #lessee: Lessee;
  readonly #held: HeldJobs<Job, Result | EngineResult>;
  #stopping = false;
  #renewedAt: number;
  #orphansCheckedAt: number | undefined;

  constructor(type: JobType<Row, Job, Result, Due>, options: QueueOptions, endPause: () => void) {
    const { instance, newId, concurrency, clock, leaseTime } = options;
    this.#type = type;
    this.#options = options;
    this.#lessee = { owner: `${instance}/${newId()}`, leaseTime };
    this.#held = new HeldJobs(concurrency, endPause);
    this.#renewedAt = clock();
  }

  beginStopping(): void {
    this.#stopping = true;
  }

  /** Whether this worker holds no job. */
  get idle(): boolean {
    return this.#held.size === 0;
  }

  get inFlight(): number {
    return this.#held.inFlight;
  }

  get batchWaitMs(): number | undefined {
    return this.#held.batchWaitMs;
  }

  async next(): Promise<number> {
    await this.#renewLeases();
    if (!this.#stopping) await this.#recoverOrphans();
    const now = this.#options.clock();
    const hasResults = this.#held.finished.length > 0;
    if (!hasResults && (this.#stopping || !(await this.#type.hasDue(now)))) return IDLE_MS;
    const { due, waitMs } = await this.#recordAndClaim(now);
    const hasMore = !this.#stopping && ((await this.#type.advance?.(due)) ?? false);
    return hasMore ? 0 : waitMs;
  }

  /** Records finished jobs and claims new ones in one write, then starts their delivery. */
  async #recordAndClaim(now: number): Promise<{ due: Due; waitMs: number }> {
    const { database, concurrency, rate } = this.#options;
    const { due, recorded, limit, jobs } = await database.write(async (trx) => {
      const finished = [...this.#held.finished];
      await recordResults(trx, this.#type.table, this.#lessee.owner, finished, now);
      const due = await this.#type.settle(trx, finished, now);
      const recorded = finished.length;
      const capacity = concurrency - this.#held.size + recorded;
      const limit = this.#stopping ? 0 : Math.min(capacity, rate.available(now));
      const request = { claimJobs: this.#claimJobs(trx, now), limit, now };
      const jobs = this.#stopping ? [] : await this.#type.claim(trx, due, request);
      return { due, recorded, limit, jobs };
    });
    this.#held.release(recorded);
    for (const job of jobs) this.#begin(job, now);
    // With free capacity and the rate limit used up, more jobs may be due once it allows another.
    const waitsForRate = !this.#stopping && this.#held.size < concurrency && jobs.length === limit;
    return { due, waitMs: waitsForRate ? Math.min(IDLE_MS, rate.waitMs(now)) : IDLE_MS };
  }

  #claimJobs(trx: Parameters<typeof claimJobs>[0], now: number): ClaimJobs<Row> {
    return (where, limit) => claimJobs<Row>(trx, this.#lessee, this.#type, { where, limit, now });
  }

  #begin(job: Job, now: number): void {
    this.#held.hold(job);
    const withheld = this.#stopping ? requeue(job) : this.#type.withhold(job, now);
    if (withheld) return this.#held.finish(job, withheld);
    this.#options.rate.consume(1);
    void this.#deliver(job).then((result) => this.#held.finish(job, result));
  }

  async #deliver(job: Job): Promise<Result | EngineResult> {
    try {
      return await this.#type.deliver(job);
    } catch (error) {
      return permanentFailure(job, error);
    }
  }

  async #renewLeases(): Promise<void> {
    const { database, clock } = this.#options;
    const now = clock();
    // Compares the distance, so that a clock that is set back does not stop the renewals.
    if (Math.abs(now - this.#renewedAt) < LEASE_RENEWAL_INTERVAL_MS) return;
    const { ids } = this.#held;
    if (ids.length > 0) {
      await database.write((trx) => renewLeases(trx, this.#type.table, this.#lessee, ids));
    }
    this.#renewedAt = now;
  }

  /** Recovers orphaned jobs, including our own whose claim committed although the write reported an error. */
  async #recoverOrphans(): Promise<void> {
    const { database, clock } = this.#options;
    const startedAt = clock();
    const last = this.#orphansCheckedAt;
    if (last !== undefined && Math.abs(startedAt - last) < ORPHAN_CHECK_INTERVAL_MS) return;
    const where = isOrphaned(this.#lessee, { held: this.#held.ids, includeEarlierBoots: last === undefined });
    for (let found = ORPHAN_BATCH_SIZE; found === ORPHAN_BATCH_SIZE;) {
      const rows = await database.write((trx) => this.#claimJobs(trx, clock())(where, ORPHAN_BATCH_SIZE));
      found = rows.length;
      if (found === 0) break;
      const recovered = await this.#type.recover(rows);
      const resent = recovered.filter(({ result }) => result.isResend).map(({ row }) => row.id);
      await database.write(async (trx) => {
        await markResent(trx, this.#type.table, this.#lessee.owner, resent);
        await recordResults(trx, this.#type.table, this.#lessee.owner, recovered, clock());
      });
    }
    this.#orphansCheckedAt = startedAt;
  }
}
