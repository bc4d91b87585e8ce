import { levels } from "pino";
import { collectDefaultMetrics, Counter, Gauge, type Histogram, Registry } from "prom-client";
import { PRIORITIES, type Priority } from "../load/concurrency-limiter.ts";
import { DEPENDENCIES, type Dependency } from "../load/dependency-waits.ts";
import { type CountedRequest, RequestTally } from "./request-tally.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the metrics of /metrics (docs/metrics.md): the guard's own, and the registry to which the application adds
 * its own. A label's values are a short fixed list, whatever clients send.
 * @param deps are read at each scrape: requests that are running, requests that are waiting, and for which dependency,
 * the event loop lag, log lines missing from the store, log lines missing from standard output.
 */
export function createMetrics(deps: {
  running: () => number;
  waiting: () => number;
  waitingFor: (dependency: Dependency) => number;
  lagMs: () => number;
  dropped: () => number;
  unwritten: () => number;
}) {
  const registry = new Registry();
  const registers = [registry];
  const tally = new RequestTally();
  registerRequests(registry, tally);
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
  new Gauge({
    name: "frontdesk_http_dependency_waits",
    help: "Requests in the application of this instance that wait for a dependency, by dependency.",
    labelNames: ["dependency"],
    registers,
    collect() {
      for (const dependency of DEPENDENCIES) this.set({ dependency }, deps.waitingFor(dependency));
    },
  });
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

    answered: (path: string, ended: CountedRequest): void => tally.count(path, ended),

    shed: (priority: Priority): void => shed.inc({ priority }),

    /** @param level pino's number of the level. */
    logged: (level: number): void => logLines.inc({ level: levels.labels[level] ?? "other" }),
  };
}

/** Adds the metrics of requests, which are read from their tally at each scrape. */
function registerRequests(registry: Registry, tally: RequestTally): void {
  new Counter({
    name: "frontdesk_http_requests_total",
    registers: [registry],
    help: "Requests answered by this instance, by kind of route, method and class of status.",
    labelNames: ["route", "method", "status"],
    collect() {
      this.reset();
      for (const { labels, value } of tally.listCounts()) this.inc(labels, value);
    },
  });
  // A Histogram of prom-client takes single observations only.
  const durations = {
    name: "frontdesk_http_request_duration_seconds",
    help: "How long this instance took to answer, the sending included, by kind of route.",
    type: "histogram",
    labelNames: ["route"],
  };
  const get = async () => ({ ...durations, values: tally.listDurations(durations.name) });
  registry.registerMetric({ ...durations, get } as unknown as Histogram);
}
