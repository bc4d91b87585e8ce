import type { Finished } from "./job-type";

/**
 * Share of the concurrency that makes a full batch: a commit costs as much as sending several emails, and the jobs
 * still in flight keep the other side busy during it.
 */
const BATCH_SHARE = 0.8;
/** Delay of a partial batch of results, so that more are recorded with it. */
const BATCH_WAIT_MS = 3;

/**
 * Tracks the jobs a worker owns: in flight, or finished with a result that is not committed yet. Results are
 * batched, because a commit costs the same for one as for many.
 */
export class HeldJobs<Job extends { readonly id: string }, Result> {
  readonly #concurrency: number;
  readonly #endPause: () => void;
  readonly #held = new Set<string>();
  readonly #finished: Finished<Job, Result>[] = [];

  /** @param endPause called for the first result of a batch, and when the batch is full. */
  constructor(concurrency: number, endPause: () => void) {
    this.#concurrency = concurrency;
    this.#endPause = endPause;
  }

  get size(): number {
    return this.#held.size;
  }

  get ids(): string[] {
    return [...this.#held];
  }

  get inFlight(): number {
    return this.#held.size - this.#finished.length;
  }

  /** Jobs whose results are not committed. */
  get finished(): readonly Finished<Job, Result>[] {
    return this.#finished;
  }

  /** Milliseconds to wait for more results before recording those there are; undefined when there are none. */
  get batchWaitMs(): number | undefined {
    const finished = this.#finished.length;
    if (finished === 0) return undefined;
    return this.inFlight > 0 && finished < this.#concurrency * BATCH_SHARE ? BATCH_WAIT_MS : 0;
  }

  hold(job: Job): void {
    this.#held.add(job.id);
  }

  finish(row: Job, result: Result): void {
    this.#finished.push({ row, result });
    if (this.#finished.length === 1 || this.batchWaitMs === 0) this.#endPause();
  }

  /** Releases the first `count` finished jobs, whose results are committed. */
  release(count: number): void {
    for (const { row } of this.#finished.splice(0, count)) this.#held.delete(row.id);
  }
}
