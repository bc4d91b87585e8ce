import { seconds } from "~/lib/durations";

/** So many failures in a row, and nobody is asked for so long. */
const MOST_FAILURES = 5;
const REST_MS = seconds(30);

/**
 * Spares who waits for a system that is away: after five failures in a row calls fail at once for 30 seconds; then one of
 * them tries, and the others go on waiting until it was answered.
 */
export class Breaker {
  readonly #elapsed: () => number;
  #failures = 0;
  #restsUntil = 0;

  /** @param elapsed milliseconds of a clock that nobody sets. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Whether a call may go out now. */
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
