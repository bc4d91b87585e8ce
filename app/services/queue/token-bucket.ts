/** A bucket saves up the tokens of this time at most, so that no second exceeds the rate by more than a tenth. */
const MAX_BURST_SECONDS = 0.1;
const ROUNDING_ERROR = 1e-9;

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
    // A slow rate saves up one token, or there would never be a whole one.
    this.#capacity = perSecond > 0 ? Math.max(1, perSecond * MAX_BURST_SECONDS) : Infinity;
    this.#tokens = this.#capacity;
    this.#filledAt = now;
  }

  /** Returns the whole tokens available now; 0 when more were consumed than there were. */
  available(now: number): number {
    const passed = Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(this.#capacity, this.#tokens + passed * this.#perMs);
    this.#filledAt = now;
    // A sum of fractions may end just below the whole number that it stands for.
    return Math.max(0, Math.floor(this.#tokens + ROUNDING_ERROR));
  }

  /** Takes tokens, also more than there are: the next ones then come later. */
  consume(count: number): void {
    this.#tokens -= count;
  }

  /** Returns milliseconds until the next token; 0 when one is available. */
  waitMs(now: number): number {
    return this.available(now) >= 1 ? 0 : Math.ceil((1 - this.#tokens) / this.#perMs);
  }
}
