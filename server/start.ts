import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes, randomUUID } from "node:crypto";
import { pino } from "pino";
import { type Environment, EnvironmentError, readEnvironment, setForLibraries } from "../app/env.server.ts";
import { maskSecrets } from "../app/lib/mask-secrets.ts";
import { type CredentialChecks, installBridge, type Readiness, type RequestContext } from "./bridge.ts";
import { ANALYTICS_HOSTS, ANALYTICS_SCRIPT_HOSTS, FIREBASE_HOSTS } from "./response/content-policy.ts";
import { createRateLimit } from "./observability/csp-report.ts";
import { Drain, DRAIN_LIMITS, type DrainLimits } from "./lifecycle/drain.ts";
import { InFlightRequests } from "./lifecycle/in-flight-requests.ts";
import { createGuard } from "./guard.ts";
import { guardHttpServers, TIMEOUTS, type Timeouts } from "./guarded-server.ts";
import { createHealth } from "./lifecycle/health.ts";
import { createCachedResponse } from "./cache/cached-response.ts";
import { AssetCache } from "./cache/asset-cache.ts";
import { AGES, PageCache } from "./cache/page-cache.ts";
import { isLandingPageRequest, hasSessionCookie } from "./cache/landing-request.ts";
import { LandingVisits } from "./observability/landing-visits.ts";
import { LineQueue } from "./observability/line-queue.ts";
import { ConcurrencyLimiter } from "./load/concurrency-limiter.ts";
import { DependencyWaits } from "./load/dependency-waits.ts";
import { EventLoopLag } from "./load/event-loop-lag.ts";
import { createMetrics } from "./observability/metrics.ts";
import { createMetricsEndpoint } from "./observability/metrics-response.ts";
import { silenceMorgan } from "./observability/morgan.ts";
import { createLogOutput } from "./observability/log-output.ts";
import { PageRenderer } from "./cache/page-renderer.ts";
import { RequestLog } from "./observability/request-log.ts";
import { BodyReceiver } from "./request/body-receiver.ts";
import { StaticFiles } from "./request/static-files.ts";

/** The guard's composition root: creates its parts from the environment and installs them in front of node:http. */
export function startGuard(timeouts: Timeouts = TIMEOUTS, limits: DrainLimits = DRAIN_LIMITS): void {
  const environment = readEnvironmentOrExit();
  setForLibraries(environment);
  const settings = getHeaderSettings(environment);
  const output = createLogOutput((dropped) =>
    logger.warn({ dropped }, "log lines are missing here, because nothing read standard output"),
  );
  const logLines = new LineQueue();
  const now = () => performance.now();
  const lagMs = new EventLoopLag(now).watch().lasting;
  const limiter = new ConcurrencyLimiter(lagMs);
  const waits = new DependencyWaits();
  const metrics = createMetrics({
    lagMs,
    running: () => limiter.running,
    waiting: () => limiter.waiting,
    waitingFor: (dependency) => waits.count(dependency),
    dropped: () => logLines.totalDropped,
    unwritten: () => output.totalDropped,
  });
  const metricsEndpoint = createMetricsEndpoint(metrics.registry, environment.METRICS_TOKEN);
  if (environment.METRICS_TOKEN !== undefined) metrics.watchProcess();
  const logger = pino(
    {
      base: undefined,
      level: environment.LOG_LEVEL,
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(input, log, level) {
          metrics.logged(level);
          log.apply(this, input);
        },
        // Errors contain their input, such as an invalid URL with its login (hardening C43).
        streamWrite: (line) => maskSecrets(line),
      },
    },
    {
      write(line: string) {
        output.write(line);
        logLines.push(line);
      },
    },
  );
  const requestLog = new RequestLog(logger);
  process.on("exit", () => {
    requestLog.endSecond();
    output.flushSync();
  });
  const exit = (code: number) => process.exit(code);
  const storage = new AsyncLocalStorage<RequestContext>();
  const inFlightRequests = new InFlightRequests();
  const graceMs = environment.SHUTDOWN_GRACE_SECONDS * 1000;
  const drain = new Drain({ inFlightRequests, logger, limits, graceMs, exit, now });
  const { isDraining } = drain;
  const health = createHealth(isDraining, logger);
  const ids = {
    newRequestId: () => randomUUID(),
    newNonce: () => randomBytes(16).toString("base64"),
  };
  // The host that the application uses as its own too (app/services/composition/foundation.server.ts).
  const { host } = new URL(environment.ORIGIN ?? `http://localhost:${environment.PORT}`);
  const renderer = new PageRenderer({ host, ...ids });
  const landing = new PageCache({
    render: async () => createCachedResponse(await renderer.render("/"), settings),
    onError: (err) => logger.warn({ err }, "the landing page could not be cached"),
    ages: AGES,
    now,
  });
  const landingVisits = new LandingVisits(Date.now);
  const assets = new AssetCache("build/client/assets", settings);
  let checks: CredentialChecks | undefined;
  const hasSession = async (cookies: string | undefined) =>
    cookies !== undefined &&
    hasSessionCookie(cookies, settings.https) &&
    ((await checks?.isSessionAlive(cookies)) ?? false);
  const guard = createGuard({
    settings,
    readMs: timeouts.readMs,
    logger,
    requestLog,
    inFlightRequests,
    storage,
    health,
    metrics,
    metricsEndpoint,
    load: { limiter, waits },
    files: settings.development ? new StaticFiles([]) : StaticFiles.read("build/client", "public"),
    bodies: new BodyReceiver(),
    credentials: {
      hasSession,
      hasToken: async (authorization) =>
        authorization !== undefined && ((await checks?.isTokenActive(authorization)) ?? false),
    },
    isDraining,
    mayReport: createRateLimit(60, 60_000, Date.now),
    ...ids,
    getOwnContext: (socket) => renderer.getContext(socket),
    getCachedResponse: (request) => {
      // In development changes are visible at once.
      if (settings.development) return undefined;
      const { cookie } = request.headers;
      const isVisitor = !hasSessionCookie(cookie, settings.https);
      if (isVisitor) landingVisits.count(request);
      if (!isLandingPageRequest(request)) return assets.get(request);
      if (isVisitor) return landing.get();
      // A forged cookie, or one of an ended session, gets the public page.
      return hasSession(cookie).then((isAlive) => (isAlive ? undefined : landing.get()));
    },
  });

  let rendering: Promise<unknown> | undefined;
  const setReadinessProbe = (probe: () => Promise<Readiness>) =>
    health.setReadinessProbe(async () => {
      // The first rendering is slow: a proxy sends visitors only to an instance that has done it (R21).
      await (rendering ??= settings.development ? Promise.resolve() : landing.refresh());
      return probe();
    });

  // The process's state is unknown: the supervisor starts a clean one (R29). Acknowledged data is on disk already.
  process.on("uncaughtException", (err, origin) => {
    logger.fatal({ err }, origin === "unhandledRejection" ? "unhandled rejection" : "uncaught exception");
    exit(1);
  });
  silenceMorgan();
  guardHttpServers({ guard, inFlightRequests, logger, settings, timeouts, isDraining }, (created) => {
    drain.addServer(created);
    // While it is not listening, only its address can be wrong: a sentence for the terminal, without a stack.
    created.server.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      const reason =
        code === "EADDRINUSE"
          ? "is in use: stop the program that uses it, or choose another"
          : `cannot be used: ${message}`;
      process.stderr.write(`PORT: ${environment.PORT} ${reason}.\n`);
      exit(1);
    });
    renderer.useServer(created.server);
  });
  // SIGHUP: the terminal was closed, or the service manager reloads.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => drain.begin(signal));
  installBridge({
    logger,
    isDraining,
    logLines,
    landingVisits,
    current: () => storage.getStore(),
    setReadinessProbe,
    checkReadiness: health.check,
    readiness: health.latest,
    setCredentialChecks: (input) => void (checks = input),
    metrics: metrics.registry,
    beforeScrape: metricsEndpoint.beforeScrape,
    onDrain: drain.onDrain,
  });
}

function getHeaderSettings(environment: Environment) {
  const pushHosts = environment.PUSH_DRIVER === "fcm" ? FIREBASE_HOSTS : [];
  const hasAnalytics = environment.FIREBASE_MEASUREMENT_ID !== undefined;
  return {
    origin: environment.ORIGIN,
    trustedProxies: environment.TRUST_PROXY,
    https: environment.ORIGIN?.startsWith("https:") ?? false,
    development: environment.NODE_ENV === "development",
    connectHosts: [...pushHosts, ...(hasAnalytics ? ANALYTICS_HOSTS : [])],
    scriptHosts: hasAnalytics ? ANALYTICS_SCRIPT_HOSTS : [],
  };
}

function readEnvironmentOrExit(): Environment {
  try {
    return readEnvironment();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    // Printed for the terminal: the variables to correct, without a stack.
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
