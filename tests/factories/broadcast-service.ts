import type { Database } from "~/db/database.server";
import type { DevicesTable } from "~/db/tables/push";
import type { BroadcastSending } from "~/services/broadcast/broadcast-jobs.server";
import { WebPushSender } from "~/services/push/drivers/web-push-sender.server";
import { createPushHosts } from "~/services/push/push-hosts";
import { PUSH_NAME, startPushService } from "../fakes/push-service";
import type { PushAnswer } from "../fakes/push-service";
import { addDevices, createTestBroadcasts } from "./broadcast";
import { createSubscription, createVapidKeys } from "./push";

/**
 * Sends broadcasts with the real engine to a push service that speaks the real protocol and answers as `answer`
 * decides.
 */
export async function createBroadcastsWithService(
  database: Database,
  answer: (path: string) => PushAnswer,
  { timeoutMs = 10_000, ...options }: Partial<BroadcastSending> & { timeoutMs?: number } = {},
) {
  const service = await startPushService(answer);
  const keys = createVapidKeys();
  const world = createTestBroadcasts(database);
  const sender = new WebPushSender({
    ...keys,
    clock: world.clock,
    contact: "mailto:hello@example.com",
    hosts: createPushHosts([`${PUSH_NAME}:${service.port}`]),
    transport: { ca: service.cert, resolve: () => ({ address: "127.0.0.1", family: 4 }), timeoutMs },
  });
  // All devices share one browser's keys, which is quicker.
  const address = sender.readToken(createSubscription(service.endpoint("any")).token);
  if (!address) throw new Error("The token was not read");

  return {
    ...world,
    service,
    /** Registers a device for each path, in the given order. */
    register: (paths: readonly string[], differing: Partial<DevicesTable> = {}) =>
      addDevices(database, paths, (path) => ({ ...address, endpoint: service.endpoint(path), ...differing })),
    /** Sends until nothing more is due. */
    run: () => world.dispatcher({ sender, ...options }).tick(),
    async end() {
      await sender.close();
      await service.close();
    },
  };
}
