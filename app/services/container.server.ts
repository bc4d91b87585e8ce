import { join } from "node:path";
import { parseBearerToken } from "~/api/problem.server";
import { brand } from "~/content/brand";
import { InterruptedRestoreError } from "~/db/interrupted-restore.server";
import { NewerDatabaseError, UnreleasedDatabaseError } from "~/db/migrate.server";
import { EnvironmentError, readEnvironment } from "~/env.server";
import { createVisitorCookie } from "~/http/visitor-cookie.server";
import { mebibytes } from "~/lib/sizes";
import { paths } from "~/paths";
import packageJson from "../../package.json";
import { serverBridge } from "../../server/bridge";
import { Argon2PasswordHasher } from "./accounts/drivers/argon2-password-hasher.server";
import { ensureSuperadmin, type FirstSuperadmin } from "./accounts/first-superadmin.server";
import { getLastBackupTime } from "./backups/backup.server";
import { composeAccess, composePasswordPolicy } from "./composition/access.server";
import { startWork } from "./composition/background-work.server";
import { openFoundation } from "./composition/foundation.server";
import { composeMirroring } from "./composition/mirrors.server";
import { composePlatform } from "./composition/platform.server";
import { composeBroadcasts, composePush } from "./composition/push.server";
import { composeResources } from "./composition/resources.server";
import { composeMailer, composeOutreach, composeSending } from "./composition/sending.server";
import { composeSubmissions } from "./composition/submissions.server";
import { createDiskReserve } from "./disk/disk-reserve.server";
import { createIdempotency } from "./idempotency/idempotency.server";
import { DatabaseLogStore } from "./logs/drivers/database-log-store.server";
import { createLogFeed, createLogRest } from "./logs/log-feed.server";
import { createLogs } from "./logs/logs.server";
import {
  countedMailer,
  countedPushSender,
  countedSignups,
  createApplicationMetrics,
} from "./metrics/application-metrics.server";
import { mirrorQueue } from "./mirrors/mirror-rows.server";

/**
 * Composition root: environment -> drivers -> services; only this file and composition/ know all three.
 * remix-serve imports the build before it listens, so nothing is served before the database is migrated.
 */
const bridge = serverBridge();
const { logger } = bridge;

async function compose() {
  const environment = readEnvironment();
  const passwordPolicy = composePasswordPolicy(environment);
  const foundation = await openFoundation(environment, logger);
  const { database, clock, newId, secure } = foundation;

  const disk = createDiskReserve({
    folder: environment.DATA_DIR,
    minimumFree: mebibytes(environment.MIN_FREE_DISK_MB),
    log: logger,
  });
  const { counters, refresh: refreshMetrics } = createApplicationMetrics({
    registry: bridge.metrics,
    database,
    version: packageJson.version,
    freeDisk: disk.free,
    lastBackup: () => getLastBackupTime(environment.DATA_DIR),
    clock: () => performance.now(),
  });
  const platform = composePlatform(foundation);

  const logStore = new DatabaseLogStore(database);
  const logRest = createLogRest(join(environment.DATA_DIR, "log-rest.jsonl"));
  const logFeed = createLogFeed({ source: bridge.logLines, store: logStore, rest: logRest, log: logger });
  const logs = createLogs({
    ...foundation,
    store: logStore,
    source: platform.logs,
    keep: { days: environment.LOG_KEEP_DAYS, megabytes: environment.LOG_KEEP_MB },
  });

  const hasher = new Argon2PasswordHasher();
  const access = composeAccess(foundation, hasher, passwordPolicy);
  const idempotency = createIdempotency(foundation);

  const mailParts = await composeMailer(foundation, platform.client);
  const mailer = countedMailer(mailParts.mailer, counters.emails);
  const sending = composeSending(foundation, mailer);
  const outreach = composeOutreach(sending, idempotency);
  const mirroring = await composeMirroring(foundation);
  const submissions = composeSubmissions(sending, {
    mirror: mirroring.mirror && mirrorQueue,
    outbox: mailParts.outbox,
  });

  const push = await composePush(foundation);
  const pushSender = countedPushSender(push.pushSender, counters.pushes);
  const broadcasts = composeBroadcasts(foundation, pushSender, idempotency, platform.broadcastDispatcher);
  const resources = await composeResources(sending, platform.client);

  // Last step, because its temporary password is shown once and only a process that starts may show it.
  const superadmin = await ensureSuperadmin(
    { database, hasher, clock, newId },
    { email: environment.SUPERADMIN_EMAIL, password: environment.SUPERADMIN_PASSWORD },
  );
  return {
    ...foundation,
    disk,
    refreshMetrics,
    logs,
    logFeed,
    logRest,
    superadmin,
    passwordPolicy,
    platform,
    resources,
    mailer,
    outbox: mailParts.outbox,
    pushSender,
    visitorIdentity: push.visitorIdentity,
    signInVisitor: push.signInVisitor,
    ...access,
    ...outreach,
    ...mirroring,
    ...submissions,
    signups: countedSignups(submissions.signups, counters.signups),
    ...broadcasts,
    visitorCookie: createVisitorCookie({ secure }),
    status: {
      database: database.dialect,
      mailer: mailer.name,
      version: packageJson.version,
      push: pushSender.name,
      mirrors: mirroring.mirror ? [mirroring.mirror.name] : ([] as readonly string[]),
      platform: platform.uses,
    },
  };
}

export type Services = Awaited<ReturnType<typeof compose>>;

const services = await compose().catch(stopBoot);

export const { origin, accounts, userManagement, passwordPolicy, appearanceCookie } = services;
export const { access, logIn, sessionCookie, sessions, activity, logs } = services;
export const { secondFactor, pendingLoginCookie } = services;
export const { signups, quarantine, confirmations, peopleSearch, submissions, deletions, people } = services;
export const { apiTokens, sendApiEmail, apiBroadcasts } = services;
export const { outreach, emailPreviews, sendTestEmail, unsubscribing, outbox, status } = services;
export const { suppressions, bounces, mirrors, mirrorInUse } = services;
export const { resources, measuredAs, broadcasts, sendTestPush } = services;
export const { devices, visitorIdentity, signInVisitor, visitorCookie } = services;
export const { tenants } = services.platform;
export const { settings: pushSettings } = services.pushSender;

/** Prints how to log in first, and starts the background work. Called once, by entry.server. */
export function startBackgroundWork(): void {
  announce();
  bridge.beforeScrape(services.refreshMetrics);
  bridge.setCredentialChecks({
    isSessionSigned: sessionCookie.isSigned,
    isTokenActive: (authorization) => apiTokens.isActive(parseBearerToken(authorization)),
  });
  startWork(services, bridge);
}

function announce(): void {
  const { superadmin } = services;
  if (superadmin.kind === "ready") return;
  // The temporary password goes to the terminal and not to the log: logs are kept and shipped.
  process.stdout.write(
    `\n  ${brand.name} back office: ${origin}${paths.login}\n  Email:    ${superadmin.email}\n  ${passwordLine(superadmin)}\n\n`,
  );
}

function passwordLine(superadmin: Exclude<FirstSuperadmin, { kind: "ready" }>): string {
  if (superadmin.kind === "waiting") {
    return "The password was printed by an earlier start and works until you choose your own. Lost it? Start once with SUPERADMIN_PASSWORD.";
  }
  const password = superadmin.kind === "made" ? superadmin.temporaryPassword : undefined;
  return password === undefined
    ? "Password: (from SUPERADMIN_PASSWORD)"
    : `Password: ${password}\n  Shown once. It works until you choose your own.`;
}

/** Ends a boot that cannot succeed with a message for the operator at the terminal. */
function stopBoot(error: unknown): never {
  const isForPeople =
    error instanceof EnvironmentError ||
    error instanceof NewerDatabaseError ||
    error instanceof UnreleasedDatabaseError ||
    error instanceof InterruptedRestoreError;
  if (isForPeople) process.stderr.write(`${error.message}\n`);
  else logger.fatal({ err: error }, "could not start");
  process.exit(1);
}
