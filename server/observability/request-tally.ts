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
 * Counts requests and their times, and formats them for /metrics. prom-client composes a text to look up each label
 * of each request, which costs more than the rest of the guard's work for a cached response.
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

  /** Returns both metrics in Prometheus' text format 0.0.4. Labels come from fixed lists and need no escapes. */
  format(): string {
    const requests = "frontdesk_http_requests_total";
    const durations = "frontdesk_http_request_duration_seconds";
    const counts: string[] = [];
    const times: string[] = [];
    for (const [route, { responses, buckets, seconds }] of this.#routes) {
      for (const [method, numbers] of responses) {
        for (const [index, count] of numbers.entries()) {
          const labels = `route="${route}",method="${method}",status="${STATUSES[index]}"`;
          if (count > 0) counts.push(`${requests}{${labels}} ${count}`);
        }
      }
      let count = 0;
      for (const [index, number] of buckets.entries()) {
        count += number;
        times.push(`${durations}_bucket{le="${SECONDS[index] ?? "+Inf"}",route="${route}"} ${count}`);
      }
      times.push(
        `${durations}_sum{route="${route}"} ${seconds}`,
        `${durations}_count{route="${route}"} ${count}`,
      );
    }
    return [
      `# HELP ${requests} Requests answered by this instance, by kind of route, method and class of status.`,
      `# TYPE ${requests} counter`,
      ...counts,
      "",
      `# HELP ${durations} How long this instance took to answer, the sending included, by kind of route.`,
      `# TYPE ${durations} histogram`,
      ...times,
      "",
    ].join("\n");
  }

  #getTally(route: string): Tally {
    const existing = this.#routes.get(route);
    if (existing) return existing;
    const tally: Tally = { responses: new Map(), buckets: zeros(SECONDS.length + 1), seconds: 0 };
    this.#routes.set(route, tally);
    return tally;
  }
}
