import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import type { AlertEvent } from "~/lib/alert-choices";

interface RecordedAlert {
  readonly event: AlertEvent;
  /** Id of the campaign; left out where the event has one page. */
  readonly subject?: string;
  /** Time of the event, as its own rows have it. */
  readonly at: number;
  /** Number of events; left out: one. */
  readonly count?: number;
}

/**
 * Records, in the transaction of an event, that the accounts which chose so are to be told about it. The worker tells
 * them (alert-worker.server.ts), so that a crash in between loses nothing.
 */
export async function recordAlert(
  trx: Write,
  { event, subject = "", at, count = 1 }: RecordedAlert,
): Promise<void> {
  const accounts = await trx
    .selectFrom("accounts")
    .innerJoin("alert_choices", "alert_choices.account_id", "accounts.id")
    .select("accounts.id")
    .where(`alert_choices.${event}`, "!=", "off")
    .orderBy("accounts.id")
    // An account that is removed at this moment is waited for and not found, instead of failing the insert.
    .forKeyShare("accounts")
    .execute();
  if (accounts.length === 0) return;
  await trx
    .insertInto("alerts")
    .values(
      accounts.map(({ id }) => ({
        account_id: id,
        event,
        subject,
        count,
        since: at,
        last_at: at,
        told_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["account_id", "event", "subject"]).doUpdateSet({
        count: sql<number>`alerts.count + excluded.count`,
        // Instances' clocks differ.
        since: sql<number>`case when excluded.since < alerts.since then excluded.since else alerts.since end`,
        last_at: sql<number>`case when excluded.last_at > alerts.last_at then excluded.last_at else alerts.last_at end`,
      }),
    )
    .execute();
}
