import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { routeKindOf } from "./route-kinds.ts";

/** What the guard counts of one answer. */
export interface Answered {
  readonly method: string;
  /** Absent when the visitor left before an answer began. */
  readonly status: number | undefined;
  readonly ms: number;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Enough to tell what people notice: a page below 20 ms, one they wait for, one they give up. */
const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 10];
/** Answers that are not in the metrics yet: each scrape takes them in first. */
const AT_ONCE = 100;
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const LEVELS: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};

/**
 * What /metrics tells (docs/metrics.md): the guard's own numbers, and those the application adds to the registry. A label's
 * values are a short list of ours, whatever visitors send.
 * @param has what is read at each scrape: requests inside the application, how late the event loop is, log lines that were dropped.
 */
export function createMetrics(has: { inside: () => number; lateMs: () => number; dropped: () => number }) {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    ...{ name: "frontdesk_http_requests_total", registers },
    help: "Requests answered by this instance, by kind of route, method and class of status.",
    labelNames: ["route", "method", "status"],
    collect: observeAll,
  });
  const durations = new Histogram({
    ...{ name: "frontdesk_http_request_duration_seconds", registers, buckets: SECONDS },
    help: "How long this instance took to answer, the sending included, by kind of route.",
    labelNames: ["route"],
    collect: observeAll,
  });
  const sentAway = new Counter({
    ...{ name: "frontdesk_http_requests_sent_away_total", registers },
    help: "Requests this instance answered with 503 because it had no room, by who asked.",
    labelNames: ["standing"],
  });
  const logLines = new Counter({
    ...{ name: "frontdesk_log_lines_total", registers },
    help: "Lines this instance logged, by level.",
    labelNames: ["level"],
  });
  gauge("frontdesk_http_requests_inside", "Requests inside the application of this instance.", has.inside);
  gauge(
    "frontdesk_event_loop_late_seconds",
    "How late the event loop of this instance lastingly is; over 0.2 it sends visitors away.",
    () => has.lateMs() / 1000,
  );
  new Counter({
    ...{ name: "frontdesk_log_lines_dropped_total", registers },
    help: "Log lines of this instance that System Logs lacks, because the store could not keep up.",
    collect() {
      this.reset();
      this.inc(has.dropped());
    },
  });
  // What never happened is 0 and not absent, so that an alert sees its first time.
  for (const standing of ["page", "form", "operator"]) sentAway.inc({ standing }, 0);
  for (const level of ["warn", "error", "fatal"]) logLines.inc({ level }, 0);

  function gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(value());
      },
    });
  }

  /** A few at once cost half of what each by itself does, in the middle of its answer. */
  const unobserved: (Answered & { path: string })[] = [];
  function observeAll(): void {
    for (const { path, method, status, ms } of unobserved.splice(0)) {
      const route = routeKindOf(path);
      requests.inc({
        route,
        method: METHODS.has(method) ? method : "other",
        status: status === undefined ? "none" : `${Math.floor(status / 100)}xx`,
      });
      durations.observe({ route }, ms / 1000);
    }
  }

  return {
    registry,

    /** Also what Node.js tells of the process: CPU, memory, the event loop, collections of garbage. */
    watchProcess(): void {
      collectDefaultMetrics({ register: registry });
    },

    /** @param path RequestTarget.path. */
    answered(path: string, { method, status, ms }: Answered): void {
      if (unobserved.push({ path, method, status, ms }) >= AT_ONCE) observeAll();
    },

    sentAway: (standing: string): void => sentAway.inc({ standing }),

    /** @param level pino's number for it. */
    logged: (level: number): void => logLines.inc({ level: LEVELS[level] ?? "other" }),
  };
}
