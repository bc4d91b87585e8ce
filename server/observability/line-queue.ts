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
 * Holds what was logged until it is stored: a text for each turn of the event loop, so that a request pays for nothing more
 * than a push. While the store is away no more than `most` characters are held; what comes then is dropped and counted, and
 * the oldest stays, because it says how the trouble began.
 */
export class LineQueue implements LogLines {
  readonly #most: number;
  #texts: string[] = [];
  /** Of the texts, split already. */
  #lines: string[] = [];
  #held = 0;
  #dropped = 0;
  #droppedInAll = 0;

  /** @param most characters. */
  constructor(most = 8_388_608) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0 && this.#lines.length === 0;
  }

  /** How many were dropped since the process began. */
  get droppedInAll(): number {
    return this.#droppedInAll;
  }

  /** @param text whole lines, each with its end. */
  push(text: string): void {
    const kept = text.length > LONGEST ? shorten(text) : text;
    if (this.#held + kept.length > this.#most) {
      const lines = kept.split("\n").length - 1;
      this.#dropped += lines;
      this.#droppedInAll += lines;
      return;
    }
    this.#texts.push(kept);
    this.#held += kept.length;
  }

  take(most: number): string[] {
    if (this.#lines.length === 0) {
      // The end of the last one leaves an empty string behind.
      this.#lines = this.#texts.join("").split("\n").slice(0, -1);
      this.#texts = [];
    }
    const taken = this.#lines.splice(0, most);
    this.#held -= taken.reduce((sum, line) => sum + line.length + 1, 0);
    return taken;
  }

  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }
}

function shorten(text: string): string {
  return text.replace(/[^\n]+/g, (line) => line.slice(0, LONGEST));
}
