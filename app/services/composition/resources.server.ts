import type { Logger } from "pino";
import type { Database } from "~/db/database.server";
import type { Environment } from "~/env.server";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { OutreachMail } from "~/services/mail/compose";
import { composeIncidentMail } from "~/services/mail/compose-incident";
import type { Mailer } from "~/services/mail/mailer";
import type { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import { MachineProbe } from "~/services/resources/drivers/machine-probe.server";
import { PlatformProbe } from "~/services/resources/drivers/platform-probe.server";
import { createHistory } from "~/services/resources/history.server";
import { createIncidentMails, createIncidents } from "~/services/resources/incidents.server";
import type { IncidentNews } from "~/services/resources/incidents.server";
import type { ResourceProbe } from "~/services/resources/resource-probe";
import { createResources } from "~/services/resources/resources.server";

/** Loaded only where there is a Redis: its client takes 0.1 s of every start. */
async function gaugeOf(url: string, log: Logger) {
  const { RedisGauge } = await import("~/services/resources/drivers/redis-gauge.server");
  return new RedisGauge({ url, log });
}

/** This machine with its Redis if one is set up, or the application's; and what becomes of what they say. */
export async function resourcesFor(
  environment: Environment,
  has: {
    database: Database;
    mailer: Mailer;
    allowance: DailyAllowance;
    sender: OutreachMail["sender"];
    mailDomain: string;
    instance: string;
    origin: string;
    clock: Clock;
    newId: NewId;
    log: Logger;
    platform: PlatformClient | undefined;
  },
) {
  const copy = operatorMessages.resources;
  const link = { url: has.origin + paths.resources, label: copy.mail.look };
  const wordsOf = (news: IncidentNews) =>
    news.turn === "began"
      ? { subject: copy.mail.began(news), text: copy.mail.beganText(news) }
      : { subject: copy.mail.ended(news), text: copy.mail.endedText(news) };
  const mails = createIncidentMails({
    ...has,
    compose: ({ news, ...parts }) =>
      composeIncidentMail({ ...parts, ...wordsOf(news), footer: copy.mail.footer, link }),
  });
  return createResources({
    probe: await probeFor(environment, has),
    history: createHistory(has),
    incidents: createIncidents({ ...has, isMailed: environment.INCIDENT_MAILS }),
    onNews: mails.tell,
    clock: has.clock,
    log: has.log,
  });
}

async function probeFor(
  environment: Environment,
  { platform, log }: { platform: PlatformClient | undefined; log: Logger },
): Promise<ResourceProbe> {
  if (environment.RESOURCES_DRIVER === "platform" && platform) {
    return new PlatformProbe({ client: platform, log });
  }
  const url = environment.REDIS_URL;
  const redis = url === undefined ? undefined : await gaugeOf(url, log);
  return new MachineProbe({ folder: environment.DATA_DIR, redis });
}
