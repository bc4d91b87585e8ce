import { levels } from "pino";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { PRIORITIES, type Priority } from "../load/concurrency-limiter.ts";
import type { EndedRequest } from "./request-log.ts";
import { getRouteKind } from "./route-kinds.ts";

interface AnsweredRequest extends Pick<EndedRequest, "method" | "status" | "ms"> {
  /** RequestTarget.path. */
  readonly path: string;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Histogram buckets that separate what people notice: a page below 20 ms, one they wait for, one they give up. */
const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 10];
/** The most requests that are answered but not counted yet. */
const MOST_UNCOUNTED = 1000;
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Creates the metrics of /metrics (docs/metrics.md): the guard's own, and the registry to which the application
 * adds its own. A label's values are a short fixed list, whatever clients send.
 * @param deps are read at each scrape: requests that are running, requests that are waiting, the event loop lag,
 *   log lines missing from the store, log lines missing from standard output.
 */
export function createMetrics(deps: {
  running: () => number;
  waiting: () => number;
  lagMs: () => number;
  dropped: () => number;
  unwritten: () => number;
}) {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "frontdesk_http_requests_total",
    registers,
    help: "Requests answered by this instance, by kind of route, method and class of status.",
    labelNames: ["route", "method", "status"],
    collect: countAnswered,
  });
  const durations = new Histogram({
    name: "frontdesk_http_request_duration_seconds",
    registers,
    buckets: SECONDS,
    help: "How long this instance took to answer, the sending included, by kind of route.",
    labelNames: ["route"],
    collect: countAnswered,
  });
  const shed = new Counter({
    name: "frontdesk_http_requests_shed_total",
    help: "Requests this instance answered with 503 because too many were waiting, by priority.",
    labelNames: ["priority"],
    registers,
  });
  const logLines = new Counter({
    name: "frontdesk_log_lines_total",
    registers,
    help: "Lines this instance logged, by level.",
    labelNames: ["level"],
  });
  gauge(
    "frontdesk_http_requests_running",
    "Requests in flight in the application of this instance.",
    deps.running,
  );
  gauge(
    "frontdesk_http_requests_waiting",
    "Requests waiting for the application of this instance.",
    deps.waiting,
  );
  gauge(
    "frontdesk_event_loop_late_seconds",
    "Sustained event loop lag of this instance; above 0.2 it lets fewer requests wait.",
    () => deps.lagMs() / 1000,
  );
  readCounter(
    "frontdesk_log_lines_dropped_total",
    "Log lines of this instance missing from System Logs, because the store could not keep up.",
    deps.dropped,
  );
  readCounter(
    "frontdesk_log_lines_unwritten_total",
    "Log lines missing from this instance's standard output, because nothing read it.",
    deps.unwritten,
  );
  let uncounted: AnsweredRequest[] = [];

  /**
   * Counts in groups: prom-client looks labels up by a text it composes, which for one request at a time costs a
   * fifth of a cached landing page.
   */
  function countAnswered(): void {
    for (const { path, method, status, ms } of uncounted) {
      const route = getRouteKind(path);
      requests.inc({
        route,
        method: METHODS.has(method) ? method : "other",
        status: status === undefined ? "none" : `${Math.floor(status / 100)}xx`,
      });
      durations.observe({ route }, ms / 1000);
    }
    uncounted = [];
  }

  // Starts at 0 instead of absent, so that an alert sees the first occurrence.
  for (const priority of PRIORITIES) shed.inc({ priority }, 0);
  for (const level of ["warn", "error", "fatal"]) logLines.inc({ level }, 0);

  function gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  }

  function readCounter(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  }

  return {
    registry,

    /** Adds Node.js's own metrics: CPU, memory, the event loop, garbage collections. */
    watchProcess: (): void => collectDefaultMetrics({ register: registry }),

    answered(path: string, { method, status, ms }: Omit<AnsweredRequest, "path">): void {
      uncounted.push({ path, method, status, ms });
      if (uncounted.length === MOST_UNCOUNTED) countAnswered();
    },

    shed: (priority: Priority): void => shed.inc({ priority }),

    /** @param level pino's number of the level. */
    logged: (level: number): void => logLines.inc({ level: levels.labels[level] ?? "other" }),
  };
}
