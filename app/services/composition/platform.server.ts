import { brand } from "~/content/brand";
import { PlatformBroadcaster } from "~/services/broadcast/drivers/platform-broadcaster.server";
import { createPlatformDispatcher } from "~/services/broadcast/platform-jobs.server";
import { PlatformLogSource } from "~/services/logs/drivers/platform-log-source.server";
import { PlatformClient } from "~/services/platform/platform-client.server";
import { DatabaseTenantDirectory } from "~/services/tenants/drivers/database-tenant-directory.server";
import { PlatformTenantDirectory } from "~/services/tenants/drivers/platform-tenant-directory.server";
import type { Foundation } from "./foundation.server";

/** What the marketed application's own backend was chosen for: one client for all uses, so that they share its breaker. */
export function platformFor(foundation: Foundation) {
  const { environment, database, clock } = foundation;
  const { PLATFORM_API_URL: url, PLATFORM_API_TOKEN: token } = environment;
  const client = url && token ? new PlatformClient({ url, token, clock }) : undefined;
  const isFor = {
    tenants: environment.TENANTS_DRIVER === "platform",
    logs: environment.LOGS_DRIVER === "platform",
    resources: environment.RESOURCES_DRIVER === "platform",
    broadcasts: environment.PLATFORM_BROADCASTS,
  };
  const uses = (["tenants", "logs", "resources", "broadcasts"] as const).filter(
    (use) => client && isFor[use],
  );
  return {
    client,
    tenants:
      client && isFor.tenants
        ? new PlatformTenantDirectory({ client, clock })
        : new DatabaseTenantDirectory(database),
    /** Undefined: our own log is shown. */
    logs: client && isFor.logs ? new PlatformLogSource({ client, write: database.write }) : undefined,
    /** Undefined: broadcasts go to our own devices alone. */
    broadcastDispatcher:
      client && isFor.broadcasts
        ? createPlatformDispatcher({
            ...foundation,
            appTypes: brand.appTypes,
            broadcaster: new PlatformBroadcaster(client),
          })
        : undefined,
    /** What the status bar says besides the mail driver's name. */
    uses,
  };
}
