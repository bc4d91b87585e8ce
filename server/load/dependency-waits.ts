import type { Ticket } from "./concurrency-limiter.ts";

/**
 * The most requests that wait for one dependency at once, however slow it is; more are shed (hardening C46). A
 * wait costs memory only, a request's body included.
 */
export const MOST_WAITS = {
  database: 200,
  "mail-server": 60,
  platform: 60,
  "push-service": 60,
  "visitor-identity": 60,
  passwords: 100,
  resources: 60,
  broadcasts: 60,
} as const;
export type Dependency = keyof typeof MOST_WAITS;
export const DEPENDENCIES = Object.keys(MOST_WAITS) as Dependency[];

/** Operators' requests may wait where all waits are taken by others. */
const OPERATORS_MORE = 1.25;
/** A site's share of a dependency's waits. */
const SITE_SHARE = 0.5;

interface WaitCounts {
  total: number;
  readonly bySite: Map<string, number>;
}

/** Counts the requests that wait for each dependency, and limits them, in all and by site. */
export class DependencyWaits {
  readonly #waiting = new Map<Dependency, WaitCounts>();

  /** @returns the number of requests that wait for a dependency. */
  count(dependency: Dependency): number {
    return this.#waiting.get(dependency)?.total ?? 0;
  }

  isFull(dependency: Dependency, { site, isLimited, priority }: Ticket): boolean {
    const waiting = this.#waiting.get(dependency);
    if (!waiting) return false;
    const most = MOST_WAITS[dependency];
    if (isLimited && (waiting.bySite.get(site) ?? 0) >= most * SITE_SHARE) return true;
    return waiting.total >= (priority === "operator" ? most * OPERATORS_MORE : most);
  }

  /** Counts a request that waits. @returns the function that ends its wait, to be called once. */
  start(dependency: Dependency, { site }: Ticket): () => void {
    const waiting = this.#waiting.get(dependency) ?? { total: 0, bySite: new Map<string, number>() };
    this.#waiting.set(dependency, waiting);
    waiting.total += 1;
    waiting.bySite.set(site, (waiting.bySite.get(site) ?? 0) + 1);
    return () => {
      waiting.total -= 1;
      const others = (waiting.bySite.get(site) ?? 1) - 1;
      if (others === 0) waiting.bySite.delete(site);
      else waiting.bySite.set(site, others);
    };
  }
}
