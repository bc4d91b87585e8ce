import type { Logger } from "pino";
import type { Database, Write } from "~/db/database.server";
import { days, hours, minutes } from "~/lib/durations";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { Mail, Mailer } from "~/services/mail/mailer";
import type { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import { toResult } from "~/services/outreach/delivery-result";
import { isAttempted } from "~/services/queue/job-type";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import { getIncidentValue, INCIDENT_KINDS, judgeIncident, NO_INCIDENT } from "./incident-rules";
import type { IncidentChange, IncidentKind, IncidentState } from "./incident-rules";
import type { SystemResources } from "./system-resources";

/** Over all instances; each has a mail for its beginning and one for its end. */
export const MAILED_AN_HOUR = 5;
const KEPT_FOR = days(30);
/** An instance that wrote no sample for so long has ended without saying so. */
const GONE_MS = minutes(15);
const LISTED = 20;

export interface Incident {
  readonly id: string;
  readonly instance: string;
  readonly kind: IncidentKind;
  readonly beganAt: number;
  /** Undefined while it lasts. */
  readonly endedAt: number | undefined;
  readonly peak: number;
}

/** An incident that just began or ended. */
export interface IncidentNews extends Incident {
  readonly change: IncidentChange;
  /** Its accounts are to be told. */
  readonly isMailed: boolean;
}

export type Incidents = ReturnType<typeof createIncidents>;

/**
 * Times when there was too little of something, of each instance by itself (incident-rules.ts). They stand in a table
 * and outlast a restart: what was open goes on, and ends by the same rules. Activity has none of them: it holds what people
 * did, for ever, and a load that comes and goes would fill it.
 */
export function createIncidents(deps: {
  database: Database;
  clock: Clock;
  newId: NewId;
  instance: string;
  isMailed: boolean;
}) {
  const { database, clock, newId, instance } = deps;
  const { read } = database;
  let states: Map<IncidentKind, IncidentState> | undefined;

  return {
    /**
     * Takes a measurement in.
     * @returns what began or ended with it. @throws what the database throws: then nothing counts as said, and the next
     * measurement says it.
     */
    async observe(resources: SystemResources, at: number): Promise<IncidentNews[]> {
      states ??= await getOpenIncidents();
      const news: IncidentNews[] = [];
      for (const kind of INCIDENT_KINDS) {
        const before = states.get(kind) ?? NO_INCIDENT;
        const { state, change } = judgeIncident(kind, before, getIncidentValue(kind, resources), at);
        if (change) {
          const incident = await database.write((trx) =>
            change === "began" ? begin(trx, kind, state.peak, at) : end(trx, kind, before.peak, at),
          );
          if (incident) news.push({ ...incident, change });
        }
        states.set(kind, state);
      }
      return news;
    },

    /** Of all instances, the latest first; those that last stand among them by when they began. */
    async list(): Promise<Incident[]> {
      const rows = await read
        .selectFrom("resource_incidents")
        .selectAll()
        .orderBy("id", "desc")
        .limit(LISTED)
        .execute();
      return rows.map(toIncident);
    },

    /** Ends what an instance left open that runs no more, and forgets what is older than the history. */
    async sweep(): Promise<void> {
      const now = clock();
      await database.write(async (trx) => {
        await trx
          .updateTable("resource_incidents")
          .set({ ended_at: now })
          .where("ended_at", "is", null)
          .where("instance", "!=", instance)
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom("resource_samples")
                  .select("at")
                  .whereRef("resource_samples.instance", "=", "resource_incidents.instance")
                  .where("at", ">=", now - GONE_MS),
              ),
            ),
          )
          .execute();
        await trx
          .deleteFrom("resource_incidents")
          .where("ended_at", "<", now - KEPT_FOR)
          .execute();
      });
    },
  };

  async function getOpenIncidents(): Promise<Map<IncidentKind, IncidentState>> {
    const rows = await selectOpen(read).execute();
    return new Map(
      rows.map(({ kind, peak, began_at }) => [
        kind,
        { isOpen: true, overSince: began_at, wellSince: undefined, peak },
      ]),
    );
  }

  function selectOpen(db: Pick<typeof read, "selectFrom">) {
    return db
      .selectFrom("resource_incidents")
      .selectAll()
      .where("instance", "=", instance)
      .where("ended_at", "is", null);
  }

  async function begin(trx: Write, kind: IncidentKind, peak: number, at: number) {
    const isMailed = deps.isMailed && (await mailedLately(trx, at)) < MAILED_AN_HOUR;
    const row = {
      id: newId(),
      instance,
      kind,
      began_at: at,
      ended_at: null,
      peak,
      mailed_at: isMailed ? at : null,
    };
    await trx.insertInto("resource_incidents").values(row).execute();
    return { ...toIncident(row), isMailed };
  }

  async function end(trx: Write, kind: IncidentKind, peak: number, at: number) {
    const row = await selectOpen(trx).where("kind", "=", kind).executeTakeFirst();
    if (!row) return undefined;
    await trx
      .updateTable("resource_incidents")
      .set({ ended_at: at, peak })
      .where("id", "=", row.id)
      .execute();
    return { ...toIncident({ ...row, ended_at: at, peak }), isMailed: row.mailed_at !== null };
  }

  async function mailedLately(trx: Write, at: number): Promise<number> {
    const { count } = await trx
      .selectFrom("resource_incidents")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("mailed_at", ">", at - hours(1))
      .executeTakeFirstOrThrow();
    return count;
  }
}

function toIncident(row: {
  id: string;
  instance: string;
  kind: IncidentKind;
  began_at: number;
  ended_at: number | null;
  peak: number;
}): Incident {
  const { id, instance, kind, began_at, ended_at, peak } = row;
  return { id, instance, kind, beganAt: began_at, endedAt: ended_at ?? undefined, peak };
}

interface Party {
  readonly name: string;
  readonly address: string;
}

/** A mail before its first try. */
const UNTRIED = { attempts: 0, not_before: 0, detail: "" };

/**
 * Tells every account of an incident, one mail each, now and once: one that comes hours late says nothing true any more.
 * Like test mails they are counted among the day's and never wait; suppressed addresses get none. Never throws: what did
 * not go is one line in the log, and the incident itself stands on the page and in Activity.
 */
export function createIncidentMails(deps: {
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
  const { database, mailer, clock, sender, log } = deps;

  async function send(news: IncidentNews, address: string): Promise<void> {
    if (await isSuppressed(database, address)) return;
    const messageId = `<${deps.newId()}@${deps.mailDomain}>`;
    const outcome = await mailer.send(deps.compose({ news, address, sender, messageId }));
    const at = clock();
    const tried = isAttempted({ row: UNTRIED, result: toResult(UNTRIED, outcome, at) });
    if (tried) await database.write((trx) => deps.allowance.consume(trx, 1, at));
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
