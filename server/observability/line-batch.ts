/** Has written what it was given when it returns. */
interface Destination {
  write(text: string): unknown;
}

/**
 * Writes together what is logged in one turn of the event loop: a write is a system call, and one for each line cost more
 * than all the rest of a kept answer. Nothing waits longer than that turn, and an end of the process writes what is left.
 */
export class LineBatch {
  readonly #destination: Destination;
  readonly #later: (run: () => void) => void;
  #lines = "";

  /** @param later runs its argument at the end of this turn of the event loop; for tests. */
  constructor(destination: Destination, later: (run: () => void) => void = setImmediate) {
    this.#destination = destination;
    this.#later = later;
  }

  write(line: string): void {
    if (this.#lines === "") this.#later(this.flushSync);
    this.#lines += line;
  }

  /** pino calls it by this name after a fatal line. */
  readonly flushSync = (): void => {
    const lines = this.#lines;
    if (lines === "") return;
    this.#lines = "";
    this.#destination.write(lines);
  };
}
