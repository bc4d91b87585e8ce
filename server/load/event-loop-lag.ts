/** Enough to tell an overload, which lasts, from one long piece of work or a collection of garbage. */
const LOOKS = 5;
const EVERY_MS = 100;

/** How much later than asked for the event loop gets to its work (R15). */
export class EventLoopLag {
  readonly #now: () => number;
  #lags: readonly number[] = Array<number>(LOOKS).fill(0);
  #due: number;

  /** @param now milliseconds, only ever compared. */
  constructor(now: () => number) {
    this.#now = now;
    this.#due = now() + EVERY_MS;
  }

  /** Looks from now on, without keeping the process alive for it. */
  watch(): this {
    setInterval(this.look, EVERY_MS).unref();
    return this;
  }

  readonly look = (): void => {
    const now = this.#now();
    this.#lags = [...this.#lags.slice(1), now - this.#due];
    this.#due = now + EVERY_MS;
  };

  /** The least of the last lags, in milliseconds: how late the event loop lastingly is. */
  readonly lasting = (): number => Math.min(...this.#lags);
}
