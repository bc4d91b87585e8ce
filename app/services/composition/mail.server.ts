import { join } from "node:path";
import type { Database } from "~/db/database.server";
import type { Environment } from "~/env.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import { PlatformMailer } from "~/services/mail/drivers/platform-mailer.server";
import { SmtpMailer } from "~/services/mail/drivers/smtp-mailer.server";
import type { Mailer } from "~/services/mail/mailer";
import { createOutboxEraser } from "~/services/mail/outbox-eraser.server";
import type { OutboxEraser } from "~/services/mail/outbox-eraser.server";
import { createOutboxReader } from "~/services/mail/outbox-reader.server";
import type { OutboxReader } from "~/services/mail/outbox-reader.server";
import { outboxRows } from "~/services/mail/outbox-rows.server";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import { gmailMailer } from "./google.server";

/** What Gmail lets a personal account send in a day. */
const GMAIL_PER_DAY = 500;

/** Mails a day, by the environment or else by the driver; 0: no limit. */
export function mailsPerDay({ MAIL_PER_DAY, MAIL_DRIVER }: Environment): number {
  return MAIL_PER_DAY ?? (MAIL_DRIVER === "gmail" ? GMAIL_PER_DAY : 0);
}

/** The mail driver the environment chose; the outbox can also be read. */
export async function mailFor(
  environment: Environment,
  has: { database: Database; clock: Clock; newId: NewId; platform: PlatformClient | undefined },
): Promise<{ mailer: Mailer; outbox: OutboxReader | undefined; outboxEraser: OutboxEraser | undefined }> {
  const { MAIL_DRIVER } = environment;
  if (MAIL_DRIVER !== "outbox") {
    const mailer = await senderFor({ ...environment, MAIL_DRIVER }, has);
    return { mailer, outbox: undefined, outboxEraser: undefined };
  }
  const folder = join(environment.DATA_DIR, "outbox");
  const rows = outboxRows(has.database);
  return {
    mailer: new OutboxMailer({ folder, rows, newId: has.newId, now: has.clock }),
    outbox: createOutboxReader({ rows, folder }),
    outboxEraser: createOutboxEraser({ database: has.database, folder }),
  };
}

type Senders = Record<
  Exclude<Environment["MAIL_DRIVER"], "outbox">,
  () => Promise<Mailer> | Mailer | undefined
>;

/** A driver that hands its mails to somebody. Without a line of its own here a driver does not compile. */
async function senderFor(
  environment: Environment & { MAIL_DRIVER: keyof Senders },
  { clock, platform }: { clock: Clock; platform: PlatformClient | undefined },
): Promise<Mailer> {
  const { MAIL_DRIVER, SMTP_URL: url, MAIL_CONCURRENCY: concurrency } = environment;
  const senders: Senders = {
    gmail: () => gmailMailer(environment, clock),
    platform: () => platform && new PlatformMailer(platform),
    smtp: () => (url ? new SmtpMailer({ url, concurrency }) : undefined),
  };
  const mailer = await senders[MAIL_DRIVER]();
  // The environment does not parse without them.
  if (!mailer) throw new Error(`MAIL_DRIVER=${MAIL_DRIVER} lacks its settings`);
  return mailer;
}
