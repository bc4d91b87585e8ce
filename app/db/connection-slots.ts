import { seconds } from "~/lib/durations";
import { setProcessTimer, type SetTimer } from "~/lib/set-timer";

/** Interval at which one more connection is tried after the server had none left. */
const GROWTH_MS = seconds(1);

/**
 * Admits as many callers at once as a pool may have connections. When the database server has fewer than the pool
 * wants, the others wait for one of those that exist instead of failing (hardening R43).
 */
export class ConnectionSlots {
  readonly #size: number;
  readonly #setTimer: SetTimer;
  readonly #waiting = new Set<() => void>();
  #allowed: number;
  #taken = 0;
  #isGrowing = false;

  /** @param size the most connections of the pool. */
  constructor(size: number, setTimer: SetTimer = setProcessTimer) {
    this.#size = size;
    this.#allowed = size;
    this.#setTimer = setTimer;
  }

  /** Waits for a slot, in the order of calls. @throws when none is free within `ms`; 0 means without a limit. */
  async take(ms: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const admit = () => resolve(undefined);
    this.#waiting.add(admit);
    this.#admit();
    const refuse = () => {
      if (this.#waiting.delete(admit)) reject(new Error(`No database connection was free for ${ms} ms`));
    };
    const cancel = ms > 0 && this.#waiting.has(admit) ? this.#setTimer(ms, refuse) : undefined;
    await promise.finally(cancel);
  }

  /** Gives a slot back. */
  free(): void {
    this.#taken -= 1;
    this.#admit();
  }

  /** Notes that the server has no connection beyond these; one more is tried every second. */
  limit(connections: number): void {
    this.#allowed = Math.max(1, Math.min(connections, this.#size));
    this.#growLater();
  }

  #growLater(): void {
    if (this.#isGrowing || this.#allowed >= this.#size) return;
    this.#isGrowing = true;
    this.#setTimer(GROWTH_MS, () => {
      this.#isGrowing = false;
      this.#allowed += 1;
      this.#admit();
      this.#growLater();
    });
  }

  #admit(): void {
    for (const admit of this.#waiting) {
      if (this.#taken >= this.#allowed) return;
      this.#waiting.delete(admit);
      this.#taken += 1;
      admit();
    }
  }
}
