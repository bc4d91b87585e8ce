import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes, randomUUID } from "node:crypto";
import { pino } from "pino";
import { type Environment, EnvironmentError, readEnvironment } from "../app/env.server.ts";
import { installBridge, type RequestContext } from "./bridge.ts";
import { exitOnSurprise } from "./crash.ts";
import { createRateLimit } from "./csp-report.ts";
import { Drain, DRAIN_LIMITS, type DrainLimits } from "./drain.ts";
import { Exchanges } from "./exchanges.ts";
import { createGuard } from "./guard.ts";
import { guardHttpServers, TIMEOUTS, type Timeouts } from "./guarded-server.ts";
import { createHealth } from "./health.ts";
import { silenceMorgan } from "./morgan.ts";

/** The guard's composition root: the environment becomes the parts, the parts stand in front of node:http. */
export function startGuard(timeouts: Timeouts = TIMEOUTS, limits?: DrainLimits): void {
  const environment = readEnvironmentOrExit();
  const settings = settingsOf(environment);
  const logger = pino({
    base: undefined,
    level: environment.LOG_LEVEL,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  });
  const exit = (code: number) => process.exit(code);
  const storage = new AsyncLocalStorage<RequestContext>();
  const live = new Exchanges();
  const graceMs = environment.SHUTDOWN_GRACE_SECONDS * 1000;
  const drain = new Drain({
    live,
    logger,
    limits: limits ?? { ...DRAIN_LIMITS, graceMs },
    exit,
    now: () => performance.now(),
  });
  const { isDraining } = drain;
  const health = createHealth(isDraining);
  const mayReport = createRateLimit(60, 60_000, Date.now);
  const newNonce = () => randomBytes(16).toString("base64");
  const ids = { newRequestId: () => randomUUID(), newNonce };
  const guard = createGuard({ settings, logger, live, storage, health, isDraining, mayReport, ...ids });

  exitOnSurprise(logger, exit);
  silenceMorgan();
  guardHttpServers({ guard, live, logger, settings, timeouts, isDraining }, drain.addServer);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => drain.begin(signal));
  installBridge({
    logger,
    current: () => storage.getStore(),
    setReadinessProbe: health.setReadinessProbe,
    onDrain: drain.onDrain,
  });
}

function settingsOf({ ORIGIN, TRUST_PROXY, NODE_ENV }: Environment) {
  const https = ORIGIN?.startsWith("https:") ?? false;
  return { origin: ORIGIN, trustedProxies: TRUST_PROXY, https, development: NODE_ENV === "development" };
}

function readEnvironmentOrExit(): Environment {
  try {
    return readEnvironment();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    // For the person at the terminal: what to correct, no stack.
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
