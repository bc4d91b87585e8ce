import { sql, type Selectable } from "kysely";
import type { Write } from "~/db/database.server";
import type { AlertChoicesTable, AlertsTable } from "~/db/tables/alerts";
import { ALERT_EVENTS, type AlertChoice, type AlertEvent } from "~/lib/alert-choices";
import { minutes, seconds } from "~/lib/durations";
import { toKnownZone } from "~/lib/zoned-time";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { createWorker, type Worker, type WorkerOptions } from "~/services/queue/worker.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { AlertData, AlertKind } from "./alert-email.server";
import { getLastDueDay } from "./daily";
import { mayBeTold } from "./may-be-told.server";

/** Interval at which each instance looks for what is to be told at once. */
const POLL_MS = seconds(3);

export interface AlertWorkerDeps extends Pick<ServiceDeps, "database" | "clock">, WorkerOptions {
  readonly emails: Pick<TransactionalEmails, "add" | "worker">;
  readonly kind: AlertKind;
  /** REQUIRE_2FA. */
  readonly requiresSecondFactor: boolean;
}

/**
 * Creates the worker that tells operators what happened: it marks events as told and queues their emails in one
 * transaction, under a lock of the account's choices, so that of several instances one tells.
 */
export function createAlertWorker(deps: AlertWorkerDeps): Worker {
  const { database, clock, emails, kind } = deps;
  const { read } = database;
  const canBeTold = mayBeTold(deps.requiresSecondFactor);
  /** Daily emails are looked for once a minute. */
  let lookedInMinute: number | undefined;

  return createWorker(
    "the alerts",
    () => ({
      async next() {
        await tellAtOnce();
        const minute = Math.floor(clock() / minutes(1));
        if (minute !== lookedInMinute) await tellDaily();
        lookedInMinute = minute;
        return POLL_MS;
      },
      beginStopping: () => undefined,
      idle: true,
      inFlight: 0,
    }),
    deps,
  );

  async function tellAtOnce(): Promise<void> {
    const accounts = await read
      .selectFrom("alerts")
      .innerJoin("alert_choices", "alert_choices.account_id", "alerts.account_id")
      .innerJoin("accounts", "accounts.id", "alerts.account_id")
      .select("alerts.account_id")
      .distinct()
      .where("told_at", "is", null)
      .where(isChosen("at-once"))
      .where(canBeTold)
      .execute();
    for (const { account_id } of accounts) {
      await database.write((trx) => tellAccountAtOnce(trx, account_id));
    }
    if (accounts.length > 0) emails.worker.wake();
  }

  async function tellAccountAtOnce(trx: Write, accountId: string): Promise<void> {
    const account = await lockAccount(trx, accountId);
    const chosen = account ? listChosen(account, "at-once") : [];
    if (!account || chosen.length === 0) return;
    const told = await trx
      .updateTable("alerts")
      .set({ told_at: clock() })
      .where("account_id", "=", accountId)
      .where("event", "in", chosen)
      .where("told_at", "is", null)
      .returningAll()
      .execute();
    for (const [, alerts] of Map.groupBy(told, ({ event }) => event)) {
      await emails.add(trx, kind, {
        address: account.email,
        data: { account: accountId, events: toEvents(alerts) },
      });
    }
  }

  async function tellDaily(): Promise<void> {
    const accounts = await read
      .selectFrom("alert_choices")
      .innerJoin("accounts", "accounts.id", "alert_choices.account_id")
      .select(["account_id", "hour", "last_day", "time_zone"])
      .where((where) =>
        where.or([...ALERT_EVENTS, "summary" as const].map((column) => where(column, "=", "daily"))),
      )
      .where(canBeTold)
      .execute();
    const now = clock();
    const due = accounts.filter((account) => account.last_day < getDueDay(account, now));
    for (const { account_id } of due) {
      await database.write((trx) => tellAccountDaily(trx, account_id, now));
    }
    if (due.length > 0) emails.worker.wake();
  }

  async function tellAccountDaily(trx: Write, accountId: string, now: number): Promise<void> {
    const account = await lockAccount(trx, accountId);
    if (!account) return;
    const day = getDueDay(account, now);
    // Another instance was first.
    if (account.last_day >= day) return;
    await trx
      .updateTable("alert_choices")
      .set({ last_day: day })
      .where("account_id", "=", accountId)
      .execute();
    const chosen = listChosen(account, "daily");
    const told =
      chosen.length === 0
        ? []
        : await trx
            .deleteFrom("alerts")
            .where("account_id", "=", accountId)
            .where("event", "in", chosen)
            .returningAll()
            .execute();
    const hasSummary = account.summary === "daily";
    if (told.length === 0 && !hasSummary) return;
    const daily = { day, timeZone: toKnownZone(account.time_zone), hasSummary };
    await emails.add(trx, kind, {
      address: account.email,
      data: { account: accountId, events: toEvents(told), daily },
    });
  }

  /** Returns an account that may be told, with its choices, and locks these until the transaction ends. */
  function lockAccount(trx: Write, accountId: string) {
    return trx
      .selectFrom("alert_choices")
      .innerJoin("accounts", "accounts.id", "alert_choices.account_id")
      .selectAll("alert_choices")
      .select(["accounts.email", "accounts.time_zone"])
      .where("alert_choices.account_id", "=", accountId)
      .where(canBeTold)
      .forUpdate("alert_choices")
      .executeTakeFirst();
  }
}

/** Condition on a row of `alerts` with the choices of its account: this one was made for its event. */
function isChosen(choice: AlertChoice) {
  const conditions = ALERT_EVENTS.map(
    (event) => sql`alerts.event = ${sql.lit(event)} and alert_choices.${sql.ref(event)} = ${sql.lit(choice)}`,
  );
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

function listChosen(choices: AlertChoicesTable, choice: AlertChoice): AlertEvent[] {
  return ALERT_EVENTS.filter((event) => choices[event] === choice);
}

interface DaySettings extends Pick<AlertChoicesTable, "hour"> {
  readonly time_zone: string | null;
}

const getDueDay = ({ hour, time_zone }: DaySettings, now: number): string =>
  getLastDueDay(now, { hour, timeZone: toKnownZone(time_zone) });

function toEvents(alerts: readonly Selectable<AlertsTable>[]): AlertData["events"] {
  const events = alerts.map(({ event, subject, count, since, last_at: until }) => ({
    event,
    subject,
    count,
    since,
    until,
  }));
  return events.sort((a, b) => a.since - b.since);
}
