import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { within } from "../../app/lib/within.ts";
import type { InFlightRequests } from "./in-flight-requests.ts";
import type { GuardedServer } from "../guarded-server.ts";

export interface DrainLimits {
  /** Limit for in-flight requests. */
  readonly answersMs: number;
  /** Limit for all hooks together. */
  readonly hooksMs: number;
  /** Limit for everything after the grace period. */
  readonly totalMs: number;
}

export const DRAIN_LIMITS: DrainLimits = { answersMs: 8000, hooksMs: 5000, totalMs: 10_000 };

/** One order under `npm start` is two signals: from the terminal or the service manager, and forwarded by npm. */
const SAME_ORDER_MS = 500;

interface DrainDeps {
  readonly inFlightRequests: InFlightRequests;
  readonly logger: Logger;
  readonly limits: DrainLimits;
  /** Time to keep serving with /readyz at 503, so that a proxy stops sending requests here (R21). */
  readonly graceMs: number;
  readonly exit: (code: number) => void;
  /** Milliseconds, only ever compared. */
  readonly now: () => number;
}

/** Shuts down gracefully (R19, R21): refuses new requests, finishes those in flight, runs the hooks. */
export class Drain {
  readonly #deps: DrainDeps;
  readonly #servers: GuardedServer[] = [];
  readonly #hooks: (() => Promise<void>)[] = [];
  #first: { readonly signal: string; readonly at: number } | undefined;

  constructor(deps: DrainDeps) {
    this.#deps = deps;
  }

  readonly isDraining = (): boolean => this.#first !== undefined;
  readonly addServer = (server: GuardedServer): void => void this.#servers.push(server);
  readonly onDrain = (hook: () => Promise<void>): void => void this.#hooks.push(hook);

  /** Called per signal: a second order exits immediately. */
  begin(signal: string): void {
    const { exit, logger, now } = this.#deps;
    const at = now();
    if (this.#first) {
      if (signal === this.#first.signal && at - this.#first.at < SAME_ORDER_MS) return;
      logger.warn({ signal }, "signalled twice, stopping at once");
      return exit(1);
    }
    this.#first = { signal, at };
    logger.info({ signal }, "draining");
    void this.#run();
  }

  async #run(): Promise<void> {
    const { exit, graceMs, limits, inFlightRequests, logger } = this.#deps;
    if (graceMs > 0) await pause(graceMs);
    const hardEnd = setTimeout(() => {
      logger.error("the drain took too long, stopping with work undone");
      exit(1);
    }, limits.totalMs);

    // Connections whose last response promised keep-alive before the drain become idle one by one.
    const closeIdle = () => this.#servers.forEach(({ server }) => server.closeIdleConnections());
    const sweep = setInterval(closeIdle, 100);
    const closed = Promise.all(
      this.#servers.map(({ close }) => new Promise<void>((done) => close(() => done()))),
    );
    if (!(await within(limits.answersMs, closed))) {
      logger.warn("some requests did not end in time and were aborted");
      // Before the hooks, which may close the database under running requests. Their sockets end with the process.
      inFlightRequests.cut();
    }

    const logFailure = (err: unknown) => logger.error({ err }, "a shutdown hook failed");
    const released = Promise.all(this.#hooks.map((hook) => hook().catch(logFailure)));
    if (!(await within(limits.hooksMs, released))) logger.warn("some shutdown hooks did not finish in time");
    clearInterval(sweep);
    clearTimeout(hardEnd);
    logger.info("drained");
    exit(0);
  }
}
