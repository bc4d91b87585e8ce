import { appTypes } from "~/content/brand";
import { PlatformBroadcaster } from "~/services/broadcast/drivers/platform-broadcaster.server";
import { createPlatformWorker } from "~/services/broadcast/platform-jobs.server";
import { PlatformLogSource } from "~/services/logs/drivers/platform-log-source.server";
import { PlatformClient } from "~/services/platform/platform-client.server";
import { DatabaseTenantDirectory } from "~/services/tenants/drivers/database-tenant-directory.server";
import { PlatformTenantDirectory } from "~/services/tenants/drivers/platform-tenant-directory.server";
import type { Foundation } from "./foundation.server";
import { waitingLogs, waitingTenants, type WaitFor } from "./waits.server";

/**
 * Composes the uses of the marketed application's backend: one client for all of them, so that they share its
 * circuit breaker.
 */
export function composePlatform(foundation: Foundation, waitFor: WaitFor) {
  const { environment, database, clock, newId, log, instance, leaseTime } = foundation;
  const { PLATFORM_API_URL: url, PLATFORM_API_TOKEN: token } = environment;
  const client = url && token ? new PlatformClient({ url, token, clock }) : undefined;
  const isUsedFor = {
    tenants: environment.TENANTS_DRIVER === "platform",
    logs: environment.LOGS_DRIVER === "platform",
    resources: environment.RESOURCES_DRIVER === "platform",
    broadcasts: environment.PLATFORM_BROADCASTS,
  };
  const uses = (["tenants", "logs", "resources", "broadcasts"] as const).filter((use) => isUsedFor[use]);
  return {
    /** Undefined without a platform. The mailer and the resources are composed from it elsewhere. */
    client,
    tenants:
      client && isUsedFor.tenants
        ? waitingTenants(new PlatformTenantDirectory({ client, clock }), waitFor)
        : new DatabaseTenantDirectory(database),
    /** Undefined: the product's own log is shown. */
    logs:
      client && isUsedFor.logs
        ? waitingLogs(new PlatformLogSource({ client, write: database.write }), waitFor)
        : undefined,
    /** Undefined: broadcasts go only to the product's own devices. */
    broadcastWorker:
      client && isUsedFor.broadcasts
        ? createPlatformWorker({
            database,
            clock,
            newId,
            log,
            instance,
            leaseTime,
            appTypes,
            broadcaster: new PlatformBroadcaster(client),
          })
        : undefined,
    /** Uses shown in the status bar, besides the mail driver's name. */
    uses,
  };
}
