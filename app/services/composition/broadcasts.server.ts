import { setTimeout as pause } from "node:timers/promises";
import { brand } from "~/brand";
import type { Environment } from "~/env.server";
import { paths } from "~/paths";
import { createApiBroadcasts } from "~/services/api-broadcast/api-broadcasts.server";
import { createBroadcasts } from "~/services/broadcast/broadcasts.server";
import { createBroadcastDispatcher } from "~/services/broadcast/dispatcher.server";
import { createTestPush } from "~/services/broadcast/test-push.server";
import type { Idempotency } from "~/services/idempotency/idempotency.server";
import { TokenBucket } from "~/services/outreach/token-bucket";
import { createDevices } from "~/services/push/devices.server";
import type { PushSender } from "~/services/push/push-sender";
import type { Worker } from "~/services/worker.server";
import type { Basics } from "./basics";

/** Devices, and the push messages they get from people and from programs. */
export function broadcastsFor(
  environment: Environment,
  has: Basics & {
    sender: PushSender;
    idempotency: Idempotency;
    instance: string;
    /** Undefined: the platform has no part in it. */
    platformDispatcher: Worker | undefined;
  },
) {
  const { database, sender, clock, leaseTime, newId, idempotency, platformDispatcher } = has;
  const pushing = { database, sender, clock, newId, appTypes: brand.appTypes };
  const broadcastDispatcher = createBroadcastDispatcher({
    ...{ ...pushing, leaseTime, random: Math.random, log: has.log, instance: has.instance },
    concurrency: environment.PUSH_CONCURRENCY,
    rate: new TokenBucket(environment.PUSH_RATE_PER_SECOND, clock()),
  });
  const broadcasts = createBroadcasts({
    ...{ ...pushing, engine: sender.name, isPlatformUsed: platformDispatcher !== undefined },
    perDay: environment.BROADCASTS_PER_DAY,
    wake: () => [broadcastDispatcher, platformDispatcher].forEach((dispatcher) => dispatcher?.wake()),
  });
  return {
    ...{ broadcastDispatcher, broadcasts },
    devices: createDevices({
      ...{ database, sender, clock, newId },
      ...{ appType: brand.appTypes.landing, scope: paths.pushScope },
    }),
    apiBroadcasts: createApiBroadcasts({ database, broadcasts, idempotency, clock, pause }),
    sendTestPush: createTestPush(pushing),
  };
}
