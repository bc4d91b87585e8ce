import { seconds } from "~/lib/durations";
import { setProcessTimer } from "~/services/clock";
import type { SetTimer } from "~/services/clock";

const FIRST_BACK_OFF = seconds(1);
/** How long what ended waits for others, to be recorded with them. */
const GATHER_MS = 3;
const LONGEST_BACK_OFF = seconds(30);
/** For what is in flight at a stop; below what a drain gives to everything that is to let go (server/lifecycle/drain.ts). */
const STOP_PATIENCE_MS = seconds(3);

/** Work beside requests, one step at a time. A step that throws has lost nothing: it is done again. */
export interface WorkLoop {
  /** @returns milliseconds for which nothing is due unless the worker is woken; 0 when the next step is due at once. */
  next(): Promise<number>;
  /** From now on nothing new begins. */
  beginStopping(): void;
  /** Whether nothing is in flight between steps. */
  readonly idle: boolean;
  /** How many jobs are in flight between steps. */
  readonly inFlight: number;
  /** Whether it pays to wait a moment for more to end. */
  readonly isBatching: boolean;
}

export interface WorkerOptions {
  /** pino's shape. */
  readonly log: {
    info(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Tests give their own. */
  readonly setTimer?: SetTimer;
  /** Milliseconds, only ever compared, of a clock that nobody sets. Tests give their own. */
  readonly elapsed?: () => number;
}

export type Worker = ReturnType<typeof createWorker>;

/**
 * Does steps until it is stopped. Nothing that fails ends it: with the database away it logs that once, waits and retries.
 * @param name what the log calls it.
 * @param makeLoop gets what wakes the worker.
 */
export function createWorker(name: string, makeLoop: (wake: () => void) => WorkLoop, options: WorkerOptions) {
  const { log, setTimer = setProcessTimer, elapsed = () => performance.now() } = options;
  const loop = makeLoop(wake);
  let running: Promise<void> | undefined;
  let stopping = false;
  let stopBy = Infinity;
  let isWoken = false;
  let endSleep: () => void = () => undefined;

  return {
    /** Runs until it is stopped, and takes up the jobs a crash left. */
    start(): void {
      running ??= run();
    },

    /** There may be something to do. */
    wake,

    /** Does all that is due now, instead of `start`. For tests, which see its errors. */
    async tick(): Promise<void> {
      for (;;) {
        const wait = await loop.next();
        if (wait > 0 && loop.idle) return;
        if (wait > 0) await untilDue(wait);
      }
    },

    /**
     * Begins nothing more, lets what is in flight end, records it and requeues the rest. What has not ended after 3 s
     * stays claimed, as a crash would leave it (hardening R21, R32).
     */
    async stop(): Promise<void> {
      stopping = true;
      stopBy = elapsed() + STOP_PATIENCE_MS;
      loop.beginStopping();
      wake();
      running ??= run();
      await running;
    },
  };

  async function run(): Promise<void> {
    let failures = 0;
    while (!isOver()) {
      let wait: number;
      try {
        wait = await loop.next();
        if (failures > 0) log.info({ failures }, `${name} goes on`);
        failures = 0;
      } catch (err) {
        if (failures === 0) log.error({ err }, `${name} failed, retrying`);
        // What is held now is recovered at the next start.
        if (stopping && loop.inFlight === 0) return;
        wait = Math.min(FIRST_BACK_OFF * 2 ** failures, LONGEST_BACK_OFF);
        failures += 1;
      }
      if (wait > 0 && !isOver()) await untilDue(Math.min(wait, stopBy - elapsed()));
    }
    if (loop.inFlight > 0) {
      log.info({ inFlight: loop.inFlight }, `${name} stops with work in flight; the next start recovers it`);
    }
  }

  function isOver(): boolean {
    return stopping && (loop.idle || elapsed() >= stopBy);
  }

  async function untilDue(ms: number): Promise<void> {
    await sleep(ms);
    if (loop.isBatching) await sleep(GATHER_MS);
  }

  function wake(): void {
    isWoken = true;
    endSleep();
  }

  async function sleep(ms: number): Promise<void> {
    if (!isWoken) {
      await new Promise<void>((resolve) => {
        const cancel = setTimer(ms, resolve);
        endSleep = () => {
          cancel();
          resolve();
        };
      });
    }
    isWoken = false;
  }
}
