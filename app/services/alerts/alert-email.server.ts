import { z } from "zod";
import type { Database } from "~/db/database.server";
import { ALERT_EVENTS } from "~/lib/alert-choices";
import { days } from "~/lib/durations";
import type { SkipReason } from "~/services/mail/delivery/delivery-result";
import type { TransactionalEmail } from "~/services/mail/email-parts";
import type { Email } from "~/services/mail/mailer";
import type { EmailKind } from "~/services/mail/transactional/email-kind";
import { loadAlertNews, loadSummary, type AlertNews, type Summary } from "./alert-news.server";
import { mayBeTold } from "./may-be-told.server";

const alertData = z.object({
  account: z.string(),
  /** What happened; its details are read when the email is composed, so that nobody's name is stored here. */
  events: z.array(
    z.object({
      event: z.enum(ALERT_EVENTS),
      subject: z.string(),
      count: z.number(),
      since: z.number(),
      until: z.number(),
    }),
  ),
  /** Of the daily email: its day in the account's time zone. Left out: told at once. */
  daily: z.object({ day: z.string(), timeZone: z.string(), hasSummary: z.boolean() }).optional(),
});

export type AlertData = z.infer<typeof alertData>;

/** What an alert is composed of. */
export interface AlertEmail extends TransactionalEmail {
  readonly news: AlertNews;
  /** Whether it is the daily email, and not told at once. */
  readonly isDaily: boolean;
  /** Of the day before, if the account chose it. */
  readonly summary: Summary | undefined;
}

export type AlertKind = EmailKind<AlertData>;

interface AlertKindDeps {
  readonly database: Pick<Database, "read">;
  readonly sender: Email["from"];
  readonly compose: (parts: AlertEmail) => Email;
  /** REQUIRE_2FA. */
  readonly requiresSecondFactor: boolean;
}

/**
 * Creates the kind of emails that tell operators what happened. Each is added in the transaction that marks its events
 * as told, so that they need no key; one is skipped when its account was removed meanwhile, or may not see the pages.
 */
export function createAlertKind(deps: AlertKindDeps): AlertKind {
  const { database, sender, compose } = deps;
  return {
    name: "alert",
    plural: "alerts",
    allowanceClass: "always",
    data: alertData,
    getKey: () => undefined,
    retentionMs: days(30),
    queued: {
      async listSkipped(trx, emails) {
        const accounts = await trx
          .selectFrom("accounts")
          .select("id")
          .where(
            "id",
            "in",
            emails.map(({ data }) => data.account),
          )
          .where(mayBeTold(deps.requiresSecondFactor))
          .execute();
        const told = new Set(accounts.map(({ id }) => id));
        const gone = emails.filter(({ data }) => !told.has(data.account));
        return new Map(gone.map(({ id }) => [id, "no-account" satisfies SkipReason]));
      },
      async compose({ address, message_id: messageId, data: { events, daily } }) {
        const [news, summary] = await Promise.all([
          loadAlertNews(database.read, events),
          daily?.hasSummary ? loadSummary(database.read, daily) : undefined,
        ]);
        return compose({ address, sender, messageId, news, isDaily: daily !== undefined, summary });
      },
    },
  };
}
