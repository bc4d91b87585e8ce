import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const EVERY_MS = 20_000;
/** Timers alone keep the event loop busy for one or two parts of a hundred. */
const QUIET_BELOW = 0.05;
/** Less is not worth a pause. */
const WORTH_BYTES = 24 * 1_048_576;

export interface QuietMemoryParts {
  /** Which part of the time since it was asked last the event loop was busy. */
  readonly busy: () => number;
  /** What the heap has and does not use, in bytes. */
  readonly spare: () => number;
  /** Gives back what is not used. */
  readonly release: () => Promise<void>;
}

/**
 * Gives memory back to the system while nobody wants anything (decision 45). V8 keeps what the start and the last crowd took,
 * because it collects only when it is asked for more; what it does then stops the process for some tenths of a second.
 */
export class QuietMemory {
  readonly #parts: QuietMemoryParts;

  constructor(parts: Partial<QuietMemoryParts> = {}) {
    this.#parts = { busy: createBusy(), spare, release: createRelease(), ...parts };
  }

  /** Looks from now on, without keeping the process alive for it. */
  watch(): this {
    setInterval(this.look, EVERY_MS).unref();
    return this;
  }

  readonly look = async (): Promise<void> => {
    const { busy, spare, release } = this.#parts;
    if (busy() < QUIET_BELOW && spare() > WORTH_BYTES) await release();
  };
}

function createBusy(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

function spare(): number {
  const { heapTotal, heapUsed } = process.memoryUsage();
  return heapTotal - heapUsed;
}

/** V8's own function, which Node only shows on request. */
function createRelease(): () => Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (how: Record<string, string>) => Promise<void>;
  return () => collect({ type: "major", flavor: "last-resort", execution: "async" });
}
