/** The number of samples: enough to tell a lasting overload from one long task or a garbage collection. */
const SAMPLES = 5;
const SAMPLE_INTERVAL_MS = 100;

/** Measures how late the event loop runs its timers (R15). */
export class EventLoopLag {
  readonly #now: () => number;
  #lags: readonly number[] = Array<number>(SAMPLES).fill(0);
  #due: number;

  /** @param now milliseconds, only ever compared. */
  constructor(now: () => number) {
    this.#now = now;
    this.#due = now() + SAMPLE_INTERVAL_MS;
  }

  /** Starts sampling, without keeping the process alive for it. */
  watch(): this {
    setInterval(this.sample, SAMPLE_INTERVAL_MS).unref();
    return this;
  }

  readonly sample = (): void => {
    const now = this.#now();
    this.#lags = [...this.#lags.slice(1), now - this.#due];
    this.#due = now + SAMPLE_INTERVAL_MS;
  };

  /** Returns the minimum of the last lags in milliseconds: the lag that lasts. */
  readonly lasting = (): number => Math.min(...this.#lags);
}
