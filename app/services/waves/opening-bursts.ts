import { minutes } from "~/lib/durations";

/** Time in which openings of several links from one network are a scanner's. */
const WINDOW_MS = minutes(1);
/** Different links in that time. */
const BURST = 3;
/** Networks and links that are remembered at most. */
const MAX_NETWORKS = 10_000;
const MAX_LINKS = 100;

interface Opening {
  readonly id: string;
  readonly at: number;
}

/**
 * Remembers which links a network opened within the last minute, in the memory of this process: mail scanners open many.
 * `opened_at` is only a hint, so it is enough that each instance remembers its own.
 */
export function createOpeningBursts() {
  const byNetwork = new Map<string, readonly Opening[]>();

  return {
    /**
     * Adds an opening.
     * @returns whether it is part of a burst, and the links that were not part of it before: all at first, then each other
     * one.
     */
    add(network: string, id: string, now: number): { isBurst: boolean; newInBurst: readonly string[] } {
      const recent = (byNetwork.get(network) ?? []).filter((one) => one.at > now - WINDOW_MS);
      const others = recent.filter((one) => one.id !== id);
      const openings = [...others, { id, at: now }].slice(-MAX_LINKS);
      // Last again: the first is the one that was seen longest ago.
      byNetwork.delete(network);
      byNetwork.set(network, openings);
      const [oldest] = byNetwork.keys();
      if (byNetwork.size > MAX_NETWORKS && oldest !== undefined) byNetwork.delete(oldest);
      const isBurst = openings.length >= BURST;
      if (!isBurst || others.length < recent.length) return { isBurst, newInBurst: [] };
      return { isBurst, newInBurst: recent.length >= BURST ? [id] : openings.map((one) => one.id) };
    },
    windowMs: WINDOW_MS,
  };
}
