import { sql, type Selectable } from "kysely";
import { hasRows } from "~/db/rows";
import type { PlatformBroadcastsTable } from "~/db/tables/broadcast";
import { hours, minutes, seconds } from "~/lib/durations";
import { retryLater } from "~/services/queue/job-type";
import type { Finished, JobAttempts, JobResult, JobType } from "~/services/queue/job-type";
import { isDueAt } from "~/services/queue/leases.server";
import { createQueueWorker, type QueueOptions } from "~/services/queue/queue.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import type { Worker, WorkerOptions } from "~/services/queue/worker.server";
import { findBroadcast } from "./broadcast-stats.server";
import type { Content } from "./message";
import { getTarget, type AppTypes, type Target } from "./target";
import { finishIfSettled } from "./settle.server";

/**
 * The port of a backend that broadcasts to the application's own devices. Drivers: docs/drivers.md. Contract:
 * tests/contracts/platform-broadcasts.test.ts.
 *
 * Contract
 * - `send` makes one request and settles within the driver's timeout (10 s). It never throws for a failure of
 *   the backend or the network: each is an `ApplicationOutcome`.
 * - It is not idempotent: a message that is sent twice arrives twice.
 */
export interface ApplicationBroadcaster {
  send(target: Target, content: Pick<Content, "title" | "body">): Promise<ApplicationOutcome>;
}

/**
 * The outcome of a request. `detail` is the backend's own message: one line without secrets.
 * - sent: the backend sent the message and returned its counts.
 * - later: it certainly sent nothing; a retry may succeed.
 * - refused: it sent nothing; a retry is pointless.
 * - uncertain: it may have sent the message to all, some or no devices.
 */
export type ApplicationOutcome =
  | { readonly kind: "sent"; readonly successCount: number; readonly failureCount: number }
  | { readonly kind: "later"; readonly detail: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: "refused" | "uncertain"; readonly detail: string };

/** Delays after the first to the sixth attempt the platform deferred; the seventh attempt is the last. */
const RETRY_DELAYS = [seconds(30), minutes(1), minutes(5), minutes(15), hours(1), hours(4)];

interface PlatformSending extends Omit<QueueOptions, "concurrency" | "rate"> {
  readonly broadcaster: ApplicationBroadcaster;
  readonly appTypes: AppTypes;
}

/** Requests the platform's part of confirmed broadcasts from the backend, one at a time, until it is stopped. */
export function createPlatformWorker(options: PlatformSending & WorkerOptions): Worker {
  return createQueueWorker("the platform's part of a broadcast", createPlatformJobs(options), {
    ...options,
    concurrency: 1,
    // Without a limit.
    rate: new TokenBucket(0, options.clock()),
  });
}

type PlatformJob = Selectable<PlatformBroadcastsTable>;

interface PlatformResult extends JobResult {
  readonly counts?: { readonly success_count: number; readonly failure_count: number };
}

/** Runs the platform's parts as jobs. Requests are not idempotent: an operator decides on an uncertain one. */
function createPlatformJobs({
  broadcaster,
  database,
  appTypes,
  clock,
}: PlatformSending): JobType<PlatformJob, PlatformJob, PlatformResult, undefined> {
  const table = "platform_broadcasts";

  return {
    table,
    order: "first-tries-first",

    hasDue: (now) => hasRows(database.read.selectFrom(table).where(isDue(now))),

    async settle(trx, finished: readonly Finished<PlatformJob, PlatformResult>[], now) {
      for (const { row, result } of finished) {
        if (result.counts) await trx.updateTable(table).set(result.counts).where("id", "=", row.id).execute();
        await finishIfSettled(trx, row.id, now);
      }
      return undefined;
    },

    claim: async (_trx, _due, { claimJobs, limit, now }) => (limit === 0 ? [] : claimJobs(isDue(now), limit)),

    async deliver(job) {
      const broadcast = await findBroadcast(database.read, job.id);
      if (!broadcast) throw new Error("The broadcast is gone");
      return toResult(job, await broadcaster.send(getTarget(broadcast, appTypes), broadcast), clock());
    },

    recover: async (rows) =>
      rows.map((row) => ({ row, result: { state: "uncertain", detail: "interrupted by a crash" } })),
  };
}

/** Matches due parts of broadcasts that are neither paused nor over. */
const isDue = (now: number) => sql<boolean>`
  ${isDueAt(now)} and id in (select broadcasts.id from broadcasts where broadcasts.state in ('preparing', 'sending'))
`;

function toResult(job: JobAttempts, outcome: ApplicationOutcome, now: number): PlatformResult {
  switch (outcome.kind) {
    case "sent": {
      const { successCount: success_count, failureCount: failure_count } = outcome;
      return { state: "sent", detail: "", counts: { success_count, failure_count } };
    }
    case "refused":
      return { state: "failed", detail: outcome.detail };
    case "uncertain":
      return { state: "uncertain", detail: outcome.detail };
    case "later": {
      const { detail, retryAfterMs: requestedMs } = outcome;
      return retryLater(job, RETRY_DELAYS, { detail, now, requestedMs });
    }
  }
}
