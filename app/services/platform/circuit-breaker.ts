import { seconds } from "~/lib/durations";

/** Consecutive failures that open the breaker, and for how long it stays open. */
const MAX_FAILURES = 5;
const OPEN_MS = seconds(30);

/**
 * Circuit breaker for an unavailable system: after five consecutive failures calls fail at once for 30 seconds;
 * then one call is let through, and the others keep failing until it is answered.
 */
export class CircuitBreaker {
  readonly #elapsed: () => number;
  #failures = 0;
  #openUntil = 0;

  /** @param elapsed returns milliseconds of a monotonic clock. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Returns whether a call may be sent now. */
  allows(): boolean {
    if (this.#failures < MAX_FAILURES) return true;
    if (this.#elapsed() < this.#openUntil) return false;
    this.#open();
    return true;
  }

  recordSuccess(): void {
    this.#failures = 0;
  }

  recordFailure(): void {
    this.#failures += 1;
    this.#open();
  }

  #open(): void {
    this.#openUntil = this.#elapsed() + OPEN_MS;
  }
}
