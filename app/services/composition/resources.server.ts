import { resourceMessages as copy } from "~/content/resources";
import { paths } from "~/paths";
import { composeIncidentEmail } from "~/services/mail/compose-transactional";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import { MachineProbe } from "~/services/resources/drivers/machine-probe.server";
import { PlatformProbe } from "~/services/resources/drivers/platform-probe.server";
import { createHistory } from "~/services/resources/history.server";
import { createIncidentEmails, createIncidents } from "~/services/resources/incidents.server";
import type { IncidentEvent } from "~/services/resources/incidents.server";
import type { ResourceProbe } from "~/services/resources/resource-probe";
import { createResources } from "~/services/resources/resources.server";
import type { Foundation } from "./foundation.server";
import type { Sending } from "./sending.server";

/**
 * Composes the measurement of this machine, with its Redis if configured, or of the application, together with
 * history and incidents.
 */
export async function composeResources(sending: Sending, platform: PlatformClient | undefined) {
  const link = { url: sending.origin + paths.resources, label: copy.email.look };
  const toContent = (event: IncidentEvent) =>
    event.change === "began"
      ? { subject: copy.email.began(event), text: copy.email.beganText(event) }
      : { subject: copy.email.ended(event), text: copy.email.endedText(event) };
  const emailIncident = createIncidentEmails({
    ...sending,
    compose: ({ event, ...parts }) =>
      composeIncidentEmail({ ...parts, ...toContent(event), footer: copy.email.footer, link }),
  });
  return createResources({
    probe: await createProbe(sending, platform),
    history: createHistory({ ...sending, instance: sending.measuredAs }),
    incidents: createIncidents({
      ...sending,
      instance: sending.measuredAs,
      isEmailed: sending.environment.INCIDENT_MAILS,
    }),
    onEvent: emailIncident,
    clock: sending.clock,
    log: sending.log,
  });
}

async function createProbe(
  { environment, log }: Foundation,
  platform: PlatformClient | undefined,
): Promise<ResourceProbe> {
  const { REDIS_URL: url, DATA_DIR: folder } = environment;
  if (environment.RESOURCES_DRIVER === "platform" && platform) {
    return new PlatformProbe({ client: platform, log });
  }
  if (url === undefined) return new MachineProbe({ folder, redis: undefined });
  // Loaded only where there is a Redis: its client adds 0.1 s to every start.
  const { RedisGauge } = await import("~/services/resources/drivers/redis-gauge.server");
  return new MachineProbe({ folder, redis: new RedisGauge({ url, log }) });
}
