/** At most this much of a second is made up for after a pause, so that a burst stays a tenth over the rate. */
const LARGEST_BURST_SECONDS = 0.1;

/**
 * Lets through so many a second, evenly. Made for one instance: two of them send at twice the rate.
 * Times are epoch milliseconds; a clock that is set back stops nothing.
 */
export class TokenBucket {
  readonly #perMs: number;
  readonly #capacity: number;
  #tokens: number;
  #filledAt: number;

  /** @param perSecond 0 means without limit. */
  constructor(perSecond: number, now: number) {
    this.#perMs = perSecond > 0 ? perSecond / 1000 : Infinity;
    this.#capacity = perSecond > 0 ? Math.max(1, perSecond * LARGEST_BURST_SECONDS) : Infinity;
    this.#tokens = this.#capacity;
    this.#filledAt = now;
  }

  /** How many may go now; below nothing, after two senders took the same ones, counts as nothing. */
  available(now: number): number {
    if (this.#perMs === Infinity) return Infinity;
    const passed = Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(this.#capacity, this.#tokens + passed * this.#perMs);
    this.#filledAt = now;
    return Math.max(0, Math.floor(this.#tokens + 1e-9));
  }

  spend(count: number): void {
    if (this.#perMs !== Infinity) this.#tokens -= count;
  }

  /** Milliseconds until one more may go; 0 when one may now. */
  waitMs(now: number): number {
    return this.available(now) >= 1 ? 0 : Math.ceil((1 - this.#tokens) / this.#perMs);
  }
}
