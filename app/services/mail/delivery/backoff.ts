import { minutes, seconds } from "~/lib/durations";

const INITIAL_WAIT_MS = seconds(5);
const MAX_WAIT_MS = minutes(5);

/** Checks whether a retry is still to come. One beyond the longest wait is due: the clock was set back since. */
export const isRetryAhead = (retryAt: number, now: number): boolean =>
  now < retryAt && retryAt <= now + MAX_WAIT_MS;

/**
 * Computes how long each campaign, or a whole queue, waits for an unreachable server: 5 s, doubling up to 5 min until it answers
 * again. Kept in memory: a restart begins with the shortest wait.
 */
export class Backoff {
  readonly #known = new Map<string, { wait: number; until: number }>();

  /** Returns when to retry. A failure during a running wait belongs to the same outage and changes nothing. */
  getRetryTime(key: string, now: number): number {
    const known = this.#known.get(key);
    if (known && isRetryAhead(known.until, now)) return known.until;
    const wait = known ? Math.min(known.wait * 2, MAX_WAIT_MS) : INITIAL_WAIT_MS;
    this.#known.set(key, { wait, until: now + wait });
    return now + wait;
  }

  /** Ends the outage once the server answered. An answer to a request sent before the wait does not count. */
  reset(key: string, now: number): void {
    const known = this.#known.get(key);
    if (known && !isRetryAhead(known.until, now)) this.#known.delete(key);
  }
}
