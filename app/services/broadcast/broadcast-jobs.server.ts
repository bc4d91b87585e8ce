import type { Write } from "~/db/database.server";
import type { PushMessage, PushSender } from "~/services/push/push-sender";
import { advanceGroups, claimRoundRobin, skipWaitingJobs } from "~/services/queue/groups.server";
import type { ClaimRequest, Finished, JobType } from "~/services/queue/job-type";
import { createQueueWorker, type QueueOptions } from "~/services/queue/queue.server";
import type { Worker, WorkerOptions } from "~/services/queue/worker.server";
import { getAddresses, snapshotAudience } from "./audience.server";
import { CLAIMED_COLUMNS, recoveredResult, toResult, missingDeviceResult } from "./delivery-result";
import type { ClaimedPush, DeliveryResult, PushJob } from "./delivery-result";
import { listOpenBroadcasts, loadMessages, type OpenBroadcast } from "./broadcast-state.server";
import { getTarget, type AppTypes } from "./message";
import { skipPart } from "./platform-part.server";
import { finishIfSettled, settle } from "./settle.server";

export interface BroadcastSending extends QueueOptions {
  readonly sender: Pick<PushSender, "name" | "send">;
  /** From 0 to 1: spreads retries. */
  readonly random: () => number;
  readonly appTypes: AppTypes;
}

/** Sends the push messages of confirmed broadcasts until it is stopped. */
export function createBroadcastWorker(options: BroadcastSending & WorkerOptions): Worker {
  return createQueueWorker("the broadcast", new BroadcastJobs(options), options);
}

/** Runs push deliveries as jobs. A message repeated after a crash replaces the first one on the device. */
class BroadcastJobs implements JobType<ClaimedPush, PushJob, DeliveryResult, readonly OpenBroadcast[]> {
  readonly table = "pushes";
  readonly columns = CLAIMED_COLUMNS;
  /**
   * Attempts every device once before any retry, so that devices that never answer cannot starve the rest
   * (hardening C39). First attempts go to long-known devices before others (see snapshotAudience), in the order
   * of registration.
   */
  readonly order = "first-tries-first";
  readonly #options: BroadcastSending;
  /** Messages by broadcast id. */
  #messages = new Map<string, PushMessage>();
  #servedLast = "";

  constructor(options: BroadcastSending) {
    this.#options = options;
  }

  async hasDue(): Promise<boolean> {
    return (await listOpenBroadcasts(this.#options.database.read)).length > 0;
  }

  settle(trx: Write, finished: readonly Finished<PushJob, DeliveryResult>[], now: number) {
    return settle(trx, { newId: this.#options.newId, now }, finished);
  }

  async claim(
    trx: Write,
    open: readonly OpenBroadcast[],
    request: ClaimRequest<ClaimedPush>,
  ): Promise<PushJob[]> {
    const due = open.filter(({ state }) => state !== "cancelled");
    const position = { column: "broadcast_id", servedLast: this.#servedLast };
    const rows = await claimRoundRobin(due, position, request, (id) => finishIfSettled(trx, id, request.now));
    this.#messages = await loadMessages(trx, this.#messages, rows);
    this.#servedLast = rows.at(-1)?.broadcast_id ?? this.#servedLast;
    const deviceIds = rows.map(({ device_id }) => device_id);
    const devices = await getAddresses(trx, deviceIds);
    return rows.map((row) => {
      const device = devices.get(row.device_id);
      return { ...row, device, first_accepted_at: device?.first_accepted_at ?? null };
    });
  }

  withhold(job: PushJob): DeliveryResult | undefined {
    return job.device ? undefined : missingDeviceResult(job);
  }

  async deliver(job: PushJob): Promise<DeliveryResult> {
    const { sender, clock, random } = this.#options;
    const message = this.#messages.get(job.broadcast_id);
    if (!message || !job.device) throw new Error("The broadcast is gone");
    const outcome = await sender.send(job.device, message);
    return toResult(job, outcome, { now: clock(), random });
  }

  async recover(rows: readonly ClaimedPush[]): Promise<Finished<ClaimedPush, DeliveryResult>[]> {
    const now = this.#options.clock();
    return rows.map((row) => ({ row, result: recoveredResult(row, now) }));
  }

  advance(open: readonly OpenBroadcast[]): Promise<boolean> {
    const { database, clock, sender, appTypes } = this.#options;
    return advanceGroups(open, {
      snapshotAudience: (broadcast) =>
        snapshotAudience({ database, clock, engine: sender.name }, broadcast, getTarget(broadcast, appTypes)),
      skipRemaining: ({ id }) => database.write((trx) => skipRemaining(trx, id, clock())),
    });
  }
}

/** Skips the next waiting deliveries of a cancelled broadcast, and finishes it once nothing is in flight. */
async function skipRemaining(trx: Write, id: string, now: number): Promise<boolean> {
  await skipPart(trx, id, now);
  const jobs = { table: "pushes", column: "broadcast_id", id };
  if (await skipWaitingJobs(trx, jobs, { detail: "", now })) return true;
  await finishIfSettled(trx, id, now);
  return false;
}
