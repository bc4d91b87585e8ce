/** Where the application takes the log from (app/services/logs). */
export interface LogLines {
  /** The oldest lines that nobody has taken yet, in order, without their ends. */
  take(most: number): string[];
  /** How many were dropped since this was last asked. */
  takeDropped(): number;
  readonly isEmpty: boolean;
}

/** A line that is longer is cut: what follows cuts it much shorter, and nothing here may hold the memory of the process. */
const LONGEST = 65_536;

/**
 * Holds what was logged until it is stored. While the store is away no more than `most` characters are held; what comes then is
 * dropped and counted, and the oldest stays, because it says how the trouble began.
 */
export class LineQueue implements LogLines {
  readonly #most: number;
  #lines: string[] = [];
  #held = 0;
  #dropped = 0;
  #droppedInAll = 0;

  /** @param most characters. */
  constructor(most = 8_388_608) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** How many were dropped since the process began. */
  get droppedInAll(): number {
    return this.#droppedInAll;
  }

  /** @param line with its end. */
  push(line: string): void {
    const kept = line.slice(0, Math.min(line.length - 1, LONGEST));
    if (this.#held + kept.length > this.#most) {
      this.#dropped += 1;
      this.#droppedInAll += 1;
      return;
    }
    this.#lines.push(kept);
    this.#held += kept.length;
  }

  take(most: number): string[] {
    const taken = this.#lines.splice(0, most);
    this.#held -= taken.reduce((sum, line) => sum + line.length, 0);
    return taken;
  }

  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }
}
