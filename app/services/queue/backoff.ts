import { minutes, seconds } from "~/lib/durations";

const INITIAL_WAIT_MS = seconds(5);
const MAX_WAIT_MS = minutes(5);

/**
 * Computes how long each campaign waits for an unreachable server: 5 s, doubling up to 5 min until it answers
 * again. Kept in memory: a restart begins with the shortest wait.
 */
export class Backoff {
  readonly #known = new Map<string, { wait: number; until: number }>();

  /** Returns when to retry. A failure during a running wait belongs to the same outage and changes nothing. */
  getRetryTime(campaignId: string, now: number): number {
    const known = this.#known.get(campaignId);
    if (known && now < known.until) return known.until;
    const wait = known ? Math.min(known.wait * 2, MAX_WAIT_MS) : INITIAL_WAIT_MS;
    this.#known.set(campaignId, { wait, until: now + wait });
    return now + wait;
  }

  /** Ends the outage once the server answered. An answer to a request sent before the wait does not count. */
  reset(campaignId: string, now: number): void {
    const known = this.#known.get(campaignId);
    if (known && now >= known.until) this.#known.delete(campaignId);
  }
}
