/** Enough to tell an overload, which lasts, from one long piece of work or a collection of garbage. */
const LOOKS = 5;
const EVERY_MS = 100;

/** How much later than asked for the event loop gets to its work (R15). */
export class LoopDelay {
  readonly #now: () => number;
  #delays: readonly number[] = Array<number>(LOOKS).fill(0);
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
    this.#delays = [...this.#delays.slice(1), now - this.#due];
    this.#due = now + EVERY_MS;
  };

  /** What every one of the last looks found at least, in milliseconds. */
  readonly lasting = (): number => Math.min(...this.#delays);
}
