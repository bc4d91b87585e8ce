interface Place {
  enter(): void;
  refuse(): void;
}

/** Of how many keys it is known what they had; then all are equal again, so that a flood of new ones fills no memory. */
const MOST_KEYS = 10_000;

/**
 * Lets a few pieces of work run at a time and shares the turns among keys, as networks are: next is the key that had the
 * fewest turns since nothing ran, so one that comes for the first time waits only for what runs and for others like it,
 * however much the rest brings. The places to wait are limited in all; when they are taken, the key that had and wants most
 * loses its newest to one that had and wants less.
 */
export class FairQueue {
  readonly #atATime: number;
  readonly #mayWait: number;
  /** The keys that wait, longest first; each with its places, oldest first. */
  readonly #waiting = new Map<string, Place[]>();
  /** How many turns each key has had since nothing ran. */
  readonly #turns = new Map<string, number>();
  #running = 0;
  #places = 0;

  /**
   * @param atATime how many pieces of work run at once.
   * @param mayWait how many wait at most, of all keys together.
   */
  constructor({ atATime, mayWait }: { atATime: number; mayWait: number }) {
    this.#atATime = atATime;
    this.#mayWait = mayWait;
  }

  /** Waits for a turn. @returns what to call, once, when the work is done; undefined when it must not be done: the queue is full. */
  async enter(key: string): Promise<(() => void) | undefined> {
    if (this.#running < this.#atATime) {
      this.#running += 1;
      this.#countTurn(key);
      return () => this.#leave();
    }
    if (this.#places >= this.#mayWait && !this.#makePlaceFor(key)) return undefined;
    const isAdmitted = await new Promise<boolean>((resolve) => {
      const places = this.#waiting.get(key) ?? [];
      places.push({ enter: () => resolve(true), refuse: () => resolve(false) });
      this.#waiting.set(key, places);
      this.#places += 1;
    });
    return isAdmitted ? () => this.#leave() : undefined;
  }

  /** Hands the turn on, so the number running changes only when nobody waits. */
  #leave(): void {
    const key = this.#leastServed();
    const places = key === undefined ? undefined : this.#waiting.get(key);
    if (key === undefined || !places) {
      this.#running -= 1;
      if (this.#running === 0) this.#turns.clear();
      return;
    }
    this.#countTurn(key);
    const place = places.shift();
    this.#places -= 1;
    // Behind its equals, if more of it waits.
    this.#waiting.delete(key);
    if (places.length > 0) this.#waiting.set(key, places);
    place?.enter();
  }

  #leastServed(): string | undefined {
    let least: string | undefined;
    for (const key of this.#waiting.keys()) {
      if (least === undefined || this.#turnsOf(key) < this.#turnsOf(least)) least = key;
    }
    return least;
  }

  /** Refuses the newest of the key that had and wants most. @returns false when no key had and wants more than `key` would. */
  #makePlaceFor(key: string): boolean {
    let most = this.#turnsOf(key) + (this.#waiting.get(key)?.length ?? 0) + 1;
    let loser: string | undefined;
    for (const [each, places] of this.#waiting) {
      const share = this.#turnsOf(each) + places.length;
      if (share <= most) continue;
      most = share;
      loser = each;
    }
    const places = loser === undefined ? undefined : this.#waiting.get(loser);
    if (loser === undefined || !places) return false;
    places.pop()?.refuse();
    this.#places -= 1;
    if (places.length === 0) this.#waiting.delete(loser);
    return true;
  }

  #turnsOf(key: string): number {
    return this.#turns.get(key) ?? 0;
  }

  #countTurn(key: string): void {
    const turns = this.#turnsOf(key);
    if (this.#turns.size >= MOST_KEYS) this.#turns.clear();
    this.#turns.set(key, turns + 1);
  }
}
