import type { SelectQueryBuilder } from "kysely";
import type { Logger } from "pino";
import { z } from "zod";
import { takeAdvisoryLock } from "~/db/advisory-lock.server";
import type { Database, Read, Write } from "~/db/database.server";
import { countRows, limitToPage } from "~/db/rows";
import type { Tables } from "~/db/tables";
import type { ResourceIncidentsTable } from "~/db/tables/monitoring";
import { days, hours, minutes } from "~/lib/durations";
import { recordAlert } from "~/services/alerts/record-alert.server";
import type { TransactionalEmail } from "~/services/mail/email-parts";
import type { Email } from "~/services/mail/mailer";
import type { EmailKind } from "~/services/mail/transactional/email-kind";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import type { ServiceDeps } from "~/services/service-deps";
import { INCIDENT_KINDS, INCIDENT_RULES, applyMeasurement, NO_INCIDENT } from "./incident-rules";
import type { IncidentChange, IncidentKind, IncidentState } from "./incident-rules";
import type { SystemResources } from "./system-resources";

/** Incidents emailed per hour over all instances; each sends one email at its beginning and one at its end. */
export const MAX_EMAILED_PER_HOUR = 5;
const RETENTION_MS = days(30);
/** Time without samples after which an instance counts as stopped. */
const SILENT_MS = minutes(15);
const MAX_LISTED = 20;
/** Of one instance. */
const MAX_CHARTED = 500;

export type Incident = ResourceIncidentsTable;

/** An incident that just began or ended. The accounts are emailed when it has a `emailed_at`. */
export interface IncidentEvent extends Incident {
  readonly change: IncidentChange;
}

export type Incidents = ReturnType<typeof createIncidents>;

/**
 * Creates the service for incidents, times when a resource ran short, per instance (incident-rules.ts). They
 * are stored in a table and survive a restart: an open incident continues, and ends by the same rules. They are
 * not in the activity, which keeps people's actions forever and would be filled by a fluctuating load.
 * @param deps.instance the name it is measured as: instances that have one in common, because they measure the same,
 *   have incidents in common, each of which is reported by the one that stored its beginning or end.
 */
export function createIncidents(deps: ServiceDeps & { instance: string; isEmailed: boolean }) {
  const { database, clock, newId, instance } = deps;
  const { read } = database;
  let states: Map<IncidentKind, IncidentState> | undefined;
  /** Stored and not yet returned: the write of a later kind may fail. */
  const stored: IncidentEvent[] = [];

  return {
    /**
     * Applies a measurement. @returns incidents that began or ended with it.
     * @throws errors of the database: then the next measurement reports what this one would have.
     */
    async observe(resources: SystemResources, at: number): Promise<IncidentEvent[]> {
      states ??= await getOpenIncidents();
      await forgetEnded(states);
      for (const kind of INCIDENT_KINDS) {
        const before = states.get(kind) ?? NO_INCIDENT;
        const value = INCIDENT_RULES[kind].getValue(resources);
        const { state, change } = applyMeasurement(kind, before, value, at);
        if (change) {
          const incident = await database.write<Incident | undefined>((trx) =>
            change === "began" ? begin(trx, kind, state.peak, at) : end(trx, kind, at),
          );
          if (incident) stored.push({ ...incident, change });
        } else if (state.isOpen && state.peak > before.peak) {
          await raisePeak(kind, state.peak);
        }
        states.set(kind, state);
      }
      return stored.splice(0);
    },

    /** Lists incidents of all instances. */
    list: () => listOpenAndLatest(read.selectFrom("resource_incidents"), MAX_LISTED),

    /** Lists the incidents of this instance that were not over at a time, in epoch milliseconds. */
    listOwn: (since: number) =>
      listOpenAndLatest(
        read
          .selectFrom("resource_incidents")
          .where("instance", "=", instance)
          .where(({ or, eb }) => or([eb("ended_at", "is", null), eb("ended_at", ">", since)])),
        MAX_CHARTED,
      ),

    /**
     * Ends open incidents of instances that stored no samples for 15 minutes, as one that runs may too
     * (`forgetEnded`), and deletes incidents older than the history.
     */
    async sweep(): Promise<void> {
      const now = clock();
      await database.write(async (trx) => {
        const running = trx
          .selectFrom("resource_samples")
          .select("instance")
          .where("at", ">=", now - SILENT_MS);
        await trx
          .updateTable("resource_incidents")
          .set({ ended_at: now })
          .where("ended_at", "is", null)
          .where("instance", "!=", instance)
          .where("instance", "not in", running)
          .execute();
        await trx
          .deleteFrom("resource_incidents")
          .where("ended_at", "<", now - RETENTION_MS)
          .execute();
      });
    },
  };

  function selectOpen(db: Read) {
    return db
      .selectFrom("resource_incidents")
      .selectAll()
      .where("instance", "=", instance)
      .where("ended_at", "is", null);
  }

  async function getOpenIncidents(): Promise<Map<IncidentKind, IncidentState>> {
    const rows = await selectOpen(read).execute();
    return new Map(
      rows.map(({ kind, peak, began_at }) => [
        kind,
        { isOpen: true, overSince: began_at, normalSince: undefined, peak },
      ]),
    );
  }

  /** Forgets incidents that another instance ended, so that one that goes on begins again and is reported. */
  async function forgetEnded(states: Map<IncidentKind, IncidentState>): Promise<void> {
    const kinds = INCIDENT_KINDS.filter((kind) => states.get(kind)?.isOpen);
    if (kinds.length === 0) return;
    const open = await getOpenIncidents();
    for (const kind of kinds) if (!open.has(kind)) states.delete(kind);
  }

  /** @returns undefined when it has already begun. */
  async function begin(
    trx: Write,
    kind: IncidentKind,
    peak: number,
    at: number,
  ): Promise<Incident | undefined> {
    await takeAdvisoryLock(trx, "incidents");
    const open = await selectOpen(trx).where("kind", "=", kind).executeTakeFirst();
    if (open) return undefined;
    const recent = trx.selectFrom("resource_incidents").where("emailed_at", ">", at - hours(1));
    const isEmailed = deps.isEmailed && (await countRows(recent)) < MAX_EMAILED_PER_HOUR;
    const row = {
      id: newId(),
      instance,
      kind,
      began_at: at,
      ended_at: null,
      peak,
      emailed_at: isEmailed ? at : null,
    };
    await trx.insertInto("resource_incidents").values(row).execute();
    await recordUnlessEmailed(trx, row, at);
    return row;
  }

  /** Raises the peak of an open incident, which another instance may have raised further. */
  async function raisePeak(kind: IncidentKind, peak: number): Promise<void> {
    await database.write((trx) =>
      trx
        .updateTable("resource_incidents")
        .set({ peak })
        .where("instance", "=", instance)
        .where("kind", "=", kind)
        .where("ended_at", "is", null)
        .where("peak", "<", peak)
        .execute(),
    );
  }

  /** @returns undefined when it was already ended. */
  async function end(trx: Write, kind: IncidentKind, at: number): Promise<Incident | undefined> {
    const incident = await trx
      .updateTable("resource_incidents")
      .set({ ended_at: at })
      .where("instance", "=", instance)
      .where("kind", "=", kind)
      .where("ended_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (incident) await recordUnlessEmailed(trx, incident, at);
    return incident;
  }
}

/** Lists the latest incidents of a query, and those that go on however many began later; the latest beginning first. */
function listOpenAndLatest(
  incidents: SelectQueryBuilder<Tables, "resource_incidents", object>,
  limit: number,
): Promise<Incident[]> {
  const latest = limitToPage(incidents.select("id"), { limit }, {});
  return incidents
    .selectAll()
    .where(({ or, eb }) => or([eb("ended_at", "is", null), eb("id", "in", latest)]))
    .orderBy("id", "desc")
    .execute();
}

/** Every account is emailed about an incident with `emailed_at`, so that nobody is told about it twice. */
async function recordUnlessEmailed(trx: Write, incident: Incident, at: number): Promise<void> {
  if (incident.emailed_at === null) await recordAlert(trx, { event: "incident", at });
}

/** What an email about an incident is composed of. */
export interface IncidentEmail extends TransactionalEmail {
  readonly event: IncidentEvent;
}

const incidentEmailData = z.object({ incident: z.string(), change: z.string(), account: z.string() });

/** Emails about incidents: one for each account and each beginning and end. */
export const INCIDENT_EMAIL: EmailKind<z.infer<typeof incidentEmailData>> = {
  name: "incident",
  plural: "emails about incidents",
  allowanceClass: "always",
  data: incidentEmailData,
  getKey: ({ incident, change, account }) => `${incident}.${change}.${account}`,
  retentionMs: RETENTION_MS,
};

interface IncidentEmailDeps {
  readonly database: Pick<Database, "read">;
  readonly emails: Pick<TransactionalEmails, "send">;
  readonly sender: Email["from"];
  readonly compose: (parts: IncidentEmail) => Email;
  readonly log: Pick<Logger, "warn">;
}

/**
 * Creates the function that notifies every account of an incident, with one email each, at once and without
 * retry: hours later it would no longer be true. Like test emails they count against the daily limit and never
 * wait for it; suppressed addresses get none. Never throws: failures are one line in the log.
 */
export function createIncidentEmails({ database, emails, sender, compose, log }: IncidentEmailDeps) {
  async function send(event: IncidentEvent, account: { id: string; email: string }): Promise<void> {
    const address = account.email;
    const data = { incident: event.id, change: event.change, account: account.id };
    const attempt = await emails.send(
      INCIDENT_EMAIL,
      { address, data },
      { compose: (messageId) => compose({ event, address, sender, messageId }) },
    );
    if (attempt.kind === "attempted" && attempt.outcome.kind !== "accepted") {
      throw new Error(attempt.outcome.detail);
    }
  }

  return async (event: IncidentEvent): Promise<void> => {
    if (event.emailed_at === null) return;
    try {
      const accounts = await database.read
        .selectFrom("accounts")
        .select(["id", "email"])
        .orderBy("id")
        .execute();
      const sent = await Promise.allSettled(accounts.map((account) => send(event, account)));
      const failures = sent.filter((one) => one.status === "rejected");
      if (failures.length === 0) return;
      const counts = { failed: failures.length, of: sent.length };
      log.warn({ incident: event.id, ...counts, words: String(failures[0]?.reason) }, NOT_SENT);
    } catch (err) {
      log.warn({ err, incident: event.id }, NOT_SENT);
    }
  };
}

const NOT_SENT = "an incident could not be emailed to everybody";
