import type { EndedRequest } from "./request-log.ts";
import { getRouteKind } from "./route-kinds.ts";

/** Histogram buckets that separate what people notice: a page below 20 ms, one they wait for, one they give up. */
const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 10];
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Labels of statuses by their first digit, 0 without a response. */
const STATUSES = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"];

export type CountedRequest = Pick<EndedRequest, "method" | "status" | "ms">;

/** The requests of one kind of route. */
interface Tally {
  /** Numbers of responses by method, each by the index of STATUSES. */
  readonly responses: Map<string, number[]>;
  /** Numbers of requests by the bucket of their time; the last has no bound. */
  readonly buckets: number[];
  seconds: number;
}

function increment(numbers: number[], index: number): void {
  numbers[index] = (numbers[index] ?? 0) + 1;
}

const zeros = (length: number) => Array<number>(length).fill(0);

/**
 * Counts requests and their times in plain numbers. prom-client composes a text to look up the labels of each
 * request, which costs more than the rest of the guard's work for a cached response.
 */
export class RequestTally {
  readonly #routes = new Map<string, Tally>();

  /** @param path RequestTarget.path. */
  count(path: string, { method, status, ms }: CountedRequest): void {
    const tally = this.#getTally(getRouteKind(path));
    const seconds = ms / 1000;
    tally.seconds += seconds;
    const bucket = SECONDS.findIndex((most) => seconds <= most);
    increment(tally.buckets, bucket < 0 ? SECONDS.length : bucket);
    const label = METHODS.has(method) ? method : "other";
    const responses = tally.responses.get(label) ?? zeros(STATUSES.length);
    tally.responses.set(label, responses);
    increment(responses, Math.floor((status ?? 0) / 100));
  }

  /** Lists the numbers of requests by route, method and class of status. */
  listCounts() {
    return [...this.#routes].flatMap(([route, { responses }]) =>
      [...responses].flatMap(([method, numbers]) =>
        numbers
          .map((value, index) => ({ labels: { route, method, status: STATUSES[index] ?? "" }, value }))
          .filter(({ value }) => value > 0),
      ),
    );
  }

  /** Lists the values of a histogram of the requests' seconds by route, with Prometheus' names for them. */
  listDurations(name: string) {
    return [...this.#routes].flatMap(([route, { buckets, seconds }]) => {
      let count = 0;
      const values = buckets.map((number, index) => {
        count += number;
        const labels = { le: SECONDS[index] ?? "+Inf", route };
        return { metricName: `${name}_bucket`, labels, value: count };
      });
      const labels = { route };
      return [
        ...values,
        { metricName: `${name}_sum`, labels, value: seconds },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  }

  #getTally(route: string): Tally {
    const existing = this.#routes.get(route);
    if (existing) return existing;
    const tally: Tally = { responses: new Map(), buckets: zeros(SECONDS.length + 1), seconds: 0 };
    this.#routes.set(route, tally);
    return tally;
  }
}
