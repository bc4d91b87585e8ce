/** Runs callbacks a few at a time: answering thousands of timeouts at once delayed others for over a second (R14). */
export class YieldingQueue {
  readonly #waiting: (() => void)[] = [];
  readonly #atOnce: number;
  readonly #later: (run: () => void) => void;

  /** @param later runs its argument in a later turn of the event loop; injected by tests. */
  constructor(atOnce: number, later: (run: () => void) => void = setImmediate) {
    this.#atOnce = atOnce;
    this.#later = later;
  }

  /** Queues `work` for a later turn of the event loop. It must not throw. */
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
