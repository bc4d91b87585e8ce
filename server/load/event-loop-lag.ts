/** The number of samples: enough to tell a lasting overload from one long task or a garbage collection. */
const LOOKS = 5;
const EVERY_MS = 100;

/** Measures how late the event loop runs its timers (R15). */
export class EventLoopLag {
  readonly #now: () => number;
  #lags: readonly number[] = Array<number>(LOOKS).fill(0);
  #due: number;

  /** @param now milliseconds, only ever compared. */
  constructor(now: () => number) {
    this.#now = now;
    this.#due = now() + EVERY_MS;
  }

  /** Starts sampling, without keeping the process alive for it. */
  watch(): this {
    setInterval(this.look, EVERY_MS).unref();
    return this;
  }

  readonly look = (): void => {
    const now = this.#now();
    this.#lags = [...this.#lags.slice(1), now - this.#due];
    this.#due = now + EVERY_MS;
  };

  /** Returns the minimum of the last lags in milliseconds: the lag that lasts. */
  readonly lasting = (): number => Math.min(...this.#lags);
}
