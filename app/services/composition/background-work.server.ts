import { hours, minutes, seconds } from "~/lib/durations";
import { consume, sweepAttempts } from "~/services/attempts/attempts.server";
import type { Confirmations } from "~/services/confirmations/confirmations.server";
import type { createDiskReserve } from "~/services/disk/disk-reserve.server";
import { sweepIdempotencyKeys } from "~/services/idempotency/idempotency.server";
import type { LogFeed, LogRest } from "~/services/logs/log-feed.server";
import type { Logs } from "~/services/logs/logs.server";
import type { Resources } from "~/services/resources/resources.server";
import type { Sessions } from "~/services/sessions/sessions.server";
import { sweepQuarantine } from "~/services/signups/quarantine.server";
import { sweepFingerprints } from "~/services/signups/signups.server";
import type { Deletions } from "~/services/submissions/deletions.server";
import { sweepDrafts } from "~/services/sweep-in-chunks.server";
import type { Worker } from "~/services/queue/worker.server";
import type { ServerBridge } from "../../../server/bridge";
import type { Foundation } from "./foundation.server";

interface BackgroundWorkDeps extends Pick<Foundation, "database" | "clock" | "log"> {
  readonly bridge: ServerBridge;
  readonly disk: ReturnType<typeof createDiskReserve>;
  readonly logFeed: LogFeed;
  readonly logRest: LogRest;
  readonly logs: Logs;
  readonly resources: Resources;
  readonly sessions: Sessions;
  readonly confirmations: Confirmations;
  readonly deletions: Deletions;
  /** Workers that send and copy; their order does not matter. */
  readonly workers: readonly (Worker | undefined)[];
  /** Closes the drivers that the workers use. */
  readonly closeDrivers: () => Promise<void>;
}

/** Starts the background work: sending, sweeping, readiness, draining. */
export function startWork(deps: BackgroundWorkDeps): void {
  const { bridge, database, disk, logs, logFeed, resources, workers } = deps;
  logFeed.start();
  process.on("exit", () => deps.logRest.keep(logFeed.unstored()));
  workers.forEach((worker) => worker?.start());
  resources.start();
  const sweepTimers = startSweeping(deps);
  void disk.hasSpace();
  const diskTimer = setInterval(() => void disk.hasSpace(), seconds(10));
  bridge.setReadinessProbe(async () => {
    // First, because it may free space for the write.
    const isSpaceLeft = await disk.hasSpace();
    await database.probe();
    return isSpaceLeft ? { ok: true } : { ok: false, reason: "disk-low" };
  });
  bridge.onDrain(async () => {
    [...sweepTimers, diskTimer].forEach(clearInterval);
    await Promise.all(workers.map((worker) => worker?.stop()));
    await logs.stop();
    // Together, because emails about incidents may be in progress until the mailer is closed.
    await Promise.all([resources.stop(), deps.closeDrivers()]);
    await logFeed.stop();
    await database.close();
  });
}

function startSweeping(deps: BackgroundWorkDeps): NodeJS.Timeout[] {
  const { database, clock, log, logs, resources, sessions, confirmations, deletions } = deps;
  const failed = (err: unknown) => log.warn({ err }, "deleting old data failed");
  /** The next sweep removes what a failed one leaves. */
  const sweepEvery = (name: string, everyMs: number, sweeps: () => Promise<unknown>[]) =>
    setInterval(() => {
      sweepOncePerInterval({ database, clock }, { name, everyMs }, () => Promise.all(sweeps())).catch(failed);
    }, everyMs);
  return [
    sweepEvery("minute", minutes(1), () => [deletions.sweep(), logs.sweep()]),
    sweepEvery("ten-minutes", minutes(10), () => [
      sweepAttempts(database, clock),
      sessions.sweep(),
      confirmations.purge(),
      resources.sweep(),
    ]),
    sweepEvery("hour", hours(1), () => [
      sweepFingerprints(database, clock),
      sweepDrafts(database, "campaigns", clock),
      sweepDrafts(database, "broadcasts", clock),
      sweepIdempotencyKeys(database, clock),
      sweepQuarantine(database),
    ]),
  ];
}

/** Tolerance for a timer that fires early. */
const TIMER_TOLERANCE_MS = seconds(5);

/**
 * Runs a sweep once per interval over all instances (hardening R22): the first instance to ask does it for all.
 * If that instance dies, the next interval does the rest.
 * @param schedule.everyMs interval at which each instance asks; more than ten seconds.
 */
export async function sweepOncePerInterval(
  { database, clock }: Pick<Foundation, "database" | "clock">,
  schedule: { readonly name: string; readonly everyMs: number },
  sweep: () => Promise<unknown>,
): Promise<void> {
  const limit = { allowed: 1, windowMs: schedule.everyMs - TIMER_TOLERANCE_MS };
  const attempt = await database.write((trx) => consume(trx, { [`sweep:${schedule.name}`]: limit }, clock()));
  if (attempt.ok) await sweep();
}
