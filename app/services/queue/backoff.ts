import { minutes, seconds } from "~/lib/durations";

const FIRST_WAIT = seconds(5);
const LONGEST_WAIT = minutes(5);

/**
 * How long each campaign waits for a mail server that cannot be reached: 5 s, doubling to 5 min until it answers again.
 * Kept in memory only: after a restart the first wait is short again.
 */
export class Backoff {
  readonly #known = new Map<string, { wait: number; until: number }>();

  /** When to try again. What fails while a wait already runs belongs to the same outage and changes nothing. */
  waitUntil(campaignId: string, now: number): number {
    const known = this.#known.get(campaignId);
    if (known && now < known.until) return known.until;
    const wait = known ? Math.min(known.wait * 2, LONGEST_WAIT) : FIRST_WAIT;
    this.#known.set(campaignId, { wait, until: now + wait });
    return now + wait;
  }

  /** The server answered. A mail that was under way when the wait began does not end it. */
  over(campaignId: string, now: number): void {
    const known = this.#known.get(campaignId);
    if (known && now >= known.until) this.#known.delete(campaignId);
  }
}
