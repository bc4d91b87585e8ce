import type { Database } from "~/db/database.server";
import type { QueueOptions } from "~/services/queue/queue.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import type { WorkerOptions } from "~/services/queue/worker.server";
import { newId } from "~/services/service-deps";
import { createLeaseTime, type TestClock } from "./time";

/** Creates the options every queue's worker needs: no rate limit, no log, and time from the test's clock. */
export function createQueueOptions(database: Database, clock: TestClock): QueueOptions & WorkerOptions {
  return {
    database,
    clock,
    newId,
    instance: "one",
    concurrency: 10,
    leaseTime: createLeaseTime(clock),
    rate: new TokenBucket(0, clock()),
    log: { info: () => undefined, error: () => undefined },
  };
}
