import type { Registry } from "prom-client";
import type { Database } from "~/db/database.server";
import type { Environment } from "~/env.server";
import { lastBackup } from "~/services/backups/backup-files.server";
import type { Mailer } from "~/services/mail/mailer";
import {
  countedMailer,
  countedPushSender,
  countedSignups,
  createApplicationMetrics,
} from "~/services/metrics/application-metrics.server";
import type { PushSender } from "~/services/push/push-sender";
import type { Signups } from "~/services/signups/signups.server";

/** What the application tells at /metrics: what it reads there before each scrape, and what counts what is handed to it. */
export function metricsFor(
  { DATA_DIR }: Environment,
  has: {
    registry: Registry;
    database: Database;
    disk: { readonly free: () => Promise<number> };
    version: string;
  },
) {
  const { registry, database, disk, version } = has;
  const { counters, refresh } = createApplicationMetrics({
    registry,
    database,
    version,
    freeDisk: disk.free,
    lastBackup: () => lastBackup(DATA_DIR),
    clock: () => performance.now(),
  });
  return {
    refresh,
    countMails: <T extends { mailer: Mailer }>(mail: T): T => ({
      ...mail,
      mailer: countedMailer(mail.mailer, counters.mails),
    }),
    countPushes: <T extends { pushSender: PushSender }>(push: T): T => ({
      ...push,
      pushSender: countedPushSender(push.pushSender, counters.pushes),
    }),
    countSignups: <T extends { signups: Signups }>(submissions: T): T => ({
      ...submissions,
      signups: countedSignups(submissions.signups, counters.signups),
    }),
  };
}
