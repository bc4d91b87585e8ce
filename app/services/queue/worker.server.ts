import { seconds } from "~/lib/durations";
import { setProcessTimer, type SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";

const INITIAL_BACKOFF_MS = seconds(1);
/** Longest pause after a step that failed. */
export const MAX_BACKOFF_MS = seconds(30);
/** Time for jobs in flight at a stop; less than the drain's total timeout (server/lifecycle/drain.ts). */
const STOP_TIMEOUT_MS = seconds(3);
/** A step that takes longer, because it waits for another server, is abandoned as by a crash; also less than the drain's. */
const ABANDON_MS = seconds(4);

/** Background work, one step at a time. A step that throws loses nothing and is retried. */
export interface WorkLoop {
  /** Runs one step. @returns milliseconds until the next one, unless the worker is woken; 0 for immediately. */
  next(): Promise<number>;
  /** Stops starting new jobs. */
  beginStopping(): void;
  /** Whether nothing is in flight between steps and every result is recorded. */
  readonly idle: boolean;
  /** Jobs in flight between steps. */
  readonly inFlight: number;
  /** Milliseconds to wait for more results before the next step; undefined, or left out, without any. */
  readonly batchWaitMs?: number | undefined;
}

export interface WorkerOptions {
  /** A pino logger. */
  readonly log: {
    info(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Replaced in tests. */
  readonly setTimer?: SetTimer;
  /** Monotonic clock in milliseconds. Replaced in tests. */
  readonly elapsed?: () => number;
}

export type Worker = ReturnType<typeof createWorker>;

/**
 * Creates a worker that runs steps until it is stopped. No failure ends it: it logs the first one, backs off
 * and retries.
 * @param name its name in the log.
 * @param makeLoop receives the function that ends the pause between two steps, if there is one.
 */
export function createWorker(
  name: string,
  makeLoop: (endPause: () => void) => WorkLoop,
  options: WorkerOptions,
) {
  const { log, setTimer = setProcessTimer, elapsed = () => performance.now() } = options;
  const loop = makeLoop(() => endSleep());
  let running: Promise<void> | undefined;
  let stopping = false;
  let stopDeadline = Infinity;
  let isWoken = false;
  let endSleep: () => void = () => undefined;

  return {
    /** Runs until it is stopped, and recovers the jobs a crash left. */
    start(): void {
      running ??= run();
    },

    /** Runs the next step immediately, for there may be work. */
    wake,

    /** Does all due work, instead of `start`. For tests: errors propagate. */
    async tick(): Promise<void> {
      for (;;) {
        const wait = await loop.next();
        if (wait > 0 && loop.idle) return;
        if (wait > 0) await untilDue(wait);
      }
    },

    /**
     * Starts no new jobs, waits for those in flight, records their results and requeues the rest. Jobs still in
     * flight after 3 s stay claimed, as after a crash (hardening R21, R32).
     */
    async stop(): Promise<void> {
      stopping = true;
      stopDeadline = elapsed() + STOP_TIMEOUT_MS;
      loop.beginStopping();
      wake();
      running ??= run();
      await within(ABANDON_MS, running);
    },
  };

  async function run(): Promise<void> {
    let failures = 0;
    while (!isOver()) {
      try {
        const wait = await loop.next();
        if (failures > 0) log.info({ failures }, `${name} works again`);
        failures = 0;
        if (wait > 0 && !isOver()) await untilDue(wait);
      } catch (err) {
        if (failures === 0) log.error({ err }, `${name} failed, retrying`);
        // The next start recovers the held jobs.
        if (stopping && loop.inFlight === 0) return;
        const backoff = Math.min(INITIAL_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
        failures += 1;
        if (!isOver()) await sleep(backoff);
      }
    }
    if (loop.inFlight > 0) {
      log.info({ inFlight: loop.inFlight }, `${name} stops with work in flight; the next start recovers it`);
    }
  }

  function isOver(): boolean {
    return stopping && (loop.idle || elapsed() >= stopDeadline);
  }

  /** Waits for the next step to be due, or for results, which may have come during the last step. */
  async function untilDue(ms: number): Promise<void> {
    if (loop.batchWaitMs === undefined) await sleep(ms);
    if (loop.batchWaitMs) await sleep(loop.batchWaitMs);
  }

  function wake(): void {
    isWoken = true;
    endSleep();
  }

  async function sleep(ms: number): Promise<void> {
    if (!isWoken) {
      await new Promise<void>((resolve) => {
        const cancel = setTimer(Math.min(ms, stopDeadline - elapsed()), resolve);
        endSleep = () => {
          cancel();
          resolve();
        };
      });
    }
    isWoken = false;
  }
}
