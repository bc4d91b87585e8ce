import type { IncomingMessage } from "node:http";
import { getSource } from "../../app/lib/first-touch.ts";
import { cleanSource, limitSource, UNKNOWN_SOURCE } from "../../app/lib/source.ts";
import { startOfDay } from "../../app/lib/utc-day.ts";
import type { VisitCount, VisitCounts } from "../../app/lib/visit-counts.ts";

type LandingRequest = Pick<IncomingMessage, "method" | "url" | "headers">;

/**
 * Counts visits of the landing page by UTC day and source, and nothing about who visits: not people, since one who
 * comes twice is counted twice. A visit is a page that a browser opens from elsewhere; other programs send no Sec-Fetch
 * headers, and cost one look at them.
 */
export class LandingVisits implements VisitCounts {
  readonly #now: () => number;
  readonly #days = new Map<number, Map<string, number>>();

  /** @param now epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a request if it is a visit of the landing page, with whatever parameters. */
  count({ method, url = "", headers }: LandingRequest): void {
    if (headers["sec-fetch-mode"] !== "navigate" || headers["sec-fetch-dest"] !== "document") return;
    // One of our pages, a reload of it, or one that is fetched in advance.
    if (headers["sec-fetch-site"] === "same-origin" || headers["sec-purpose"] !== undefined) return;
    if (method !== "GET" || !(url === "/" || url.startsWith("/?"))) return;
    const { referer: referrer = "", host = "" } = headers;
    const source = cleanSource(getSource({ search: url.slice(1), referrer, host })) || UNKNOWN_SOURCE;
    this.#add(startOfDay(this.#now()), source, 1);
  }

  take(): VisitCount[] {
    const counts = [...this.#days].flatMap(([day, sources]) =>
      [...sources].map(([source, count]) => ({ day, source, count })),
    );
    this.#days.clear();
    return counts;
  }

  putBack(counts: readonly VisitCount[]): void {
    for (const { day, source, count } of counts) this.#add(day, source, count);
  }

  #add(day: number, source: string, count: number): void {
    const sources = this.#days.get(day) ?? new Map<string, number>();
    this.#days.set(day, sources);
    const counted = limitSource(source, sources);
    sources.set(counted, (sources.get(counted) ?? 0) + count);
  }
}
