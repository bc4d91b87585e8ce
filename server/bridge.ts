import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Dependency } from "./load/dependency-waits.ts";
import type { EndWait } from "./load/place.ts";
import type { LogLines } from "../app/lib/log-lines.ts";
import type { VisitCounts } from "../app/lib/visit-counts.ts";

/** Shared by the guard and the application, two module graphs in one process: hence a symbol on globalThis. */
export interface RequestContext {
  /** Sent as X-Request-Id and shown on error pages. */
  readonly requestId: string;
  /** Base64, 128 random bits: every inline script of this response carries it. */
  readonly nonce: string;
  /** The client's address; behind TRUST_PROXY proxies, the one they report. */
  readonly clientAddress: string;
  /**
   * Gives the request's place in the concurrency limiter back while it waits for a dependency (docs/decisions/0013).
   * @returns the function that ends the wait; undefined when too many requests wait for it, and this one must end.
   */
  readonly startWait: (dependency: Dependency) => EndWait | undefined;
  /** Waits until the connection takes more data (Remix ignores backpressure). False: the client left, cut it off. */
  readonly untilWritable: () => Promise<boolean>;
}

/** Whether visitors should be sent here; `reason` is a code that /readyz shows, `cause` is for the log. */
export type Readiness = { ok: true } | { ok: false; reason: string; cause?: unknown };

/** Checks with which the guard recognises operators and API clients, without any side effect. */
export interface CredentialChecks {
  /** @param cookies a Cookie header. @returns whether its session cookie has a good signature and its session lives. */
  readonly isSessionAlive: (cookies: string) => Promise<boolean>;
  /** @param authorization an Authorization header. @returns whether it is an API token that works. */
  readonly isTokenActive: (authorization: string) => Promise<boolean>;
}

export interface ServerBridge {
  readonly logger: Logger;
  /** Every line the logger wrote to standard output, for the log store. */
  readonly logLines: LogLines;
  /** Visits of the landing page, which the application stores. */
  readonly landingVisits: VisitCounts;
  /** The context of the current request; undefined outside of one. */
  current(): RequestContext | undefined;
  /** Returns whether the process is shutting down: callers that wait should give up. */
  isDraining(): boolean;
  /** Registers the application's readiness probe; until then /readyz is 503. */
  setReadinessProbe(probe: () => Promise<Readiness>): void;
  /** Asks what /readyz answers now, and logs it when it has changed. */
  checkReadiness(): Promise<Readiness>;
  /** Returns what /readyz answered last, for the screens; "ready" before the first time. */
  readiness(): Readiness;
  /** Registers the application's credential checks; until then nobody is authenticated. */
  setCredentialChecks(checks: CredentialChecks): void;
  /** The registry of /metrics, to which the application adds its metrics beside the guard's. */
  readonly metrics: Registry;
  /** Registers what updates the application's metrics before each scrape; it may be slow or fail. */
  beforeScrape(refresh: () => Promise<void>): void;
  /** Registers a hook for SIGTERM, run after in-flight requests; the process exits when all hooks have settled. */
  onDrain(release: () => Promise<void>): void;
}

const KEY = Symbol.for("frontdesk.server");
type Shared = typeof globalThis & { [KEY]?: ServerBridge };

/** Publishes the guard's side. Only the guard calls this. */
export function installBridge(bridge: ServerBridge): void {
  (globalThis as Shared)[KEY] = bridge;
}

/** @throws when the server was started without its guard: it must never serve unguarded. */
export function serverBridge(): ServerBridge {
  const bridge = (globalThis as Shared)[KEY];
  if (!bridge)
    throw new Error("Started without the guard: use node --import ./server/preload.mjs (see npm start)");
  return bridge;
}
