import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { LogLines } from "./observability/line-queue.ts";

/**
 * What the guard (server/preload.mjs, loaded before remix-serve) and the application (the Remix build) share.
 * They are two module graphs in one process, so the meeting place is one well-known symbol on globalThis.
 */
export interface RequestContext {
  /** Sent as X-Request-Id and shown on error pages. */
  readonly requestId: string;
  /** Base64, 128 random bits: every inline script of this response carries it. */
  readonly nonce: string;
  /** The visitor's address; behind TRUST_PROXY proxies, the one they report. */
  readonly clientAddress: string;
  /** Aborts when the connection closes or the server drains. */
  readonly signal: AbortSignal;
  /**
   * For an answer of any length: waits until the connection takes more, because Remix writes what it is given without
   * asking. False when there is nobody to write to any more; the answer is then cut off, never ended as if it were whole.
   */
  readonly untilWritable: () => Promise<boolean>;
}

export type Readiness = { ok: true } | { ok: false; reason: string };

/** How the guard asks the application whom it may trust with more than a stranger, without doing anything for them. */
export interface CredentialChecks {
  /** @param cookies a Cookie header. @returns whether its session cookie has a good signature. */
  readonly isSessionSigned: (cookies: string) => Promise<boolean>;
  /** @param authorization an Authorization header. @returns whether it is an API token that works. */
  readonly isTokenActive: (authorization: string) => Promise<boolean>;
}

export interface ServerBridge {
  readonly logger: Logger;
  /** Every line the logger wrote to standard output, for the log store. */
  readonly logLines: LogLines;
  /** The request being answered, or undefined outside of one. */
  current(): RequestContext | undefined;
  /** Whether the process is about to end: whoever waits should give up. */
  isDraining(): boolean;
  /** The application says how /readyz asks it; until then /readyz is 503. */
  setReadinessProbe(probe: () => Promise<Readiness>): void;
  /** The application says how credentials are checked; until then nobody has any. */
  setCredentialChecks(checks: CredentialChecks): void;
  /** Where the application's numbers stand beside the guard's, for /metrics. */
  readonly metrics: Registry;
  /** The application says how its numbers are brought up to date before each scrape; it may be slow or fail. */
  beforeScrape(refresh: () => Promise<void>): void;
  /** Called once on SIGTERM after in-flight requests are answered; the process exits when all have settled. */
  onDrain(release: () => Promise<void>): void;
}

const KEY = Symbol.for("frontdesk.server");
type Shared = typeof globalThis & { [KEY]?: ServerBridge };

/** Called by the guard alone. */
export function installBridge(bridge: ServerBridge): void {
  (globalThis as Shared)[KEY] = bridge;
}

/**
 * The guard's side of the process.
 * @throws when the server was started without its guard: it must never serve bare.
 */
export function serverBridge(): ServerBridge {
  const bridge = (globalThis as Shared)[KEY];
  if (!bridge)
    throw new Error("Started without the guard: use node --import ./server/preload.mjs (see npm start)");
  return bridge;
}
