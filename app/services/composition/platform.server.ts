import type { Logger } from "pino";
import { brand } from "~/content/brand";
import type { Database } from "~/db/database.server";
import type { Environment } from "~/env.server";
import { PlatformBroadcaster } from "~/services/broadcast/drivers/platform-broadcaster.server";
import { createPlatformDispatcher } from "~/services/broadcast/platform-rounds.server";
import type { Clock } from "~/services/clock";
import { PlatformLogSource } from "~/services/logs/drivers/platform-log-source.server";
import type { LogSource } from "~/services/logs/log-store";
import { PlatformClient } from "~/services/platform/platform-client.server";
import { DatabaseTenantDirectory } from "~/services/tenants/drivers/database-tenant-directory.server";
import { PlatformTenantDirectory } from "~/services/tenants/drivers/platform-tenant-directory.server";
import type { TenantDirectory } from "~/services/tenants/tenant-directory";
import type { Worker } from "~/services/queue/worker.server";

/** What the status bar says besides the mail driver's name. */
type PlatformUse = "tenants" | "logs" | "resources" | "broadcasts";

/** What the marketed application's own backend was chosen for. */
export interface Platform {
  /** One for all uses, so that they share the breaker and its connections. */
  readonly client: PlatformClient | undefined;
  readonly tenants: TenantDirectory;
  /** Undefined: our own log is shown. */
  readonly logs: LogSource | undefined;
  /** Undefined: broadcasts go to our own devices alone. */
  readonly broadcastDispatcher: Worker | undefined;
  readonly uses: readonly PlatformUse[];
}

export function platformFor(
  environment: Environment,
  { database, clock, log }: { database: Database; clock: Clock; log: Logger },
): Platform {
  const { PLATFORM_API_URL: url, PLATFORM_API_TOKEN: token } = environment;
  const client = url && token ? new PlatformClient({ url, token, clock }) : undefined;
  const ours = new DatabaseTenantDirectory(database);
  if (!client) {
    return { client, tenants: ours, logs: undefined, broadcastDispatcher: undefined, uses: [] };
  }
  const isFor = {
    tenants: environment.TENANTS_DRIVER === "platform",
    logs: environment.LOGS_DRIVER === "platform",
    resources: environment.RESOURCES_DRIVER === "platform",
    broadcasts: environment.PLATFORM_BROADCASTS,
  };
  const broadcasting = { database, clock, log, appTypes: brand.appTypes };
  return {
    client,
    tenants: isFor.tenants ? new PlatformTenantDirectory({ client, clock }) : ours,
    logs: isFor.logs ? new PlatformLogSource({ client, write: database.write }) : undefined,
    broadcastDispatcher: isFor.broadcasts
      ? createPlatformDispatcher({ ...broadcasting, broadcaster: new PlatformBroadcaster(client) })
      : undefined,
    uses: (["tenants", "logs", "resources", "broadcasts"] as const).filter((use) => isFor[use]),
  };
}
