import type { Write } from "~/db/database.server";
import type { PushSender } from "~/services/push/push-sender";
import { advanceGroups, createGroupClaims, skipWaitingJobs } from "~/services/queue/groups.server";
import type { JobType } from "~/services/queue/job-type";
import { createQueueWorker, type QueueOptions } from "~/services/queue/queue.server";
import type { Worker, WorkerOptions } from "~/services/queue/worker.server";
import { findDevices, getOwnTarget, snapshotAudience } from "./audience.server";
import { MISSING_DEVICE, recoveredResult, toResult } from "./delivery-result";
import type { ClaimedPush, DeliveryResult, PushJob } from "./delivery-result";
import type { FinishedPush } from "./circuit";
import { listOpenBroadcasts, loadMessages, type OpenBroadcast } from "./broadcast-state.server";
import type { AppTypes } from "./target";
import { findPart, skipPart } from "./platform-part.server";
import { finishIfSettled, settle } from "./settle.server";

export interface BroadcastSending extends QueueOptions {
  readonly sender: Pick<PushSender, "name" | "send">;
  /** From 0 to 1: spreads retries. */
  readonly random: () => number;
  readonly appTypes: AppTypes;
}

/** Sends the push messages of confirmed broadcasts until it is stopped. */
export function createBroadcastWorker(options: BroadcastSending & WorkerOptions): Worker {
  return createQueueWorker("the broadcast", createBroadcastJobs(options), options);
}

/** Runs push deliveries as jobs. A message repeated after a crash replaces the first one on the device. */
function createBroadcastJobs({
  database,
  clock,
  newId,
  sender,
  random,
  appTypes,
}: BroadcastSending): JobType<ClaimedPush, PushJob, DeliveryResult, readonly OpenBroadcast[]> {
  const claims = createGroupClaims("broadcast_id", loadMessages);
  const snapshotDeps = { database, clock, engine: sender.name };

  return {
    table: "pushes",
    /**
     * Attempts every device once before any retry, so that devices that never answer cannot starve the rest
     * (hardening C39). First attempts go to long-known devices before others (see snapshotAudience), in the order
     * of registration.
     */
    order: "first-tries-first",

    hasDue: async () => (await listOpenBroadcasts(database.read)).length > 0,

    settle: (trx, finished: readonly FinishedPush[], now) => settle(trx, { newId, now }, finished),

    async claim(trx, open, request) {
      const due = open.filter(({ state }) => state !== "cancelled");
      const rows = await claims.claim(trx, due, request, finishIfSettled);
      const deviceIds = rows.map(({ device_id }) => device_id);
      const devices = await findDevices(trx, deviceIds);
      return rows.map((row) => ({ ...row, device: devices.get(row.device_id) }));
    },

    withhold: ({ device }) => (device ? undefined : MISSING_DEVICE),

    async deliver(job) {
      const message = claims.getContent(job.broadcast_id);
      if (!message || !job.device) throw new Error("The broadcast is gone");
      const outcome = await sender.send(job.device, message);
      return toResult(job, outcome, { now: clock(), random });
    },

    recover: async (rows) => rows.map((row) => ({ row, result: recoveredResult(row, clock()) })),

    advance: (open) =>
      advanceGroups(open, {
        async snapshotAudience(broadcast) {
          const isPlatformUsed = (await findPart(database.read, broadcast.id)) !== undefined;
          const target = getOwnTarget(broadcast, { appTypes, isPlatformUsed });
          await snapshotAudience(snapshotDeps, broadcast, target);
        },
        skipRemaining: ({ id }) => database.write((trx) => skipRemaining(trx, id, clock())),
      }),
  };
}

/** Skips the next waiting deliveries of a cancelled broadcast, and finishes it once nothing is in flight. */
async function skipRemaining(trx: Write, id: string, now: number): Promise<boolean> {
  await skipPart(trx, id, now);
  const jobs = { table: "pushes", column: "broadcast_id", id };
  if (await skipWaitingJobs(trx, jobs, { detail: "", now })) return true;
  await finishIfSettled(trx, id, now);
  return false;
}
