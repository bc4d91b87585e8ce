import { describe, expect, it } from "vitest";
import type { Database, Write } from "~/db/database.server";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { AUTOMATIC_HEADERS } from "~/services/mail/email-headers";
import { createIncidents } from "~/services/resources/incidents.server";
import { newId } from "~/services/service-deps";
import { readAudit } from "../factories/accounts";
import { ALERT_URLS, createTestAlerts } from "../factories/alerts";
import { waitUntilBlocked } from "../factories/blocked-writes";
import { createTestCampaign, operator, suppress } from "../factories/outreach";
import { createTestSignups } from "../factories/forms";
import { createTestQuarantine } from "../factories/quarantine";
import { createSystemResources, type Figures } from "../factories/resources";
import { createTestClock, type TestClock } from "../factories/time";
import { listEmails } from "../factories/transactional-emails";
import { accepted, refused, scriptByAddress, unauthorized, unreachable } from "../fakes/scripted-mailer";
import { describeOnDatabases } from "./use-database";

/** Creates a function that sends an inquiry as a visitor does. */
function createInquiries(database: Database, clock: TestClock) {
  const { signups, createForm } = createTestSignups(database, { clock });
  let sent = 0;
  return async (name: string) => {
    sent += 1;
    const email = `visitor-${sent}@example.org`;
    const inquiry = { name, email, inquiry_type: "general", message: "A secret question" } as const;
    expect(await signups.record("contact-form", inquiry, createForm())).toMatchObject({ ok: true });
  };
}

/** Creates a function that measures every ten seconds for `ms`. */
function createMeasuring(database: Database, clock: TestClock, isEmailed = false) {
  const incidents = createIncidents({ database, clock, newId, instance: "web-1", isEmailed });
  return async (ms: number, figures: Figures) => {
    for (let passed = 0; passed <= ms; passed += seconds(10)) {
      await incidents.observe(createSystemResources(figures), clock());
      clock.forward(seconds(10));
    }
  };
}

describeOnDatabases("alerts on %s", ({ database }) => {
  const listAlerts = () => database.read.selectFrom("alerts").selectAll().execute();

  /** Does `first` between what `work` reads and what it writes. */
  async function beforeNextWrite(first: () => Promise<void>, work: () => Promise<void>) {
    const { write } = database;
    database.write = async <T>(late: (trx: Write) => Promise<T>): Promise<T> => {
      database.write = write;
      await first();
      return write(late);
    };
    await work();
  }

  function setUp(settings: Parameters<typeof createTestAlerts>[1] = {}) {
    const world = createTestAlerts(database, settings);
    return { ...world, inquire: createInquiries(database, world.clock) };
  }

  describe("at once", () => {
    it("tell of the first inquiry, and of no other until the list was opened", async () => {
      const { choose, inquire, tell, open, getLastText, clock, mailer } = setUp();
      await choose("ada", { inquiry: "at-once" });
      await inquire("Grace Hopper");
      expect(await tell()).toEqual(["ada@example.com: 1 new inquiry"]);
      expect(mailer.received[0]).toMatchObject({
        autoSubmitted: "auto-generated",
        headers: AUTOMATIC_HEADERS,
      });
      expect(getLastText()).toContain("1 new inquiry. From Grace Hopper.");
      expect(getLastText()).toContain(ALERT_URLS.inquiries);
      expect(getLastText()).toContain("nothing more about inquiries until you open this page");
      expect(getLastText()).not.toMatch(/secret question|visitor-/);

      for (const name of ["Alan", "Edsger"]) {
        clock.forward(minutes(1));
        await inquire(name);
        expect(await tell()).toEqual([]);
      }
      await open("ada", "inquiry");
      expect(await listAlerts()).toEqual([]);
      expect(await tell()).toEqual([]);
      clock.forward(minutes(1));
      await inquire("Barbara Liskov");
      expect(await tell()).toEqual(["ada@example.com: 1 new inquiry"]);
      expect(getLastText()).toContain("From Barbara Liskov.");
    });

    it("are one email for many events", async () => {
      const { choose, inquire, tell, getLastText, clock } = setUp();
      await choose("ada", { inquiry: "at-once" });
      for (const name of ["Ada", "Grace", "https://evil.example", "Alan", "Edsger"]) {
        await inquire(name);
        clock.forward(10);
      }
      expect(await tell()).toEqual(["ada@example.com: 5 new inquiries"]);
      // C42
      expect(getLastText()).toContain("From Edsger, Alan and 3 more.");
      expect(getLastText()).not.toContain("evil.example");
    });

    it("count what is released from quarantine, and nothing that stays there", async () => {
      const { quarantine, bot, clock } = createTestQuarantine(database);
      const { choose, tell } = setUp({ clock });
      await choose("ada", { inquiry: "at-once" });
      const caught = await bot("bot@example.com", "contact-form");
      await bot("other@example.com", "contact-form");
      expect(await tell()).toEqual([]);
      await quarantine.release({ ids: [caught] }, { by: "ada@example.com", network: "", requestId: "" });
      expect(await tell()).toEqual(["ada@example.com: 1 new inquiry"]);
    });

    it("tell of a finished campaign with totals that balance", async () => {
      const world = await createTestCampaign(database, 4, {
        script: scriptByAddress({ "person2@example.com": { ...refused, detail: "550 relay denied" } }),
      });
      const { choose, tell, getLastText } = setUp({ clock: world.clock });
      await choose("ada", { campaign: "at-once" });
      await suppress(database, "person3@example.com");
      await world.tick();
      expect(await tell()).toEqual(["ada@example.com: Campaign finished: We are live"]);
      expect(getLastText()).toContain("4 selected = 2 sent + 1 failed + 1 skipped + 0 uncertain.");
      expect(getLastText()).toContain(ALERT_URLS.campaign(world.campaignId));
      expect(await tell()).toEqual([]);
    });

    it("tell again of a campaign whose page was opened", async () => {
      let answer = unauthorized;
      const world = await createTestCampaign(database, 2, { script: () => answer });
      const { choose, tell, getLastText, open } = setUp({ clock: world.clock });
      await choose("ada", { campaign: "at-once" });
      await world.tick();
      expect(await tell()).toEqual(["ada@example.com: Campaign paused: We are live"]);
      expect(getLastText()).toContain("the mail server rejects our login");
      const resume = async () => {
        await world.outreach.resume(world.campaignId, { by: "a", network: "", requestId: "" });
        world.clock.forward(minutes(1));
        await world.tick();
      };
      await resume();
      expect(await tell()).toEqual([]);
      await open("ada", "campaign", world.campaignId);
      answer = accepted;
      await resume();
      expect(await tell()).toEqual(["ada@example.com: Campaign finished: We are live"]);
    });

    it("tell nothing of a campaign that an operator paused or cancelled", async () => {
      const world = await createTestCampaign(database, 2, { script: () => unreachable });
      const { choose, tell } = setUp({ clock: world.clock });
      await choose("ada", { campaign: "at-once" });
      const actor = { by: "ada@example.com", network: "", requestId: "" };
      await world.tick();
      await world.outreach.pause(world.campaignId, actor);
      await world.outreach.cancel(world.campaignId, actor);
      world.clock.forward(hours(1));
      await world.tick();
      expect(await tell()).toEqual([]);
    });

    it("tell that an incident began, and after a look at the monitor that it ended", async () => {
      const { choose, tell, open, clock, getLastText } = setUp();
      const measure = createMeasuring(database, clock);
      await choose("ada", { incident: "at-once" });
      await choose("bo", { incident: "at-once" });
      await measure(seconds(30), { memory: 74.2 });
      expect((await tell()).toSorted()).toEqual([
        "ada@example.com: Incident: memory 74.2 % is over 70 %",
        "bo@example.com: Incident: memory 74.2 % is over 70 %",
      ]);
      expect(getLastText()).toContain("On web-1: memory 74.2 % is over 70 %");
      await open("ada", "incident");
      await measure(minutes(2), { memory: 40 });
      expect(await tell()).toEqual(["ada@example.com: Resolved: memory 74.2 % is over 70 %"]);
    });

    it("tell nothing of incidents that INCIDENT_MAILS tells everybody", async () => {
      const { choose, tell, clock } = setUp();
      const measure = createMeasuring(database, clock, true);
      await choose("ada", { incident: "at-once" });
      await choose("bo", { incident: "daily" });
      await measure(seconds(30), { memory: 90 });
      await measure(minutes(2), { memory: 40 });
      expect(await listAlerts()).toEqual([]);
      expect(await tell()).toEqual([]);
      // Five an hour are emailed by the setting; the sixth is not.
      for (let n = 0; n < 5; n += 1) {
        await measure(seconds(30), { cpu: 95 });
        await measure(minutes(1), { cpu: 10 });
      }
      expect(await tell()).toHaveLength(1);
    });

    it("of what happens while the page opens are told, and of nothing else", async () => {
      const { choose, inquire, tell, open, getLastText, clock } = setUp();
      await choose("ada", { inquiry: "at-once" });
      await inquire("Grace");
      await tell();
      clock.forward(minutes(5));
      await beforeNextWrite(
        async () => {
          for (const name of ["Late", "Later"]) {
            clock.forward(seconds(1));
            await inquire(name);
          }
        },
        () => open("ada", "inquiry"),
      );
      expect(await tell()).toEqual(["ada@example.com: 2 new inquiries"]);
      expect(getLastText()).toContain("From Later and Late.");
    });

    it("of an inquiry that comes in while the page opens are told, even if it was sent before the one told", async () => {
      const { choose, inquire, tell, open, getLastText, clock } = setUp();
      await choose("ada", { inquiry: "at-once" });
      clock.forward(seconds(5));
      await inquire("Grace");
      await tell();
      clock.forward(minutes(5));
      await beforeNextWrite(
        async () => {
          clock.forward(-minutes(5) - seconds(2));
          await inquire("Early");
          clock.forward(minutes(5) + seconds(2));
        },
        () => open("ada", "inquiry"),
      );
      expect(await tell()).toEqual(["ada@example.com: 1 new inquiry"]);
      expect(getLastText()).toContain("From Early.");
    });

    it("name an incident that begins while the monitor opens, and not the one before", async () => {
      const { choose, tell, open, clock } = setUp();
      const measure = createMeasuring(database, clock);
      await choose("ada", { incident: "at-once" });
      await measure(seconds(30), { memory: 74.2 });
      await tell();
      await beforeNextWrite(
        () => measure(seconds(30), { memory: 74.2, cpu: 95 }),
        () => open("ada", "incident"),
      );
      expect(await tell()).toEqual(["ada@example.com: Incident: CPU 95.0 % is over 80 %"]);
    });
  });

  describe("daily", () => {
    it("come once at the hour, with everything since the last one", async () => {
      const { choose, inquire, tell, clock, getLastText, open } = setUp();
      await choose("ada", { inquiry: "daily", hour: 9 });
      await inquire("Grace");
      expect(await tell()).toEqual([]);
      await open("ada", "inquiry");
      clock.forward(minutes(59));
      await inquire("Alan");
      expect(await tell()).toEqual([]);
      clock.forward(minutes(1));
      expect(await tell()).toEqual(["ada@example.com: 2 new inquiries"]);
      expect(getLastText()).toContain("From Alan and Grace.");
      await inquire("Edsger");
      clock.forward(hours(23));
      expect(await tell()).toEqual([]);
      clock.forward(hours(1));
      expect(await tell()).toEqual(["ada@example.com: 1 new inquiry"]);
      clock.forward(days(1));
      expect(await tell()).toEqual([]);
    });

    it("come at the hour of the own time zone on each day, also when its clocks change", async () => {
      const clock = createTestClock(Date.UTC(2026, 9, 23, 12));
      const { choose, tell, mailer } = setUp({ clock });
      await choose("ada", { summary: "daily", hour: 8 }, "Europe/Berlin");
      const times: string[] = [];
      for (let n = 0; n < 4 * 24 * 2; n += 1) {
        clock.forward(minutes(30));
        if ((await tell()).length > 0) times.push(new Date(clock()).toISOString());
      }
      expect(times).toEqual([
        "2026-10-24T06:00:00.000Z",
        "2026-10-25T07:00:00.000Z",
        "2026-10-26T07:00:00.000Z",
        "2026-10-27T07:00:00.000Z",
      ]);
      expect(mailer.received[1]?.text).toContain("Saturday, 24 October 2026, Europe/Berlin");
    });

    it("come at the hour of UTC for a zone that this machine does not know", async () => {
      const { choose, tell, clock } = setUp();
      await choose("ada", { summary: "daily", hour: 9 });
      await choose("bo", { summary: "daily", hour: 9 });
      await database.write((trx) =>
        trx
          .updateTable("accounts")
          .set({ time_zone: "America/Atlantis" })
          .where("email", "=", "ada@example.com")
          .execute(),
      );
      clock.forward(hours(1));
      const subject = "Yesterday: 0 submissions";
      expect((await tell()).toSorted()).toEqual([
        `ada@example.com: ${subject}`,
        `bo@example.com: ${subject}`,
      ]);
    });

    it("have the numbers of the day before, if that is chosen", async () => {
      const world = await createTestCampaign(database, 3);
      const { choose, inquire, tell, clock, getLastText } = setUp({ clock: world.clock });
      await choose("ada", { summary: "daily" });
      await inquire("Grace");
      await world.tick();
      await createMeasuring(database, clock)(seconds(30), { memory: 80 });
      clock.forward(hours(24));
      // Of the new day.
      await inquire("Alan");
      expect(await tell()).toEqual(["ada@example.com: Yesterday: 1 submission"]);
      const text = getLastText();
      expect(text).toContain("Submissions: 0 for early access, 1 inquiry and 0 for updates.");
      expect(text).toContain("Open inquiries now: 2.");
      expect(text).toContain("1 campaign under way:");
      expect(text).toContain("3 selected = 3 sent + 0 failed + 0 skipped + 0 uncertain.");
      expect(text).toContain("On web-1: memory 80.0 % is over 70 %");
      clock.forward(days(2));
      expect(await tell()).toEqual(["ada@example.com: Yesterday: 0 submissions"]);
      expect(getLastText()).toContain("No campaign was under way.");
    });

    it("leave out a campaign that waits for its planned start, also paused", async () => {
      const world = await createTestCampaign(database, 3, { holdMs: days(5) });
      const { choose, tell, clock, getLastText } = setUp({ clock: world.clock });
      await choose("ada", { summary: "daily" });
      await world.tick();
      clock.forward(days(2));
      await tell();
      expect(getLastText()).toContain("No campaign was under way.");
      await world.outreach.pause(world.campaignId, operator);
      clock.forward(days(1));
      await tell();
      expect(getLastText()).toContain("No campaign was under way.");
    });

    it("have a campaign that waits for the mail server or was paused while it was sent", async () => {
      const world = await createTestCampaign(database, 3, { script: () => unreachable });
      const { choose, tell, clock, getLastText } = setUp({ clock: world.clock });
      await choose("ada", { summary: "daily" });
      await world.tick();
      expect(await world.getCampaign()).toMatchObject({ state: "sending", hold: "server" });
      clock.forward(days(1));
      await tell();
      expect(getLastText()).toContain("“We are live” is being sent.");
      await world.outreach.pause(world.campaignId, operator);
      clock.forward(days(1));
      await tell();
      expect(getLastText()).toContain("“We are live” is paused.");
    });

    it.each([
      ["leave out", "before its start", { holdMs: days(5) }, "No campaign was under way."],
      ["have", "while it was sent", {}, "“We are live” was cancelled."],
    ] as const)("%s a campaign that was cancelled %s", async (_, _when, settings, sentence) => {
      const world = await createTestCampaign(database, 3, {
        script: scriptByAddress({ "person2@example.com": unreachable }),
        ...settings,
      });
      const { choose, tell, clock, getLastText } = setUp({ clock: world.clock });
      await choose("ada", { summary: "daily" });
      await world.tick();
      await world.outreach.cancel(world.campaignId, operator);
      await world.tick();
      clock.forward(days(1));
      await tell();
      expect(getLastText()).toContain(sentence);
    });

    it("have events of all kinds in one email", async () => {
      const world = await createTestCampaign(database, 1);
      const { choose, inquire, tell, clock, getLastText } = setUp({ clock: world.clock });
      await choose("ada", { inquiry: "daily", campaign: "daily", incident: "daily" });
      await inquire("Grace");
      await world.tick();
      await createMeasuring(database, clock)(seconds(30), { memory: 80 });
      clock.forward(days(1));
      expect(await tell()).toEqual(["ada@example.com: 1 new inquiry; 1 campaign; 1 incident"]);
      expect(getLastText()).toContain("“We are live” is finished.");
      expect(await listAlerts()).toEqual([]);
    });

    it("begin with the next hour after they are chosen", async () => {
      const { choose, tell, clock } = setUp();
      await choose("ada", { summary: "daily", hour: 7 });
      expect(await tell()).toEqual([]);
      clock.forward(hours(22));
      expect(await tell()).toEqual([]);
      clock.forward(hours(1));
      expect(await tell()).toHaveLength(1);
      // Another hour of a day that had its email.
      await choose("ada", { summary: "daily", hour: 10 });
      clock.forward(hours(5));
      expect(await tell()).toEqual([]);
      clock.forward(hours(22));
      expect(await tell()).toHaveLength(1);
    });
  });

  it("are off until they are chosen, each for themselves", async () => {
    const { choose, inquire, tell, alerts, getPerson } = setUp();
    await choose("ada", {});
    await choose("bo", { inquiry: "at-once", campaign: "daily", hour: 17 });
    await inquire("Grace");
    expect(await tell()).toEqual(["bo@example.com: 1 new inquiry"]);
    expect((await alerts.getView(getPerson("bo"))).choices).toEqual({
      inquiry: "at-once",
      campaign: "daily",
      incident: "off",
      summary: "off",
      hour: 17,
    });
    expect((await alerts.getView(getPerson("ada"))).unopened).toEqual([]);
    expect((await alerts.getView(getPerson("bo"))).unopened).toMatchObject([{ event: "inquiry" }]);
  });

  it("that change tell what waits as it is chosen now", async () => {
    const { choose, inquire, tell, clock } = setUp();
    await choose("ada", { inquiry: "daily" });
    await inquire("Grace");
    await choose("ada", { inquiry: "at-once" });
    expect(await tell()).toEqual(["ada@example.com: 1 new inquiry"]);
    await choose("ada", { inquiry: "daily" });
    clock.forward(days(1));
    expect(await tell()).toEqual([]);
    await inquire("Alan");
    await choose("ada", { inquiry: "off" });
    await choose("ada", { inquiry: "at-once" });
    expect(await tell()).toEqual([]);
  });

  it("are in the activity when they change", async () => {
    const { choose } = setUp();
    await choose("ada", { inquiry: "at-once" });
    await choose("ada", { inquiry: "at-once" });
    expect(await readAudit(database)).toMatchObject([{ actor: "ada@example.com", action: "choose-alerts" }]);
  });

  it.each([
    [{ inquiry: "at-once" }, "1 new inquiry"],
    [{ inquiry: "daily" }, "1 new inquiry"],
    [{ summary: "daily" }, "Yesterday: 1 submission"],
  ] as const)("of %j are told once by several instances", async (choices, subject) => {
    const { choose, inquire, createInstance, emails, mailer, clock } = setUp();
    await choose("ada", choices);
    await inquire("Grace");
    clock.forward(days(1));
    const instances = [createInstance(), createInstance(), createInstance()];
    const { write } = database;
    // All have seen what is to be told before any of them tells.
    const { promise: isAtOnce, resolve } = Promise.withResolvers<undefined>();
    let waiting = 0;
    database.write = async <T>(work: (trx: Write) => Promise<T>): Promise<T> => {
      waiting += 1;
      if (waiting === instances.length) resolve(undefined);
      await isAtOnce;
      return write(work);
    };
    await Promise.all(instances.map((instance) => instance.tick()));
    expect(waiting).toBe(instances.length);
    database.write = write;
    await emails.worker.tick();
    expect(mailer.received.map((email) => email.subject)).toEqual([subject]);
  });

  it("are still told when the worker died before, and when the mail server was away", async () => {
    const { choose, inquire, tell, mailer, clock } = setUp({ script: () => unreachable });
    await choose("ada", { inquiry: "at-once" });
    await inquire("Grace");
    // Another process, started later.
    const later = createTestAlerts(database, { clock, script: () => unreachable });
    await later.tell();
    expect((await listEmails(database)).map(({ state }) => state)).toEqual(["pending"]);
    mailer.script = () => accepted;
    clock.forward(hours(1));
    expect(await tell()).toEqual(["ada@example.com: 1 new inquiry"]);
  });

  it("of a removed account are not sent, and nothing of them stays", async () => {
    const { choose, inquire, tell, createInstance, mailer, getPerson, clock } = setUp();
    await choose("ada", { inquiry: "at-once", summary: "daily" });
    await inquire("Grace");
    // Queued, and not sent yet.
    await createInstance().tick();
    const { accountId } = getPerson("ada");
    await database.write((trx) => trx.deleteFrom("accounts").where("id", "=", accountId).execute());
    await inquire("Alan");
    clock.forward(days(1));
    expect(await tell()).toEqual([]);
    expect(mailer.received).toEqual([]);
    expect((await listEmails(database)).map(({ state, detail }) => [state, detail])).toEqual([
      ["skipped", "no-account"],
    ]);
    expect(await listAlerts()).toEqual([]);
    expect(await database.read.selectFrom("alert_choices").selectAll().execute()).toEqual([]);
  });

  it("fail no inquiry when an account is removed at the same moment", async () => {
    const { choose, inquire, tell, getPerson } = setUp();
    await choose("ada", { inquiry: "at-once" });
    await choose("bo", { inquiry: "at-once" });
    const { promise: isDeleted, resolve } = Promise.withResolvers<undefined>();
    const removing = database.write(async (trx) => {
      await trx.deleteFrom("accounts").where("id", "=", getPerson("ada").accountId).execute();
      resolve(undefined);
      await waitUntilBlocked(database);
    });
    await isDeleted;
    await Promise.all([removing, inquire("Grace")]);
    expect(await tell()).toEqual(["bo@example.com: 1 new inquiry"]);
  });

  // C9
  it("wait for who has to choose a password or a second factor first", async () => {
    const { choose, inquire, tell, getPerson } = setUp();
    await choose("ada", { inquiry: "at-once" });
    const { accountId } = getPerson("ada");
    const setTemporary = (password_is_temporary: 0 | 1) =>
      database.write((trx) =>
        trx.updateTable("accounts").set({ password_is_temporary }).where("id", "=", accountId).execute(),
      );
    await setTemporary(1);
    await inquire("Grace");
    expect(await tell()).toEqual([]);
    await setTemporary(0);
    const strict = createTestAlerts(database, { requiresSecondFactor: true });
    expect(await strict.tell()).toEqual([]);
    expect(await tell()).toEqual(["ada@example.com: 1 new inquiry"]);
  });

  it("to a suppressed address are skipped, and the screen says so", async () => {
    const { choose, inquire, tell, alerts, getPerson } = setUp();
    await choose("ada", { inquiry: "at-once" });
    await suppress(database, "ada@example.com", "bounced");
    await inquire("Grace");
    expect(await tell()).toEqual([]);
    expect(await alerts.getView(getPerson("ada"))).toMatchObject({
      suppression: "bounced",
      lastEmail: { isTest: false, state: { kind: "not-sent", detail: "suppressed" } },
    });
  });

  it("that the mail server refuses for good are no silence", async () => {
    const { choose, inquire, tell, alerts, getPerson, mailer } = setUp({ script: () => refused });
    const isUnreached = () => alerts.isUnreached(getPerson("ada"));
    await choose("ada", { inquiry: "at-once" });
    expect(await isUnreached()).toBe(false);
    await inquire("Grace");
    await tell();
    expect(await isUnreached()).toBe(true);
    expect(await alerts.getView(getPerson("ada"))).toMatchObject({
      lostEmail: { isTest: false, state: { kind: "refused" } },
      unopened: [{ event: "inquiry" }],
    });
    await choose("ada", {});
    expect(await isUnreached()).toBe(false);
    await choose("ada", { summary: "daily" });
    expect(await isUnreached()).toBe(true);

    mailer.script = () => accepted;
    await database.write((trx) => trx.deleteFrom("suppressions").execute());
    await alerts.sendTest({ by: "ada@example.com", network: "", requestId: "" });
    expect(await isUnreached()).toBe(false);
  });

  it("are missed until one is accepted, not only tried", async () => {
    const { choose, inquire, tell, open, alerts, getPerson, mailer, clock } = setUp({
      script: () => refused,
    });
    await choose("ada", { inquiry: "at-once" });
    await inquire("Grace");
    await tell();
    await database.write((trx) => trx.deleteFrom("suppressions").execute());
    await open("ada", "inquiry");
    mailer.script = () => unreachable;
    await inquire("Alan");
    await tell();
    expect(await alerts.getView(getPerson("ada"))).toMatchObject({
      lastEmail: { state: { kind: "queued" } },
      lostEmail: { state: { kind: "refused" } },
    });
    expect(await alerts.isUnreached(getPerson("ada"))).toBe(true);
    mailer.script = () => accepted;
    clock.forward(hours(1));
    await tell();
    expect(await alerts.isUnreached(getPerson("ada"))).toBe(false);
  });

  it("are tried by a test, with the mail server's answer", async () => {
    const { choose, alerts, getPerson, mailer } = setUp({ script: () => refused });
    await choose("ada", {});
    const actor = { by: "ada@example.com", network: "", requestId: "" };
    expect(await alerts.sendTest(actor)).toBe("refused");
    expect((await alerts.getView(getPerson("ada"))).lastEmail).toMatchObject({
      isTest: true,
      state: { kind: "refused", detail: refused.detail },
    });
    mailer.script = () => accepted;
    await database.write((trx) => trx.deleteFrom("suppressions").execute());
    expect(await alerts.sendTest(actor)).toBe("accepted");
    expect(mailer.received.at(-1)?.subject).toMatch(/^Test of your alerts from /);
  });
});
