import type { Database } from "~/db/database.server";
import { composeAlertEmail, composeAlertTestEmail } from "~/emails/alert-email";
import { createAlertKind } from "~/services/alerts/alert-email.server";
import { createAlertWorker } from "~/services/alerts/alert-worker.server";
import { createAlerts, type AlertChoices } from "~/services/alerts/alerts.server";
import { createTestEmailKind } from "~/services/outreach/sample-email.server";
import { newId } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { ScriptedMailer, type Script } from "../fakes/scripted-mailer";
import { brand } from "./brand";
import { createQueueOptions } from "./queue-options";
import { insertAccount, origin } from "./accounts";
import { createTestClock } from "./time";
import { createTestEmails, sender } from "./transactional-emails";
import { watchWrites } from "./watched-writes";

export const ALERT_URLS = {
  inquiries: "https://example.com/inquiries",
  campaigns: "https://example.com/campaigns",
  campaign: (id: string) => `https://example.com/campaigns/${id}`,
  resources: "https://example.com/resources",
  dashboard: "https://example.com/dashboard",
  alerts: "https://example.com/alerts",
};

const NOTHING: AlertChoices = { inquiry: "off", campaign: "off", incident: "off", summary: "off", hour: 8 };

interface Settings {
  script?: Script;
  requiresSecondFactor?: boolean;
  clock?: ReturnType<typeof createTestClock>;
}

/** Creates alerts on a database, with a mailer that answers by `script` and a clock the test moves. */
export function createTestAlerts(database: Database, settings: Settings = {}) {
  const { script, requiresSecondFactor = false, clock = createTestClock() } = settings;
  const mailer = new ScriptedMailer(script);
  const testKind = createTestEmailKind({ clock, newId });
  const kind = createAlertKind({
    database,
    sender,
    compose: (email) => composeAlertEmail({ ...email, brandName: brand.name, urls: ALERT_URLS }),
    requiresSecondFactor,
  });
  const emails = createTestEmails(database, clock, { mailer, kinds: [kind, testKind] });
  const watched = watchWrites(database);
  const alerts = createAlerts({
    database: watched.database,
    clock,
    newId,
    emails,
    testKind,
    sender,
    composeTest: (email) =>
      composeAlertTestEmail({ ...email, brandName: brand.name, alertsUrl: ALERT_URLS.alerts }),
  });
  /** Creates the worker of an instance. */
  const createInstance = () =>
    createAlertWorker({
      database,
      clock,
      log: createQueueOptions(database, clock).log,
      emails,
      kind,
      requiresSecondFactor,
    });
  const worker = createInstance();
  const people = new Map<string, SignedIn>();

  return {
    clock,
    mailer,
    emails,
    alerts,
    createInstance,
    choose,
    getPerson,
    /** Tells what is to be told, and sends the emails. @returns "address: subject" of each new email. */
    async tell(): Promise<string[]> {
      const before = mailer.received.length;
      await worker.tick();
      await emails.worker.tick();
      return mailer.received.slice(before).map(({ to, subject }) => `${to.address}: ${subject}`);
    },
    /** The text of the last email. */
    getLastText: () => mailer.received.at(-1)?.text ?? "",
    /** Opens the page of an event, and waits until that is recorded. */
    async open(
      name: string,
      ...page: Parameters<typeof alerts.open> extends [string, ...infer Rest] ? Rest : never
    ): Promise<void> {
      await alerts.open(getPerson(name).accountId, ...page);
      await watched.written();
    },
  };

  /** Stores what somebody is told about, who gets an account; what is left out is off. */
  async function choose(name: string, choices: Partial<AlertChoices>, timeZone = "UTC"): Promise<void> {
    const email = `${name}@example.com`;
    let operator = people.get(name);
    if (!operator) {
      const accountId = await insertAccount(database, { email });
      operator = toPerson(accountId, email, timeZone);
      people.set(name, operator);
    }
    await database.write((trx) =>
      trx.updateTable("accounts").set({ time_zone: timeZone }).where("email", "=", email).execute(),
    );
    await alerts.choose({ ...operator, timeZone }, { ...NOTHING, ...choices }, origin);
  }

  function getPerson(name: string): SignedIn {
    const operator = people.get(name);
    if (!operator) throw new Error(`${name} has chosen nothing`);
    return operator;
  }
}

const toPerson = (accountId: string, email: string, timeZone: string): SignedIn => ({
  sessionHandle: "",
  accountId,
  email,
  fullName: email,
  role: "admin",
  passwordIsTemporary: false,
  hasSecondFactor: false,
  timeZone,
  hasChosenTimeZone: true,
});
