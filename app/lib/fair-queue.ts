/** Waiting work. */
interface WaitingWork {
  readonly key: string;
  /** Starts it, or refuses it. */
  readonly settle: (isAdmitted: boolean) => void;
}

/** Beyond this many keys all counts are reset, so that new ones cannot exhaust the memory. */
const MAX_KEYS = 10_000;

/**
 * Limits concurrent work, fairly among groups such as sites, and within them among keys such as networks: next is
 * the group that started the fewest since the queue was last idle, and its key that did, so a new group waits only
 * for running work and other new groups. When the queue is full, the group with the most starts and waiting work
 * loses its newest to a group with fewer.
 */
export class FairQueue {
  readonly #atATime: number;
  readonly #mayWait: number;
  /** Waiting work by group, in the order of its arrival. */
  readonly #waiting = new Map<string, WaitingWork[]>();
  /** The number of starts of each group and each key since the queue was last idle. */
  readonly #turns = { byGroup: new Map<string, number>(), byKey: new Map<string, number>() };
  #running = 0;
  #places = 0;

  /** @param atATime the most that runs at once. @param mayWait the most that waits, of all keys together. */
  constructor({ atATime, mayWait }: { atATime: number; mayWait: number }) {
    this.#atATime = atATime;
    this.#mayWait = mayWait;
  }

  /**
   * Waits for a place. @param group of the key; by default it has one of its own.
   * @returns the function to call once, at the end; undefined when the work must not be done.
   */
  async enter(key: string, group = key): Promise<(() => void) | undefined> {
    if (this.#running < this.#atATime) {
      this.#running += 1;
      this.#countTurn(key, group);
      return () => this.#leave();
    }
    if (this.#places >= this.#mayWait && !this.#makePlaceFor(group)) return undefined;
    const isAdmitted = await new Promise<boolean>((settle) => {
      const places = this.#waiting.get(group) ?? [];
      places.push({ key, settle });
      this.#waiting.set(group, places);
      this.#places += 1;
    });
    return isAdmitted ? () => this.#leave() : undefined;
  }

  /** Passes the place to the next waiting work; the number running changes only when nothing waits. */
  #leave(): void {
    const least = this.#findLeastServed();
    if (!least) {
      this.#running -= 1;
      if (this.#running === 0) this.#forgetTurns();
      return;
    }
    const [group, places] = least;
    const next = places.reduce((a, b) =>
      this.#getTurns("byKey", b.key) < this.#getTurns("byKey", a.key) ? b : a,
    );
    this.#countTurn(next.key, group);
    places.splice(places.indexOf(next), 1);
    this.#places -= 1;
    // Re-inserted behind its equals, if it has more waiting.
    this.#waiting.delete(group);
    if (places.length > 0) this.#waiting.set(group, places);
    next.settle(true);
  }

  #findLeastServed(): [group: string, places: WaitingWork[]] | undefined {
    let least: [string, WaitingWork[]] | undefined;
    for (const entry of this.#waiting) {
      if (!least || this.#getTurns("byGroup", entry[0]) < this.#getTurns("byGroup", least[0])) least = entry;
    }
    return least;
  }

  /** Rejects the newest work of the group with the most. @returns false when none has more than `group` would. */
  #makePlaceFor(group: string): boolean {
    let largestShare = this.#getTurns("byGroup", group) + (this.#waiting.get(group)?.length ?? 0) + 1;
    let largest: [string, WaitingWork[]] | undefined;
    for (const entry of this.#waiting) {
      const [each, places] = entry;
      const share = this.#getTurns("byGroup", each) + places.length;
      if (share <= largestShare) continue;
      largestShare = share;
      largest = entry;
    }
    if (!largest) return false;
    const [loser, places] = largest;
    places.pop()?.settle(false);
    this.#places -= 1;
    if (places.length === 0) this.#waiting.delete(loser);
    return true;
  }

  #getTurns(by: "byGroup" | "byKey", name: string): number {
    return this.#turns[by].get(name) ?? 0;
  }

  #countTurn(key: string, group: string): void {
    const { byGroup, byKey } = this.#turns;
    if (byKey.size >= MAX_KEYS) this.#forgetTurns();
    byGroup.set(group, this.#getTurns("byGroup", group) + 1);
    byKey.set(key, this.#getTurns("byKey", key) + 1);
  }

  #forgetTurns(): void {
    this.#turns.byGroup.clear();
    this.#turns.byKey.clear();
  }
}
