import { Registry } from "prom-client";
import { expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours } from "~/lib/durations";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import {
  countedMailer,
  countedPushSender,
  createApplicationMetrics,
} from "~/services/metrics/application-metrics.server";
import { readExposition, getSampleValue } from "../exposition";
import { removeAfterTest } from "../fixture";
import { createTestBroadcasts } from "../factories/broadcast";
import { createTestConfirmations } from "../factories/confirmations";
import { createEmail } from "../factories/email";
import { createTestMirrors } from "../factories/mirrors";
import { createTestOutreach, people, signUp } from "../factories/outreach";
import { addDevices, names } from "../factories/push";
import { storeSubmissions } from "../factories/submissions";
import { accepted, deferred, scriptByAddress, ScriptedMailer } from "../fakes/scripted-mailer";
import { ScriptedMirror } from "../fakes/scripted-mirror";
import { ScriptedPushSender } from "../fakes/scripted-push-sender";
import { describeOnDatabases } from "./use-database";

function createTestMetrics(
  database: Pick<Database, "read" | "probe">,
  { lastBackup, perDay = 0 }: { lastBackup?: number; perDay?: number } = {},
) {
  const allowance = new DailyAllowance(perDay);
  const registry = new Registry();
  let now = 0;
  const metrics = createApplicationMetrics({
    registry,
    database,
    version: "1.2.3",
    elapsed: () => (now += 250),
    freeDisk: async () => 5_000_000,
    lastBackup: async () => lastBackup,
    getAllowance: () => allowance.getToday(database.read, NOW),
  });
  return {
    ...metrics,
    async scrape() {
      await metrics.refresh();
      const families = readExposition(await registry.metrics());
      return {
        samples: (name: string) => families.get(`frontdesk_${name}`)?.samples,
        value: (name: string, labels = {}) => getSampleValue(families, `frontdesk_${name}`, labels),
      };
    },
  };
}

const NOW = Date.UTC(2026, 10, 21, 8);

describeOnDatabases("the application's metrics on %s", ({ database }) => {
  it("report what is stored, and leave out what is not", async () => {
    await storeSubmissions(database, [
      { email: "a@example.com" },
      { email: "b@example.com" },
      { email: "bot@example.com", kind: "contact-form", state: "quarantined", quarantine_reason: "honeypot" },
    ]);
    const { samples, value } = await createTestMetrics(database).scrape();
    expect([
      value("submissions", { form: "early-access", state: "accepted" }),
      value("submissions", { form: "contact-form", state: "quarantined" }),
      value("submissions", { form: "updates-signup", state: "accepted" }),
    ]).toEqual([2, 1, undefined]);
    expect([value("database_up"), value("database_probe_seconds"), value("disk_free_bytes")]).toEqual([
      1, 0.25, 5_000_000,
    ]);
    expect(value("build_info", { version: "1.2.3", node: process.version })).toBe(1);
    expect(value("backup_last_success_timestamp_seconds")).toBeUndefined();
    expect([samples("mirror_rows_waiting"), samples("sends_under_way")]).toEqual([[], []]);
  });

  it("follow a campaign and its emails from confirmation to end", async () => {
    await signUp(database, people(3));
    const { mailer, draft, confirmed, campaignWorker, clock } = createTestOutreach(database, () => deferred);
    const metrics = createTestMetrics(database);
    const figures = async () => {
      const { samples, value } = await metrics.scrape();
      const campaigns = samples("sends_under_way")?.map(({ labels, value }) => [labels.state, value]);
      return [campaigns, value("emails_waiting")];
    };
    await draft();
    expect(await figures()).toEqual([[], 0]);
    await confirmed();
    expect(await figures()).toEqual([[["preparing", 1]], 0]);
    const worker = campaignWorker();
    await worker.tick();
    expect(await figures()).toEqual([[["sending", 1]], 3]);
    mailer.script = () => accepted;
    clock.forward(hours(1));
    await worker.tick();
    expect(await figures()).toEqual([[], 0]);
  });

  it("follow a notification and its devices, and leave out drafts", async () => {
    await addDevices(database, names(3));
    const later = { kind: "deferred", status: 503, detail: "", retryAfterMs: undefined } as const;
    const { createDraft, confirmAndSend } = createTestBroadcasts(database, () => later);
    await createDraft();
    await confirmAndSend();
    const { samples, value } = await createTestMetrics(database).scrape();
    expect(samples("broadcasts_under_way")).toMatchObject([{ labels: { state: "sending" }, value: 1 }]);
    expect([value("pushes_waiting"), value("devices")]).toEqual([3, 3]);
  });

  it("count confirmation emails that are not sent yet", async () => {
    const script = scriptByAddress({ "retrying@example.com": deferred });
    const { signUpAndSend, signUp } = createTestConfirmations(database, script);
    await signUpAndSend("sent@example.com");
    await signUpAndSend("retrying@example.com");
    await signUp("pending@example.com");
    const { value } = await createTestMetrics(database).scrape();
    expect(value("confirmation_emails_waiting")).toBe(2);
  });

  it("report the emails of the day beside their limit", async () => {
    await database.write((trx) => new DailyAllowance(500).consume(trx, 512, NOW));
    const { value } = await createTestMetrics(database, { perDay: 500 }).scrape();
    expect([value("emails_today"), value("emails_per_day")]).toEqual([512, 500]);
    expect(value("automatic_emails_waiting")).toBe(0);
    const unlimited = await createTestMetrics(database).scrape();
    expect([unlimited.value("emails_today"), unlimited.value("emails_per_day")]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("report what waits for a mirror and when it was written to", async () => {
    const mirrors = createTestMirrors(database, new ScriptedMirror());
    await mirrors.tick();
    await mirrors.signUp("a@example.com", "b@example.com");
    const metrics = createTestMetrics(database);
    const form = "early-access";
    expect((await metrics.scrape()).value("mirror_rows_waiting", { form })).toBe(2);
    await mirrors.tick();
    const { value } = await metrics.scrape();
    expect(value("mirror_rows_waiting", { form })).toBe(0);
    expect(value("mirror_last_success_timestamp_seconds", { form })).toBeGreaterThan(1_700_000_000);
  });

  it("count open incidents and unparsed lines", async () => {
    await database.write(async (trx) => {
      const incident = { instance: "one", began_at: 1, ended_at: null, peak: 91, emailed_at: null };
      const rows = [
        { ...incident, id: "1", kind: "memory" },
        { ...incident, id: "2", kind: "memory", ended_at: 5 },
        { ...incident, id: "3", kind: "disk" },
      ] as const;
      await trx.insertInto("resource_incidents").values(rows).execute();
      const hour = { level: "", bytes: 9, least_id: 1, greatest_id: 4 };
      const logHours = [
        // Of a machine whose clock was not set yet.
        { ...hour, hour: 0, level: "INFO", lines: 7 },
        { ...hour, hour: 0, lines: 4 },
        { ...hour, hour: 3_600_000, level: "INFO", lines: 50 },
      ];
      await trx.insertInto("log_hours").values(logHours).execute();
    });
    const { value } = await createTestMetrics(database, { lastBackup: 1_700_000_000_000 }).scrape();
    const incidents = (kind: string) => value("incidents_open", { kind });
    expect([incidents("memory"), incidents("disk"), incidents("cpu")]).toEqual([1, 1, undefined]);
    expect(value("log_lines_ignored")).toBe(4);
    expect(value("backup_last_success_timestamp_seconds")).toBe(1_700_000_000);
  });

  it("are absent while the database is unavailable, and return with it", async () => {
    await storeSubmissions(database, [{ email: "a@example.com" }]);
    let isAway = false;
    const probe = async () => (isAway ? Promise.reject(new Error("away")) : database.probe());
    const { scrape } = createTestMetrics({ read: database.read, probe });
    const readValues = async () => {
      const { value } = await scrape();
      return [
        value("database_up"),
        value("submissions", { form: "early-access", state: "accepted" }),
        value("devices"),
        value("database_probe_seconds"),
        value("disk_free_bytes"),
      ];
    };
    expect(await readValues()).toEqual([1, 1, 0, 0.25, 5_000_000]);
    isAway = true;
    expect(await readValues()).toEqual([0, undefined, undefined, undefined, 5_000_000]);
    isAway = false;
    expect(await readValues()).toEqual([1, 1, 0, 0.25, 5_000_000]);
  });

  it("say that the database takes writes, also when its figures cannot be read", async () => {
    const read = database.read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: () => Promise.reject(new Error("too slow")),
    });
    const { value } = await createTestMetrics({ read, probe: () => database.probe() }).scrape();
    expect([value("database_up"), value("database_probe_seconds"), value("devices")]).toEqual([
      1,
      0.25,
      undefined,
    ]);
  });
});

it("a counted driver works as before, and each outcome is counted", async () => {
  const counted: string[] = [];
  const count = {
    inc: ({ outcome = "" }: Readonly<Record<string, string>>, by = 1) => {
      if (by > 0) counted.push(outcome);
    },
  };
  const outcome = { kind: "refused", code: 550, detail: "no such user" } as const;
  const mailer = removeAfterTest(countedMailer(new ScriptedMailer(() => outcome), count));
  expect(await mailer.send(createEmail())).toEqual(outcome);
  const scripted = new ScriptedPushSender();
  const settings = { engine: "webpush", publicKey: "" } as const;
  const rest = { settings, readToken: () => undefined, close: async () => undefined };
  const sender = countedPushSender(
    { ...rest, name: scripted.name, send: (to, message) => scripted.send(to, message) },
    count,
  );
  const device = { token: "t", endpoint: "https://push.example.com/1", p256dh: "", auth: "", public_key: "" };
  await sender.send(device, { notification: { title: "", body: "" } });
  expect(counted).toEqual(["refused", "accepted"]);
});
