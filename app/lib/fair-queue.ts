/** Starts waiting work, or refuses it. */
type Settle = (isAdmitted: boolean) => void;

/** Beyond this many keys all counts are reset, so that new ones cannot exhaust the memory. */
const MAX_KEYS = 10_000;

/**
 * Limits concurrent work, fairly among keys such as networks: next is the key that started the fewest since the
 * queue was last idle, so a new key waits only for running work and other new keys. When the queue is full, the
 * key with the most starts and waiting work loses its newest to a key with fewer.
 */
export class FairQueue {
  readonly #atATime: number;
  readonly #mayWait: number;
  /** Waiting keys, longest first; each with its waiting work, oldest first. */
  readonly #waiting = new Map<string, Settle[]>();
  /** The number of starts of each key since the queue was last idle. */
  readonly #turns = new Map<string, number>();
  #running = 0;
  #places = 0;

  /** @param atATime the most that runs at once. @param mayWait the most that waits, of all keys together. */
  constructor({ atATime, mayWait }: { atATime: number; mayWait: number }) {
    this.#atATime = atATime;
    this.#mayWait = mayWait;
  }

  /** Waits for a place. @returns the function to call once, at the end; undefined when the work must not be done. */
  async enter(key: string): Promise<(() => void) | undefined> {
    if (this.#running < this.#atATime) {
      this.#running += 1;
      this.#countTurn(key);
      return () => this.#leave();
    }
    if (this.#places >= this.#mayWait && !this.#makePlaceFor(key)) return undefined;
    const isAdmitted = await new Promise<boolean>((resolve) => {
      const places = this.#waiting.get(key) ?? [];
      places.push(resolve);
      this.#waiting.set(key, places);
      this.#places += 1;
    });
    return isAdmitted ? () => this.#leave() : undefined;
  }

  /** Passes the place to the next waiting work; the number running changes only when nothing waits. */
  #leave(): void {
    const least = this.#findLeastServed();
    if (!least) {
      this.#running -= 1;
      if (this.#running === 0) this.#turns.clear();
      return;
    }
    const [key, places] = least;
    this.#countTurn(key);
    const settle = places.shift();
    this.#places -= 1;
    // Re-inserted behind its equals, if it has more waiting.
    this.#waiting.delete(key);
    if (places.length > 0) this.#waiting.set(key, places);
    settle?.(true);
  }

  #findLeastServed(): [key: string, places: Settle[]] | undefined {
    let least: [string, Settle[]] | undefined;
    for (const entry of this.#waiting) {
      if (!least || this.#getTurns(entry[0]) < this.#getTurns(least[0])) least = entry;
    }
    return least;
  }

  /** Rejects the newest work of the key with the most. @returns false when none has more than `key` would. */
  #makePlaceFor(key: string): boolean {
    let largestShare = this.#getTurns(key) + (this.#waiting.get(key)?.length ?? 0) + 1;
    let largest: [string, Settle[]] | undefined;
    for (const entry of this.#waiting) {
      const [each, places] = entry;
      const share = this.#getTurns(each) + places.length;
      if (share <= largestShare) continue;
      largestShare = share;
      largest = entry;
    }
    if (!largest) return false;
    const [loser, places] = largest;
    places.pop()?.(false);
    this.#places -= 1;
    if (places.length === 0) this.#waiting.delete(loser);
    return true;
  }

  #getTurns(key: string): number {
    return this.#turns.get(key) ?? 0;
  }

  #countTurn(key: string): void {
    const turns = this.#getTurns(key);
    if (this.#turns.size >= MAX_KEYS) this.#turns.clear();
    this.#turns.set(key, turns + 1);
  }
}
