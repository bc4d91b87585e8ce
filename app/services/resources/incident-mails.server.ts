import type { Logger } from "pino";
import type { Database } from "~/db/database.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { Mail, Mailer } from "~/services/mail/mailer";
import type { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import { endingOf, wasTried } from "~/services/outreach/ending";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import type { IncidentNews } from "./incidents.server";

interface Party {
  readonly name: string;
  readonly address: string;
}

/** A mail before its first try. */
const NEVER = { attempts: 0, not_before: 0, detail: "" };

/**
 * Tells every account of an incident, one mail each, now and once: one that comes hours late says nothing true any more.
 * Like test mails they are counted among the day's and never wait; suppressed addresses get none. Never throws: what did
 * not go is one line in the log, and the incident itself stands on the page and in Activity.
 */
export function createIncidentMails(has: {
  database: Database;
  mailer: Mailer;
  /** @param messageId with angle brackets. */
  compose: (parts: { news: IncidentNews; address: string; sender: Party; messageId: string }) => Mail;
  clock: Clock;
  newId: NewId;
  allowance: DailyAllowance;
  sender: Party;
  /** Right half of each Message-ID. */
  mailDomain: string;
  log: Pick<Logger, "warn">;
}) {
  const { database, mailer, clock, sender, log } = has;

  async function send(news: IncidentNews, address: string): Promise<void> {
    if (await isSuppressed(database, address)) return;
    const messageId = `<${has.newId()}@${has.mailDomain}>`;
    const outcome = await mailer.send(has.compose({ news, address, sender, messageId }));
    const at = clock();
    const tried = wasTried(NEVER, endingOf(NEVER, outcome, at));
    if (tried) await database.write((trx) => has.allowance.count(trx, 1, at));
    if (outcome.kind !== "accepted") throw new Error(outcome.detail);
  }

  return {
    async tell(news: IncidentNews): Promise<void> {
      if (!news.isMailed) return;
      try {
        const accounts = await database.read.selectFrom("accounts").select("email").orderBy("id").execute();
        const sent = await Promise.allSettled(accounts.map(({ email }) => send(news, email)));
        const failures = sent.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
        if (failures.length === 0) return;
        log.warn(
          { incident: news.id, failed: failures.length, of: sent.length, words: failures[0] },
          NOT_SENT,
        );
      } catch (err) {
        log.warn({ err, incident: news.id }, NOT_SENT);
      }
    },
  };
}

const NOT_SENT = "an incident could not be mailed to everybody";
