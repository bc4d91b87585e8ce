import type { LogLines } from "../../app/lib/log-lines.ts";

/** Length at which a line is cut. The log store cuts much shorter, but one line must not exhaust the memory. */
const LONGEST = 65_536;

/**
 * Buffers log lines until they are stored. While the store is unavailable at most `most` characters are held; newer
 * lines are dropped and counted, and the oldest stay, because they show how the failure began.
 */
export class LineQueue implements LogLines {
  readonly #most: number;
  #lines: string[] = [];
  #held = 0;
  #totalDropped = 0;
  #reportedDropped = 0;

  /** @param most characters. */
  constructor(most = 8_388_608) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** The number of lines dropped since the process started. */
  get totalDropped(): number {
    return this.#totalDropped;
  }

  /** @param line includes its line end. */
  push(line: string): void {
    const kept = line.slice(0, Math.min(line.length - 1, LONGEST));
    if (this.#held + kept.length > this.#most) {
      this.#totalDropped += 1;
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
    const dropped = this.#totalDropped - this.#reportedDropped;
    this.#reportedDropped = this.#totalDropped;
    return dropped;
  }
}
