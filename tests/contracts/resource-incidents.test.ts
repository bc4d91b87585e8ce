import { describe, expect, it } from "vitest";
import { composeIncidentEmail } from "~/emails/incident-email";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { createHistory } from "~/services/resources/history.server";
import {
  createIncidentEmails,
  createIncidents,
  INCIDENT_EMAIL,
  MAX_EMAILED_PER_HOUR,
} from "~/services/resources/incidents.server";
import type { IncidentEvent } from "~/services/resources/incidents.server";
import { newId } from "~/services/service-deps";
import { suppress } from "../factories/outreach";
import { createSystemResources, type Figures } from "../factories/resources";
import { createTestClock } from "../factories/time";
import { createTestTokens } from "../factories/tokens";
import { createTestEmails, listEmails } from "../factories/transactional-emails";
import { ScriptedMailer, accepted, unreachable } from "../fakes/scripted-mailer";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("incidents on %s", ({ database, place }) => {
  function setUp({ instance = "web-1", clock = createTestClock(), isEmailed = false } = {}) {
    const mailer = new ScriptedMailer();
    const warnings: unknown[] = [];
    const incidents = createIncidents({ database, clock, newId, instance, isEmailed });
    const allowance = new DailyAllowance(100);
    const emails = createTestEmails(database, clock, { mailer, allowance, kinds: [INCIDENT_EMAIL] });
    const emailIncident = createIncidentEmails({
      database,
      emails,
      compose: (email) =>
        composeIncidentEmail({
          ...email,
          brandName: "Confer",
          pageUrl: "https://launch.example.com/admin/resouces-monitor",
        }),
      sender: { name: "Team", address: "hello@example.com" },
      log: { warn: (details: unknown) => void warnings.push(details) },
    });
    /** Measures every ten seconds for `ms`. */
    let events: IncidentEvent[] = [];
    const measure = async (ms: number, figures: Figures) => {
      events = [];
      for (let passed = 0; passed <= ms; passed += seconds(10)) {
        events.push(...(await incidents.observe(createSystemResources(figures), clock())));
        clock.forward(seconds(10));
      }
      for (const event of events) await emailIncident(event);
      return events.map(({ kind, change }) => `${kind} ${change}`);
    };
    const emailAgain = () => Promise.all(events.map((event) => emailIncident(event)));
    return { incidents, clock, measure, emailAgain, mailer, warnings };
  }

  async function addAccounts(...names: string[]) {
    const { person: operator } = createTestTokens(database);
    for (const name of names) await operator(name);
  }

  it("begin and end with their times and their peak", async () => {
    const { incidents, clock, measure } = setUp();
    const began = clock();
    expect(await measure(seconds(30), { memory: 74.2 })).toEqual(["memory began"]);
    const open = { instance: "web-1", kind: "memory", peak: 74.2, ended_at: null, emailed_at: null };
    expect(await incidents.list()).toMatchObject([{ ...open, began_at: began + seconds(30) }]);
    await measure(minutes(2), { memory: 81 });
    expect(await incidents.list()).toMatchObject([{ peak: 81, ended_at: null }]);
    await measure(minutes(1), { memory: 75 });
    expect(await incidents.list()).toMatchObject([{ peak: 81, ended_at: null }]);
    expect(await measure(minutes(1), { memory: 50 })).toEqual(["memory ended"]);
    const [incident] = await incidents.list();
    expect(incident).toMatchObject({ peak: 81, ended_at: clock() - seconds(10) });
  });

  it("continue after a restart as one incident", async () => {
    const clock = createTestClock();
    await setUp({ clock }).measure(seconds(30), { redis: false });
    const after = setUp({ clock });
    expect(await after.measure(minutes(5), { redis: false })).toEqual([]);
    expect(await after.measure(minutes(1), { redis: true })).toEqual(["redis ended"]);
    expect(await after.incidents.list()).toHaveLength(1);
  });

  it("keep their peak over a restart", async () => {
    const clock = createTestClock();
    const before = setUp({ clock });
    await before.measure(seconds(30), { memory: 74 });
    await before.measure(seconds(30), { memory: 97 });
    const after = setUp({ clock });
    await after.measure(seconds(30), { memory: 74 });
    expect(await after.measure(minutes(1), { memory: 50 })).toEqual(["memory ended"]);
    expect(await after.incidents.list()).toMatchObject([{ peak: 97 }]);
  });

  it("of several kinds and instances are listed together", async () => {
    const clock = createTestClock();
    const [first, second] = [setUp({ clock }), setUp({ clock, instance: "web-2" })];
    expect(await first.measure(seconds(30), { memory: 90, cpu: 95, meetings: 13, redis: true })).toEqual([
      "memory began",
      "cpu began",
      "meetings began",
    ]);
    expect(await second.measure(seconds(30), { disk: 80 })).toEqual(["disk began"]);
    expect((await first.incidents.list()).map(({ instance, kind }) => `${instance} ${kind}`)).toEqual([
      "web-2 disk",
      "web-1 meetings",
      "web-1 cpu",
      "web-1 memory",
    ]);
  });

  it("that two instances measure under one name, as of the platform, begin and end once", async () => {
    const clock = createTestClock();
    const other = await place.open();
    const instances = [database, other].map((on) =>
      createIncidents({ database: on, clock, newId, instance: "the platform", isEmailed: true }),
    );
    /** Measures at both at the same moment, every ten seconds for `ms`. */
    const measure = async (ms: number, figures: Figures) => {
      const events: IncidentEvent[] = [];
      for (let passed = 0; passed <= ms; passed += seconds(10)) {
        const resources = createSystemResources(figures);
        const observed = await Promise.all(instances.map((one) => one.observe(resources, clock())));
        events.push(...observed.flat());
        clock.forward(seconds(10));
      }
      return events.map(({ kind, change }) => `${kind} ${change}`).toSorted();
    };
    for (let incident = 0; incident < MAX_EMAILED_PER_HOUR; incident += 1) {
      expect(await measure(seconds(30), { memory: 80, cpu: 95 })).toEqual(["cpu began", "memory began"]);
      expect(await measure(minutes(1), {})).toEqual(["cpu ended", "memory ended"]);
    }
    const incidents = await database.read.selectFrom("resource_incidents").select("emailed_at").execute();
    expect(incidents).toHaveLength(2 * MAX_EMAILED_PER_HOUR);
    expect(incidents.filter(({ emailed_at }) => emailed_at !== null)).toHaveLength(MAX_EMAILED_PER_HOUR);
    await other.close();
  });

  it("that go on are listed, however many began later", async () => {
    const { incidents, clock, measure } = setUp();
    const other = setUp({ clock, instance: "web-2" });
    const since = clock();
    await measure(seconds(30), { disk: 80 });
    for (let incident = 0; incident < 21; incident += 1) {
      await other.measure(seconds(30), { cpu: 95 });
      await other.measure(minutes(1), { cpu: 10 });
    }
    const listed = await incidents.list();
    expect(listed).toHaveLength(21);
    expect(listed.at(-1)).toMatchObject({ instance: "web-1", kind: "disk", ended_at: null });
    expect(await incidents.listOwn(clock())).toMatchObject([{ kind: "disk" }]);
    expect(await other.incidents.listOwn(since)).toHaveLength(21);
    expect(await other.incidents.listOwn(clock())).toEqual([]);
  });

  it("are reported with the next measurement after a failed write", async () => {
    const { incidents, clock, measure } = setUp();
    await measure(seconds(20), { memory: 80 });
    const { write } = database;
    database.write = () => Promise.reject(new Error("the disk is full"));
    await expect(incidents.observe(createSystemResources({ memory: 80 }), clock())).rejects.toThrow("full");
    database.write = write;
    clock.forward(seconds(10));
    expect(await measure(0, { memory: 80 })).toEqual(["memory began"]);
  });

  it("are reported with the next measurement after the write of another kind failed", async () => {
    const { incidents, clock, measure } = setUp();
    const figures = { memory: 80, cpu: 95 };
    await measure(seconds(20), figures);
    const { write } = database;
    let writes = 0;
    database.write = (work) => {
      writes += 1;
      return writes === 1 ? write(work) : Promise.reject(new Error("the disk is full"));
    };
    await expect(incidents.observe(createSystemResources(figures), clock())).rejects.toThrow("full");
    database.write = write;
    clock.forward(seconds(10));
    expect(await measure(0, figures)).toEqual(["memory began", "cpu began"]);
    expect(await measure(0, figures)).toEqual([]);
  });

  it("of an instance that has stopped are ended, and all are deleted after 30 days", async () => {
    const clock = createTestClock();
    const [stopped, running] = [setUp({ clock, instance: "stopped" }), setUp({ clock })];
    await stopped.measure(seconds(30), { memory: 90 });
    await running.measure(seconds(30), { cpu: 90 });
    const history = createHistory({ database, clock, instance: "stopped" });
    await history.add(createSystemResources({ memory: 90 }), clock());
    await history.flush();
    const sweep = async () => {
      await running.incidents.sweep();
      const incidents = await running.incidents.list();
      return incidents.map(({ instance, ended_at }) => `${instance} ${ended_at === null ? "open" : "ended"}`);
    };
    expect(await sweep()).toEqual(["web-1 open", "stopped open"]);
    clock.forward(hours(1));
    expect(await sweep()).toEqual(["web-1 open", "stopped ended"]);
    clock.forward(days(30) + 1);
    expect(await sweep()).toEqual(["web-1 open"]);
  });

  it("begin again when another instance ended them and they go on", async () => {
    const clock = createTestClock();
    const [silent, other] = [setUp({ clock, instance: "silent" }), setUp({ clock })];
    expect(await silent.measure(seconds(30), { memory: 80 })).toEqual(["memory began"]);
    await other.incidents.sweep();
    expect(await silent.measure(seconds(30), { memory: 80 })).toEqual(["memory began"]);
    expect(await silent.measure(minutes(1), { memory: 50 })).toEqual(["memory ended"]);
  });

  describe("by email", () => {
    it("are off by default", async () => {
      await addAccounts("ada");
      const { measure, mailer } = setUp();
      await measure(seconds(30), { memory: 90 });
      expect(mailer.received).toEqual([]);
    });

    it("reach every account that is not suppressed, twice", async () => {
      await addAccounts("ada", "grace", "alan");
      await suppress(database, "alan@example.com");
      const { measure, mailer } = setUp({ isEmailed: true });
      await measure(minutes(10), { memory: 74.2 });
      expect(mailer.recipients.toSorted()).toEqual(["ada@example.com", "grace@example.com"]);
      expect(mailer.received[0]).toMatchObject({
        subject: "Incident: memory 74.2 % is over 70 %",
        autoSubmitted: "auto-generated",
        headers: {
          "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply",
        },
      });
      expect(mailer.received[0]?.text).toContain("https://launch.example.com/admin/resouces-monitor");
      expect(mailer.received[0]?.text).toContain(
        "On web-1, 2026-11-21 08:00 UTC: memory 74.2 % is over 70 %.",
      );
      await measure(minutes(10), { memory: 40 });
      expect(mailer.received).toHaveLength(4);
      expect(mailer.received[3]?.subject).toBe("Resolved: memory 74.2 % is over 70 %");
      const counted = await database.read.selectFrom("email_days").select("emails").execute();
      expect(counted).toEqual([{ emails: 4 }]);
    });

    it(`are ${MAX_EMAILED_PER_HOUR} an hour at most over all instances`, async () => {
      await addAccounts("ada");
      const clock = createTestClock();
      const instances = ["web-1", "web-2"].map((instance) => setUp({ clock, isEmailed: true, instance }));
      const listWords = () =>
        instances.flatMap(({ mailer }) => mailer.received.map(({ subject }) => subject.split(":")[0]));
      for (let incident = 0; incident < 8; incident += 1) {
        const { measure } = instances[incident % 2]!;
        await measure(seconds(30), { cpu: 95 });
        await measure(minutes(1), { cpu: 10 });
      }
      const expected = Array(MAX_EMAILED_PER_HOUR).fill(["Incident", "Resolved"]).flat();
      expect(listWords().sort()).toEqual(expected.sort());
      clock.forward(hours(1));
      await instances[0]!.measure(seconds(30), { cpu: 95 });
      expect(listWords()).toHaveLength(2 * MAX_EMAILED_PER_HOUR + 1);
    });

    it("are sent once for each account and change, whatever asks for them", async () => {
      await addAccounts("ada", "grace");
      const { measure, emailAgain, mailer } = setUp({ isEmailed: true });
      await measure(seconds(30), { memory: 90 });
      await emailAgain();
      expect(mailer.recipients.toSorted()).toEqual(["ada@example.com", "grace@example.com"]);
      expect((await listEmails(database)).map(({ kind, state }) => [kind, state])).toEqual([
        ["incident", "sent"],
        ["incident", "sent"],
      ]);
    });

    it("that fail are one line in the log, and the incident stays listed", async () => {
      await addAccounts("ada", "grace");
      const { measure, mailer, warnings, incidents } = setUp({ isEmailed: true });
      mailer.script = (email) => (email.to.address === "ada@example.com" ? unreachable : accepted);
      await measure(seconds(30), { memory: 90 });
      expect(warnings).toEqual([
        { incident: expect.any(String) as string, failed: 1, of: 2, words: "Error: connection refused" },
      ]);
      expect(await incidents.list()).toHaveLength(1);
    });
  });
});
