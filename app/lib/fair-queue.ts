interface Place {
  enter(): void;
  refuse(): void;
}

/**
 * Lets a few pieces of work run at a time and shares the turns among keys, as networks are: the keys take turns, so one that
 * brings a thousand pieces delays the others by no more than one that brings a single piece. The places to wait are limited in
 * all; when they are taken, the key that holds most of them loses its newest to a key that holds fewer.
 */
export class FairQueue {
  readonly #atATime: number;
  readonly #mayWait: number;
  /** The keys that wait, in the order of their turns; each with its places, oldest first. */
  readonly #waiting = new Map<string, Place[]>();
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
      return () => this.#leave();
    }
    if (this.#places >= this.#mayWait && !this.#makePlaceFor(key)) return undefined;
    const isAdmitted = await new Promise<boolean>((resolve) => {
      this.#placesOf(key).push({ enter: () => resolve(true), refuse: () => resolve(false) });
      this.#places += 1;
    });
    return isAdmitted ? () => this.#leave() : undefined;
  }

  #placesOf(key: string): Place[] {
    const places = this.#waiting.get(key) ?? [];
    this.#waiting.set(key, places);
    return places;
  }

  /** Takes the newest place of the key that has most. @returns false when `key` itself would then have as many. */
  #makePlaceFor(key: string): boolean {
    let longest: Place[] = [];
    for (const places of this.#waiting.values()) if (places.length > longest.length) longest = places;
    if (longest.length <= (this.#waiting.get(key)?.length ?? 0) + 1) return false;
    longest.pop()?.refuse();
    this.#places -= 1;
    return true;
  }

  /** Hands the turn on, so the number running changes only when nobody waits. */
  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running -= 1;
      return;
    }
    const [key, places] = next;
    // Behind the others, if more of it waits.
    this.#waiting.delete(key);
    const place = places.shift();
    if (places.length > 0) this.#waiting.set(key, places);
    this.#places -= 1;
    place?.enter();
  }
}
