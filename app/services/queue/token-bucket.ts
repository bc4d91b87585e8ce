/** Seconds of rate a bucket saves up, so that a burst exceeds the rate by at most a tenth. */
const MAX_BURST_SECONDS = 0.1;

/**
 * Rate limit in tokens per second, spread evenly. Per instance: two instances send at twice the rate.
 * Times are epoch milliseconds; a clock that is set back does not stop it.
 */
export class TokenBucket {
  readonly #perMs: number;
  readonly #capacity: number;
  #tokens: number;
  #filledAt: number;

  /** @param perSecond 0 disables the limit. */
  constructor(perSecond: number, now: number) {
    this.#perMs = perSecond / 1000;
    this.#capacity = perSecond > 0 ? Math.max(1, perSecond * MAX_BURST_SECONDS) : Infinity;
    this.#tokens = this.#capacity;
    this.#filledAt = now;
  }

  /** Returns the whole tokens available now; 0 when two senders overdrew the bucket. */
  available(now: number): number {
    const passed = Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(this.#capacity, this.#tokens + passed * this.#perMs);
    this.#filledAt = now;
    return Math.max(0, Math.floor(this.#tokens + 1e-9));
  }

  consume(count: number): void {
    this.#tokens -= count;
  }

  /** Returns milliseconds until the next token; 0 when one is available. */
  waitMs(now: number): number {
    return this.available(now) >= 1 ? 0 : Math.ceil((1 - this.#tokens) / this.#perMs);
  }
}
