import { getDatabaseProblem } from "~/db/database-problem.server";
import { hours, minutes, seconds } from "~/lib/durations";
import { consume, sweepAttempts } from "~/services/attempts/attempts.server";
import { sweepIdempotencyKeys } from "~/services/idempotency/idempotency.server";
import { sweepDocuments } from "~/services/search/search-index.server";
import { sweepQuarantine } from "~/services/signups/quarantine.server";
import { sweepFingerprints } from "~/services/signups/signups.server";
import { sweepFrozenPeople } from "~/services/audiences/frozen-people.server";
import { releaseAbandonedWaves } from "~/services/waves/abandoned-waves.server";
import { sweepDrafts } from "~/services/drafts/abandoned-drafts.server";
import type { ServerBridge } from "../../../server/bridge";
import type { Foundation } from "./foundation.server";
import type { Services } from "./services.server";

/** The disk, the database's file and its connections are checked this often (hardening R42, R50, R54). */
const READINESS_INTERVAL_MS = seconds(5);

/** Starts the background work: sending, repeating waves, sweeping, readiness, draining. */
export function startWork(services: Services, bridge: ServerBridge): void {
  const { database, disk, logs, logFeed, logRest, resources } = services;
  // Their order does not matter.
  const workers = [
    services.campaignWorker,
    services.transactionalEmails.worker,
    services.alertWorker,
    services.broadcastWorker,
    services.platform.broadcastWorker,
    services.mirrorWorker,
    services.peopleFill,
    services.importWorker,
    services.landingVisitsStore,
  ];
  logFeed.start();
  process.on("exit", () => logRest.keep(logFeed.unstored()));
  services.bootRecord.start();
  workers.forEach((worker) => worker?.start());
  resources.start();
  const timers = startTimers(services);
  // Creates the reserve, if there is none.
  void disk.hasSpace();
  bridge.setReadinessProbe(async () => {
    // First, because it may free space for the write.
    const isSpaceLeft = await disk.hasSpace();
    try {
      await database.probe();
    } catch (cause) {
      return { ok: false, reason: getDatabaseProblem(cause), cause };
    }
    return isSpaceLeft ? { ok: true } : { ok: false, reason: "disk-low" };
  });
  // Also where nobody asks /readyz: the log and the screens say what it finds, and it discards lost connections (R42).
  const readinessTimer = setInterval(() => void bridge.checkReadiness(), READINESS_INTERVAL_MS);
  bridge.onDrain(async () => {
    [...timers, readinessTimer].forEach(clearInterval);
    await Promise.all(workers.map((worker) => worker?.stop()));
    // Without a database it is removed later; the drain goes on.
    await services.bootRecord.stop().catch(() => undefined);
    await logs.stop();
    // Together, because emails about incidents may be in progress until the mailer is closed.
    const drivers = [services.mirror, services.mailer, services.pushSender];
    await Promise.all([resources.stop(), ...drivers.map((driver) => driver?.close())]);
    await logFeed.stop();
    await database.close();
  });
}

function startTimers(services: Services): NodeJS.Timeout[] {
  const { database, clock, log, logs, resources, sessions, confirmations, deletions } = services;
  const { imports, corrections, templates, transactionalEmails, invitations, emailChanges } = services;
  const { waves, wavePlans } = services;
  /** What fails is done the next time. */
  const runEvery = (
    name: string,
    everyMs: number,
    works: () => Promise<unknown>[],
    failure = "deleting old data failed",
  ) =>
    setInterval(() => {
      runOncePerInterval({ database, clock }, { name, everyMs }, () => Promise.all(works())).catch(
        (err: unknown) => log.warn({ err }, failure),
      );
    }, everyMs);
  return [
    runEvery(
      "waves",
      minutes(1),
      () => [wavePlans.runDue(), ...(waves ? [waves.reminders.runDue()] : [])],
      "waves could not be repeated or people not be reminded, which is tried again in a minute",
    ),
    runEvery("minute", minutes(1), () => [
      deletions.sweep(),
      corrections.sweep(),
      templates.sweep(),
      sweepDocuments(database),
      logs.sweep(),
    ]),
    runEvery("ten-minutes", minutes(10), () => [
      sweepAttempts(database, clock),
      sessions.sweep(),
      confirmations.sweep(),
      resources.sweep(),
    ]),
    runEvery(
      "abandoned-waves",
      minutes(10),
      () => [releaseAbandonedWaves(database, clock)],
      "reservations of abandoned waves could not be released, which is tried again in ten minutes",
    ),
    runEvery("hour", hours(1), () => [
      sweepFingerprints(database, clock),
      sweepFrozenPeople(database, clock),
      sweepDrafts(database, "campaigns", clock),
      sweepDrafts(database, "broadcasts", clock),
      sweepIdempotencyKeys(database, clock),
      transactionalEmails.sweep(),
      invitations.sweep(),
      emailChanges.sweep(),
      imports.sweep(),
      sweepQuarantine(database),
    ]),
  ];
}

/** Tolerance for a timer that fires early. */
const TIMER_TOLERANCE_MS = seconds(5);

/**
 * Does work once per interval over all instances (hardening R22): the first instance to ask does it for all.
 * If that instance dies, the next interval does the rest.
 * @param schedule.everyMs interval at which each instance asks; more than twice the tolerance, or two instances would take
 *   turns within one interval.
 */
export async function runOncePerInterval(
  { database, clock }: Pick<Foundation, "database" | "clock">,
  schedule: { readonly name: string; readonly everyMs: number },
  work: () => Promise<unknown>,
): Promise<void> {
  const limit = { allowed: 1, windowMs: schedule.everyMs - TIMER_TOLERANCE_MS };
  const attempt = await database.write((trx) => consume(trx, { [`sweep:${schedule.name}`]: limit }, clock()));
  if (attempt.ok) await work();
}
