import { bearerIn } from "~/api/problem.server";
import { brand } from "~/content/brand";
import { openDatabase } from "~/db/open-database.server";
import { InterruptedRestoreError } from "~/db/interrupted-restore.server";
import { NewerDatabaseError, UnreleasedDatabaseError } from "~/db/migrate.server";
import { sharedTimeOf } from "~/db/shared-time.server";
import { EnvironmentError, readEnvironment } from "~/env.server";
import { mebibytes } from "~/lib/sizes";
import { paths } from "~/paths";
import { createVisitorCookie } from "~/http/visitor-cookie.server";
import packageJson from "../../package.json";
import { serverBridge } from "../../server/bridge";
import { Argon2PasswordHasher } from "./accounts/drivers/argon2-password-hasher.server";
import { ensureSuperadmin } from "./accounts/first-superadmin.server";
import type { FirstSuperadmin } from "./accounts/first-superadmin.server";
import { accessFor, passwordPolicyFor } from "./composition/access.server";
import { startWork } from "./composition/background-work.server";
import { broadcastsFor } from "~/services/composition/push.server";
import { checkDataFolder } from "./composition/data-folder.server";
import { logsFor } from "./composition/logs.server";
import { mailFor } from "~/services/composition/sending.server";
import { metricsFor } from "./composition/metrics.server";
import { mirroringFor } from "./composition/mirrors.server";
import { platformFor } from "./composition/platform.server";
import { pushFor } from "./composition/push.server";
import { resourcesFor } from "./composition/resources.server";
import { outreachFor, sendingFor } from "./composition/sending.server";
import { submissionsFor } from "./composition/submissions.server";
import { createDiskReserve } from "./disk/disk-reserve.server";
import { createIdempotency } from "./idempotency/idempotency.server";
import { newId } from "./ids.server";
import { mirrorQueue } from "./mirrors/mirror-queue.server";
import { loadSecrets } from "./secrets/secrets.server";

/**
 * The composition root: environment -> drivers -> services. It and composition/ alone know all three. remix-serve imports the
 * build before it listens, so nothing is served before the database is open and up to date.
 */
const bridge = serverBridge();
const { logger } = bridge;
const clock = Date.now;

async function compose() {
  const environment = readEnvironment();
  const passwordPolicy = passwordPolicyFor(environment);
  checkDataFolder(environment);
  const origin = environment.ORIGIN ?? `http://localhost:${environment.PORT}`;
  const secure = origin.startsWith("https:");
  const database = await openDatabase({
    url: environment.DATABASE_URL,
    dataDir: environment.DATA_DIR,
    onError: (err) => logger.warn({ err }, "lost a database connection"),
  });
  const disk = createDiskReserve({
    folder: environment.DATA_DIR,
    minimumFree: mebibytes(environment.MIN_FREE_DISK_MB),
    log: logger,
  });
  const metrics = metricsFor(environment, {
    registry: bridge.metrics,
    database,
    disk,
    version: packageJson.version,
  });
  const leaseTime = sharedTimeOf(database.dialect);
  const basics = { database, clock, leaseTime, newId, log: logger };
  const platform = platformFor(environment, basics);
  const logging = logsFor(environment, { ...basics, shown: platform.logs, ownLines: bridge.logLines });
  const secrets = await loadSecrets(database, clock, {
    session: environment.SESSION_SECRET,
    form: environment.FORM_SECRET,
    vapidPublic: environment.VAPID_PUBLIC_KEY,
    vapidPrivate: environment.VAPID_PRIVATE_KEY,
  });

  const hasher = new Argon2PasswordHasher();
  const access = accessFor(environment, { ...basics, hasher, passwordPolicy, secrets, secure });
  const idempotency = createIdempotency(basics);

  const mail = metrics.countMails(await mailFor(environment, { ...basics, platform: platform.client }));
  const sending = sendingFor(environment, { ...basics, mailer: mail.mailer });
  const { instance } = sending;
  const outreach = outreachFor(environment, { sending, idempotency, secrets, origin });
  const mirroring = await mirroringFor(environment, { ...basics, instance });
  const submissions = metrics.countSignups(
    submissionsFor(environment, {
      sending,
      secrets,
      origin,
      outboxEraser: mail.outboxEraser,
      mirror: mirroring.mirror && mirrorQueue,
    }),
  );

  const push = metrics.countPushes(await pushFor(environment, { ...basics, secrets }));
  const broadcasts = broadcastsFor(environment, {
    ...basics,
    sender: push.pushSender,
    idempotency,
    instance,
    platformDispatcher: platform.broadcastDispatcher,
  });
  const resources = await resourcesFor(environment, { ...sending, origin, platform: platform.client });

  // Last: its temporary password is shown once, by a process that runs.
  const superadmin = await ensureSuperadmin(
    { database, hasher, clock, newId },
    { email: environment.SUPERADMIN_EMAIL, password: environment.SUPERADMIN_PASSWORD },
  );
  return {
    origin,
    database,
    disk,
    metrics,
    superadmin,
    passwordPolicy,
    platform,
    resources,
    instance,
    ...access,
    ...mail,
    ...outreach,
    ...mirroring,
    ...submissions,
    ...broadcasts,
    ...push,
    ...logging,
    visitorCookie: createVisitorCookie({ secure }),
    /** What the status bar says. */
    status: {
      database: database.dialect,
      mail: mail.mailer.name,
      version: packageJson.version,
      /** Who carries messages to devices. */
      push: push.pushSender.name,
      /** Where submissions are copied to. */
      mirrors: mirroring.mirror ? [mirroring.mirror.name] : ([] as readonly string[]),
      /** What else the platform does for us, beside mail. */
      platform: platform.uses,
    },
  };
}

const services = await compose().catch(stopBoot);

/** What routes use. */
export const { origin, accounts, userManagement, passwordPolicy, appearanceCookie } = services;
export const { access, logIn, sessionCookie, ownSessions, activity, logs } = services;
export const { secondFactor, secondStep, pendingLoginCookie } = services;
export const { signups, quarantine, confirmations, peopleSearch, submissions, deletions, people } = services;
export const { apiTokens, bearerAccess, sendApiMail, apiBroadcasts, accountEndpoint } = services;
export const { outreach, mailPreviews, sendTestMail, unsubscribing, outbox, status } = services;
export const { suppressions, bounces, mirrors, mirrorInUse } = services;
export const { resources, instance, broadcasts, sendTestPush } = services;
export const { devices, visitorIdentity, signInVisitor, visitorCookie } = services;
export const { tenants } = services.platform;
export const { settings: pushSettings } = services.pushSender;

/** Says how to log in first, and starts what runs beside requests. Called once, by entry.server. */
export function startBackgroundWork(): void {
  const { platform, dispatcher, confirmationMails, broadcastDispatcher, mirrorWorker } = services;
  const { mirror, mailer, pushSender } = services;
  announce();
  bridge.beforeScrape(services.metrics.refresh);
  bridge.setCredentialChecks({
    isSessionSigned: sessionCookie.isSigned,
    isTokenActive: (authorization) => apiTokens.isActive(bearerIn(authorization)),
  });
  startWork({
    ...services,
    bridge,
    clock,
    log: logger,
    workers: [dispatcher, confirmationMails, broadcastDispatcher, platform.broadcastDispatcher, mirrorWorker],
    closeDrivers: async () => {
      await Promise.all([mirror?.close(), mailer.close(), pushSender.close()]);
      platform.client?.close();
    },
  });
}

function announce(): void {
  const { superadmin } = services;
  if (superadmin.kind === "ready") return;
  // The temporary password goes to the terminal, not to the log: logs are kept and shipped.
  process.stdout.write(
    `\n  ${brand.name} back office: ${origin}${paths.login}\n  Email:    ${superadmin.email}\n  ${passwordLine(superadmin)}\n\n`,
  );
}

function passwordLine(superadmin: Exclude<FirstSuperadmin, { kind: "ready" }>): string {
  if (superadmin.kind === "waiting") {
    return "Its password is the one an earlier start printed, until you choose your own. Lost it? Start once with SUPERADMIN_PASSWORD.";
  }
  const password = superadmin.kind === "made" ? superadmin.temporaryPassword : undefined;
  return password === undefined
    ? "Password: (from SUPERADMIN_PASSWORD)"
    : `Password: ${password}\n  Shown once. It logs in until you have chosen your own.`;
}

/** Ends a boot that cannot succeed with a sentence for the person at the terminal. */
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
