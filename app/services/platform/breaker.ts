import { seconds } from "~/lib/durations";

/** Consecutive failures that open the breaker, and for how long it stays open. */
const MOST_FAILURES = 5;
const REST_MS = seconds(30);

/**
 * Circuit breaker for an unavailable system: after five consecutive failures calls fail at once for 30 seconds;
 * then one call is let through, and the others keep failing until it is answered.
 */
export class Breaker {
  readonly #elapsed: () => number;
  #failures = 0;
  #restsUntil = 0;

  /** @param elapsed returns milliseconds of a monotonic clock. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Whether a call may be sent now. */
  admits(): boolean {
    if (this.#failures < MOST_FAILURES) return true;
    if (this.#elapsed() < this.#restsUntil) return false;
    this.#rest();
    return true;
  }

  answered(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
    this.#rest();
  }

  #rest(): void {
    this.#restsUntil = this.#elapsed() + REST_MS;
  }
}
