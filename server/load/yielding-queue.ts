/**
 * Works off what comes in a burst a few at a time, with a turn of the event loop in between for everybody else.
 *
 * One look at the timeouts can end thousands of connections at once, and their answers written in one go held up every
 * other visitor for more than a second (R14).
 */
export class YieldingQueue {
  readonly #waiting: (() => void)[] = [];
  readonly #atOnce: number;
  readonly #later: (run: () => void) => void;

  /** @param later runs its argument in a later turn of the event loop; for tests. */
  constructor(atOnce: number, later: (run: () => void) => void = setImmediate) {
    this.#atOnce = atOnce;
    this.#later = later;
  }

  /** Runs `work` in its turn, never in this one. It must not throw. */
  add(work: () => void): void {
    this.#waiting.push(work);
    if (this.#waiting.length === 1) this.#later(this.#run);
  }

  readonly #run = (): void => {
    for (const work of this.#waiting.slice(0, this.#atOnce)) work();
    this.#waiting.splice(0, this.#atOnce);
    if (this.#waiting.length > 0) this.#later(this.#run);
  };
}
