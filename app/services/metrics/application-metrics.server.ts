import { Counter, Gauge, type Registry } from "prom-client";
import type { Database } from "~/db/database.server";
import type { Allowance } from "~/services/mail/delivery/daily-allowance.server";
import type { Mailer } from "~/services/mail/mailer";
import type { PushSender } from "~/services/push/push-sender";
import type { Signups } from "~/services/signups/signups.server";
import { readDatabaseFigures, type DatabaseFigures } from "./database-figures.server";
import { SUBMISSION_KINDS } from "~/lib/form-fields";

/** Creates the application's part of /metrics (docs/metrics.md). Only operators can determine label values. */
export function createApplicationMetrics(deps: {
  /** Registry of the guard, which serves /metrics. */
  registry: Registry;
  database: Pick<Database, "read" | "probe">;
  /** Returns the free bytes on the disk of DATA_DIR. */
  freeDisk: () => Promise<number>;
  /** Returns when the newest backup was taken; undefined when unknown. */
  lastBackup: () => Promise<number | undefined>;
  /** Returns today's allowance of emails; undefined without a limit. */
  getAllowance: () => Promise<Allowance | undefined>;
  version: string;
  /** Returns the milliseconds since some moment. */
  elapsed: () => number;
}) {
  const { database, elapsed } = deps;
  const registers = [deps.registry];
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help: `${help} Of this instance.`, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });

  const counters = {
    signups: counter("frontdesk_signups_total", "Forms submitted, by form and outcome.", ["form", "outcome"]),
    emails: counter("frontdesk_emails_total", "Emails handed to the mail driver, by outcome.", ["outcome"]),
    pushes: counter("frontdesk_pushes_total", "Messages handed to the push engine, by outcome.", ["outcome"]),
  };

  const build = gauge("frontdesk_build_info", "The version of this instance and of its Node.js.", [
    "version",
    "node",
  ]);
  build.set({ version: deps.version, node: process.version }, 1);

  const up = gauge("frontdesk_database_up", "Whether this instance can write to the database.");
  const latency = gauge(
    "frontdesk_database_probe_seconds",
    "Duration of this instance's last write to the database.",
  );
  const disk = gauge("frontdesk_disk_free_bytes", "Space left on the disk of DATA_DIR.");
  const backup = gauge(
    "frontdesk_backup_last_success_timestamp_seconds",
    "When the newest backup of this DATA_DIR was taken; absent while none is known.",
  );
  const shared = sharedGauges((name, help, labelNames) =>
    gauge(name, `${help} The same from every instance.`, labelNames),
  );

  /** Resets the gauges before the query: while the database does not respond, no old value counts as current. */
  async function refreshDatabase(): Promise<void> {
    up.set(0);
    latency.remove();
    shared.clear();
    const begunAt = elapsed();
    await database.probe();
    latency.set((elapsed() - begunAt) / 1000);
    up.set(1);
    const [figures, allowance] = await Promise.all([readDatabaseFigures(database.read), deps.getAllowance()]);
    shared.update(figures, allowance);
  }

  async function refreshFiles(): Promise<void> {
    disk.remove();
    backup.remove();
    const [free, takenAt] = await Promise.all([deps.freeDisk(), deps.lastBackup()]);
    disk.set(free);
    if (takenAt !== undefined) backup.set(takenAt / 1000);
  }

  return {
    counters,

    /** Updates the gauges. Gauges whose source cannot be read are absent. */
    async refresh(): Promise<void> {
      await Promise.allSettled([refreshDatabase(), refreshFiles()]);
    },
  };
}

/** Creates the gauges of figures in the database, which every instance reports alike. */
function sharedGauges(gauge: (name: string, help: string, labelNames?: string[]) => Gauge) {
  const submissions = gauge("frontdesk_submissions", "Submissions stored, by form and state.", [
    "form",
    "state",
  ]);
  const campaigns = gauge("frontdesk_sends_under_way", "Campaigns that are confirmed but not finished.", [
    "state",
  ]);
  const broadcasts = gauge(
    "frontdesk_broadcasts_under_way",
    "Notifications that are confirmed but not finished.",
    ["state"],
  );
  const emails = gauge(
    "frontdesk_emails_waiting",
    "Deliveries that are not finished, of campaigns under way.",
  );
  const confirmations = gauge(
    "frontdesk_confirmation_emails_waiting",
    "Confirmation emails that are not sent yet, counted to 10,000.",
  );
  const automatic = gauge(
    "frontdesk_automatic_emails_waiting",
    "Automatic emails that are not sent yet, counted to 10,000.",
  );
  const emailLimit = gauge(
    "frontdesk_emails_per_day",
    "Emails allowed in a UTC day (MAIL_PER_DAY); absent without a limit.",
  );
  const emailsToday = gauge(
    "frontdesk_emails_today",
    "Emails counted in this UTC day, also beyond the limit; absent without one.",
  );
  const pushes = gauge(
    "frontdesk_pushes_waiting",
    "Pending messages of notifications under way, counted to 10,000.",
  );
  const devices = gauge("frontdesk_devices", "Devices that receive notifications, counted to 100,000.");
  const incidents = gauge("frontdesk_incidents_open", "Ongoing incidents, among the newest 1,000.", ["kind"]);
  const ignored = gauge("frontdesk_log_lines_ignored", "Lines in System Logs that could not be parsed.");
  const rows = gauge("frontdesk_mirror_rows_waiting", "Rows to be copied to the mirror, counted to 20,000.", [
    "form",
  ]);
  const written = gauge(
    "frontdesk_mirror_last_success_timestamp_seconds",
    "When the mirror was last written to.",
    ["form"],
  );
  const problem = gauge("frontdesk_mirror_problem", "1 while nothing is written, by form and reason.", [
    "form",
    "problem",
  ]);
  const labelled = [submissions, campaigns, broadcasts, incidents, rows, written, problem];
  const plain = [emails, confirmations, automatic, emailLimit, emailsToday, pushes, devices, ignored];

  return {
    clear(): void {
      for (const each of labelled) each.reset();
      for (const each of plain) each.remove();
    },

    update(figures: DatabaseFigures, allowance: Allowance | undefined): void {
      for (const { kind, state, count } of figures.submissions) submissions.set({ form: kind, state }, count);
      for (const { state, count } of figures.campaigns) campaigns.set({ state }, count);
      for (const { state, count } of figures.broadcasts) broadcasts.set({ state }, count);
      for (const { kind, count } of figures.incidents) incidents.set({ kind }, count);
      for (const sheet of figures.sheets) {
        rows.set({ form: sheet.kind }, sheet.waiting);
        if (sheet.written_at !== null) written.set({ form: sheet.kind }, sheet.written_at / 1000);
        if (sheet.problem) problem.set({ form: sheet.kind, problem: sheet.problem }, 1);
      }
      emails.set(figures.waiting.emails);
      confirmations.set(figures.waiting.confirmations);
      automatic.set(figures.waiting.automatic);
      if (allowance) {
        emailLimit.set(allowance.limit);
        emailsToday.set(allowance.used);
      }
      pushes.set(figures.waiting.pushes);
      devices.set(figures.devices);
      ignored.set(figures.ignoredLines);
    },
  };
}

/** Counter, as prom-client has it. */
export interface Count {
  inc(labels: Readonly<Record<string, string>>, by?: number): void;
}

/** Outcomes of a form as label values (docs/metrics.md). */
const SIGNUP_LABELS = { stored: "accepted", quarantined: "quarantined", repeated: "duplicate" } as const;
const SIGNUP_OUTCOMES = [...Object.values(SIGNUP_LABELS), "refused"];
const EMAIL_OUTCOMES = ["accepted", "deferred", "refused", "unauthorized", "unreachable", "unknown"];
const PUSH_OUTCOMES = [...EMAIL_OUTCOMES, "credentials-refused", "gone", "unusable"];

/** Counts the outcomes of the signup service. Invalid forms never reach it. */
export function countedSignups(signups: Signups, count: Count): Signups {
  for (const form of SUBMISSION_KINDS) for (const outcome of SIGNUP_OUTCOMES) count.inc({ form, outcome }, 0);
  return {
    ...signups,
    async record(form, ...input) {
      const outcome = await signups.record(form, ...input);
      count.inc({ form, outcome: outcome.ok ? SIGNUP_LABELS[outcome.outcome] : "refused" });
      return outcome;
    },
  };
}

/** Counts the outcomes of the mail driver, whatever the email is. */
export function countedMailer(mailer: Mailer, count: Count): Mailer {
  const counted = startCounting(count, EMAIL_OUTCOMES);
  return {
    name: mailer.name,
    send: (email) => counted(mailer.send(email)),
    knows: (messageId) => mailer.knows(messageId),
    close: () => mailer.close(),
  };
}

/** Counts the outcomes of the push engine. */
export function countedPushSender(sender: PushSender, count: Count): PushSender {
  const counted = startCounting(count, PUSH_OUTCOMES);
  return {
    name: sender.name,
    settings: sender.settings,
    readToken: (token) => sender.readToken(token),
    send: (device, message) => counted(sender.send(device, message)),
    close: () => sender.close(),
  };
}

/** Creates a function that counts the outcome of one message and passes it on. Each outcome starts at 0. */
function startCounting(count: Count, outcomes: readonly string[]) {
  for (const outcome of outcomes) count.inc({ outcome }, 0);
  return async <Outcome extends { readonly kind: string }>(sending: Promise<Outcome>): Promise<Outcome> => {
    const outcome = await sending;
    count.inc({ outcome: outcome.kind });
    return outcome;
  };
}
