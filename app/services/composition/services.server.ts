import { join } from "node:path";
import { readEnvironment } from "~/env.server";
import { createVisitorCookie } from "~/http/visitor-cookie.server";
import { Argon2PasswordHasher } from "~/services/accounts/drivers/argon2-password-hasher.server";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import { getLastBackup } from "~/services/backups/backup.server";
import { createIdempotency } from "~/services/idempotency/idempotency.server";
import { DatabaseLogStore } from "~/services/logs/drivers/database-log-store.server";
import { createLogFeed, createLogRest } from "~/services/logs/log-feed.server";
import { createLogs } from "~/services/logs/logs.server";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import {
  countedMailer,
  countedPushSender,
  countedSignups,
  createApplicationMetrics,
} from "~/services/metrics/application-metrics.server";
import { mirrorQueue } from "~/services/mirrors/mirror-rows.server";
import { watchMailer } from "~/services/mail/watched-mailer";
import { createBootRecord } from "~/services/instances/boot-record.server";
import { createSavedViews } from "~/services/views/saved-views.server";
import { LandingVisitsStore } from "~/services/sources/landing-visits.server";
import { createFunnel } from "~/services/sources/funnel.server";
import { createWavePlans } from "~/services/waves/wave-plans.server";
import { createSources } from "~/services/sources/sources.server";
import packageJson from "../../../package.json";
import type { ServerBridge } from "../../../server/bridge";
import { composeAccess, composePasswordPolicy } from "./access.server";
import { openFoundation } from "./foundation.server";
import { composeMirroring } from "./mirrors.server";
import { composePlatform } from "./platform.server";
import { composeBroadcasts, composePush } from "./push.server";
import { composeResources } from "./resources.server";
import {
  composeAutomaticServices,
  composeAlerts,
  composeEmailChanges,
  composeInvitations,
  composeMailer,
  composeCampaigns,
  composeSending,
  composeWaves,
  getDailyEmailLimit,
} from "./sending.server";
import { composeSetup } from "./setup.server";
import { composeSubmissions } from "./submissions.server";
import {
  createWaitFor,
  waitingDatabase,
  waitingHasher,
  waitingIdentity,
  waitingMailer,
  waitingPushSender,
  waitingResources,
} from "./waits.server";

export type Services = Awaited<ReturnType<typeof composeServices>>;

/** Builds all services: environment -> drivers -> services; only composition/ knows all three. */
export async function composeServices(bridge: ServerBridge) {
  const { logger } = bridge;
  const environment = readEnvironment();
  const passwordPolicy = composePasswordPolicy(environment);
  const waitFor = createWaitFor(bridge);
  const opened = await openFoundation(environment, logger);
  const foundation = { ...opened, database: waitingDatabase(opened.database, waitFor) };
  const { database, disk, clock, newId, secure, leaseTime, instance } = foundation;

  const dailyAllowance = new DailyAllowance(getDailyEmailLimit(environment));
  const getAllowance = () => dailyAllowance.getToday(database.read, clock());
  const { counters, refresh: refreshMetrics } = createApplicationMetrics({
    registry: bridge.metrics,
    database,
    version: packageJson.version,
    freeDisk: disk.free,
    lastBackup: async () => (await getLastBackup(environment.DATA_DIR))?.at,
    getAllowance,
    elapsed: () => performance.now(),
  });
  const bootRecord = createBootRecord({ database, leaseTime, newId, instance, log: logger });
  const platform = composePlatform(foundation, waitFor);

  const logStore = new DatabaseLogStore(database);
  // By port: processes may share the folder, and each keeps its own.
  const logRest = createLogRest(join(environment.DATA_DIR, `log-rest-${environment.PORT}.jsonl`));
  const logFeed = createLogFeed({ source: bridge.logLines, store: logStore, rest: logRest, log: logger });
  const logs = createLogs({
    database,
    clock,
    newId,
    store: logStore,
    source: platform.logs,
    keep: { days: environment.LOG_KEEP_DAYS, megabytes: environment.LOG_KEEP_MB },
  });

  const hasher = waitingHasher(new Argon2PasswordHasher(), waitFor);
  const access = composeAccess(foundation, hasher, passwordPolicy);
  const idempotency = createIdempotency({ database, clock });

  const mailParts = await composeMailer(foundation, platform.client);
  const { mailer: watched, getProblem: getMailProblem } = watchMailer(mailParts.mailer, logger);
  const mailer = waitingMailer(countedMailer(watched, counters.emails), waitFor);
  const sending = composeSending(foundation, mailer, dailyAllowance);
  const invitations = composeInvitations(foundation, sending, { hasher, passwordPolicy });
  const emailChanges = composeEmailChanges(foundation, sending, hasher);
  const outreach = composeCampaigns(foundation, sending);
  const mirroring = await composeMirroring(foundation);
  const submissions = composeSubmissions(foundation, sending, {
    mirror: mirroring.mirror && mirrorQueue,
    outbox: mailParts.outbox,
  });

  const push = await composePush(foundation);
  const pushSender = waitingPushSender(countedPushSender(push.pushSender, counters.pushes), waitFor);
  const broadcasts = composeBroadcasts(
    foundation,
    waitFor,
    pushSender,
    idempotency,
    platform.broadcastWorker,
  );
  const resources = waitingResources(await composeResources(foundation, sending, platform.client), waitFor);

  // After everything that may fail, because its temporary password is shown once and only a process that starts may show it.
  const superadmin = await ensureSuperadmin(
    { database, hasher, clock, newId },
    { email: environment.SUPERADMIN_EMAIL, password: environment.SUPERADMIN_PASSWORD },
  );
  return {
    database,
    disk,
    clock,
    log: logger,
    origin: foundation.origin,
    brand: foundation.brand,
    measuredAs: foundation.measuredAs,
    isMeasuredByPlatform: foundation.isMeasuredByPlatform,
    bootRecord,
    refreshMetrics,
    logs,
    logFeed,
    logRest,
    superadmin,
    passwordPolicy,
    platform,
    resources,
    mailer,
    getMailProblem,
    getAllowance,
    transactionalEmails: sending.emails,
    invitations,
    waves: composeWaves(foundation, sending),
    wavePlans: createWavePlans({ database, clock, newId, outreach: outreach.outreach }),
    emailChanges,
    outbox: mailParts.outbox,
    pushSender,
    visitorIdentity: waitingIdentity(push.visitorIdentity, waitFor),
    signInVisitor: push.signInVisitor,
    ...access,
    ...outreach,
    ...composeAutomaticServices(foundation, sending),
    ...composeAlerts(foundation, sending),
    ...mirroring,
    ...submissions,
    setup: composeSetup(foundation, sending, submissions),
    savedViews: createSavedViews({ database, clock, newId }),
    asksHeardFrom: environment.HEARD_FROM,
    landingVisitsStore: new LandingVisitsStore({ database, counts: bridge.landingVisits, log: logger }),
    sources: createSources({ database }),
    funnel: createFunnel({ database, isInviting: environment.INVITE_URL !== undefined }),
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
