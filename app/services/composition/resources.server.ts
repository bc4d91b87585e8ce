import { composeIncidentEmail } from "~/emails/incident-email";
import { paths } from "~/paths";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import { MachineProbe } from "~/services/resources/drivers/machine-probe.server";
import { PlatformProbe } from "~/services/resources/drivers/platform-probe.server";
import { createHistory } from "~/services/resources/history.server";
import { createIncidentEmails, createIncidents } from "~/services/resources/incidents.server";
import type { ResourceProbe } from "~/services/resources/resource-probe";
import { createResources } from "~/services/resources/resources.server";
import type { Foundation } from "./foundation.server";
import type { Sending } from "./sending.server";

/**
 * Composes the measurement of this machine, with its Redis if configured, or of the application, together with
 * history and incidents.
 */
export async function composeResources(
  foundation: Foundation,
  { emails, sender }: Sending,
  platform: PlatformClient | undefined,
) {
  const { environment, database, clock, newId, log, brand, origin, measuredAs: instance } = foundation;
  return createResources({
    probe: await createProbe(foundation, platform),
    history: createHistory({ database, clock, instance }),
    incidents: createIncidents({
      database,
      clock,
      newId,
      instance,
      isEmailed: environment.INCIDENT_MAILS,
    }),
    onEvent: createIncidentEmails({
      database,
      emails,
      sender,
      log,
      compose: (email) =>
        composeIncidentEmail({ ...email, brandName: brand.name, pageUrl: origin + paths.resources }),
    }),
    clock,
    log,
  });
}

async function createProbe(
  { environment, disk, log }: Foundation,
  platform: PlatformClient | undefined,
): Promise<ResourceProbe> {
  const { REDIS_URL: url, DATA_DIR: folder } = environment;
  if (environment.RESOURCES_DRIVER === "platform" && platform) {
    return new PlatformProbe({ client: platform, log });
  }
  if (url === undefined) return new MachineProbe({ folder, missingReserve: disk.missing, redis: undefined });
  // Loaded only where there is a Redis: its client adds 0.1 s to every start.
  const { RedisGauge } = await import("~/services/resources/drivers/redis-gauge.server");
  return new MachineProbe({ folder, missingReserve: disk.missing, redis: new RedisGauge({ url, log }) });
}
