import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { operatorMessages } from "~/content/operator-messages";
import { newId } from "~/services/ids.server";
import { composeIncidentMail } from "~/services/mail/compose-transactional";
import { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import { createHistory } from "~/services/resources/history.server";
import {
  createIncidentMails,
  createIncidents,
  MAX_MAILED_PER_HOUR,
} from "~/services/resources/incidents.server";
import type { IncidentEvent } from "~/services/resources/incidents.server";
import { dialects } from "../databases";
import { suppress } from "../factories/outreach";
import { createSystemResources } from "../factories/resources";
import type { Figures } from "../factories/resources";
import { createTestClock } from "../factories/time";
import { ScriptedMailer, accepted, unreachable } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

const copy = operatorMessages.resources;

describe.each(dialects)("incidents on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  function world({ instance = "web-1", clock = createTestClock(), isMailed = false } = {}) {
    const mailer = new ScriptedMailer();
    const told: unknown[] = [];
    const incidents = createIncidents({ database, clock, newId, instance, isMailed });
    const mails = createIncidentMails({
      database,
      mailer,
      clock,
      newId,
      allowance: new DailyAllowance(100),
      compose: ({ event, ...parts }) =>
        composeIncidentMail({
          ...parts,
          subject: event.change === "began" ? copy.mail.began(event) : copy.mail.ended(event),
          text: event.change === "began" ? copy.mail.beganText(event) : copy.mail.endedText(event),
          footer: copy.mail.footer,
          link: { url: "https://launch.example.com/admin/resouces-monitor", label: copy.mail.look },
        }),
      sender: { name: "Team", address: "hello@example.com" },
      mailDomain: "example.com",
      log: { warn: (details: unknown) => void told.push(details) },
    });
    /** For so long, a measurement every ten seconds. */
    const measure = async (ms: number, figures: Figures) => {
      const news: IncidentEvent[] = [];
      for (let passed = 0; passed <= ms; passed += seconds(10)) {
        news.push(...(await incidents.observe(createSystemResources(figures), clock())));
        clock.forward(seconds(10));
      }
      for (const one of news) await mails.notify(one);
      return news.map(({ kind, change }) => `${kind} ${change}`);
    };
    return { incidents, clock, measure, mailer, told };
  }

  async function addAccounts(...emails: string[]) {
    await database.write(async (trx) => {
      for (const email of emails) {
        await trx
          .insertInto("accounts")
          .values({
            id: newId(),
            email,
            full_name: "Ada Byron",
            role: "admin",
            password_hash: "x",
            password_is_temporary: 0,
            password_expires_at: null,
            created_at: 0,
            last_login_at: null,
          })
          .execute();
      }
    });
  }

  it("begin and end with their times and their worst", async () => {
    const { incidents, clock, measure } = world();
    const began = clock();
    expect(await measure(seconds(30), { memory: 74.2 })).toEqual(["memory began"]);
    expect(await incidents.list()).toEqual([
      {
        id: expect.any(String) as string,
        instance: "web-1",
        kind: "memory",
        peak: 74.2,
        beganAt: began + seconds(30),
        endedAt: undefined,
      },
    ]);
    await measure(minutes(2), { memory: 81 });
    expect(await measure(minutes(1), { memory: 50 })).toEqual(["memory ended"]);
    const [incident] = await incidents.list();
    expect(incident).toMatchObject({ peak: 81, endedAt: clock() - seconds(10) });
  });

  it("go on over a restart, once", async () => {
    const clock = createTestClock();
    await world({ clock }).measure(seconds(30), { redis: false });
    const after = world({ clock });
    expect(await after.measure(minutes(5), { redis: false })).toEqual([]);
    expect(await after.measure(minutes(1), { redis: true })).toEqual(["redis ended"]);
    expect(await after.incidents.list()).toHaveLength(1);
  });

  it("of different kinds and instances stand beside one another", async () => {
    const clock = createTestClock();
    const [one, two] = [world({ clock }), world({ clock, instance: "web-2" })];
    expect(await one.measure(seconds(30), { memory: 90, cpu: 95, meetings: 13, redis: true })).toEqual([
      "memory began",
      "cpu began",
      "meetings began",
    ]);
    expect(await two.measure(seconds(30), { disk: 80 })).toEqual(["disk began"]);
    expect((await one.incidents.list()).map(({ instance, kind }) => `${instance} ${kind}`)).toEqual([
      "web-2 disk",
      "web-1 meetings",
      "web-1 cpu",
      "web-1 memory",
    ]);
  });

  it("are said with the next measurement when the database did not take them", async () => {
    const { incidents, clock, measure } = world();
    await measure(seconds(20), { memory: 80 });
    const write = database.write;
    database.write = () => Promise.reject(new Error("the disk is full"));
    await expect(incidents.observe(createSystemResources({ memory: 80 }), clock())).rejects.toThrow("full");
    database.write = write;
    clock.forward(seconds(10));
    expect(await measure(0, { memory: 80 })).toEqual(["memory began"]);
  });

  it("of an instance that runs no more are ended, and all are forgotten after 30 days", async () => {
    const clock = createTestClock();
    const [gone, here] = [world({ clock, instance: "gone" }), world({ clock })];
    await gone.measure(seconds(30), { memory: 90 });
    await here.measure(seconds(30), { cpu: 90 });
    const history = createHistory({ database, clock, instance: "gone" });
    await history.add(createSystemResources({ memory: 90 }), clock());
    await history.flush();
    await here.incidents.sweep();
    expect((await here.incidents.list()).map(({ endedAt }) => endedAt)).toEqual([undefined, undefined]);
    clock.forward(hours(1));
    await here.incidents.sweep();
    const listed = async () =>
      (await here.incidents.list()).map(({ instance, endedAt }) => [instance, endedAt !== undefined]);
    expect(await listed()).toEqual([
      ["web-1", false],
      ["gone", true],
    ]);
    clock.forward(days(30) + 1);
    await here.incidents.sweep();
    expect(await listed()).toEqual([["web-1", false]]);
  });

  describe("by mail", () => {
    it("are off by default", async () => {
      await addAccounts("ada@example.com");
      const { measure, mailer } = world();
      await measure(seconds(30), { memory: 90 });
      expect(mailer.received).toEqual([]);
    });

    it("reach every account once when they begin and once when they end, and nobody who gets no mail", async () => {
      await addAccounts("ada@example.com", "grace@example.com", "alan@example.com");
      await suppress(database, "alan@example.com");
      const { measure, mailer } = world({ isMailed: true });
      await measure(minutes(10), { memory: 74.2 });
      expect(mailer.recipients.toSorted()).toEqual(["ada@example.com", "grace@example.com"]);
      expect(mailer.received[0]).toMatchObject({
        subject: "Incident: memory 74.2 % is over 70 %",
        headers: { "Auto-Submitted": "auto-generated" },
      });
      expect(mailer.received[0]?.text).toContain("https://launch.example.com/admin/resouces-monitor");
      expect(mailer.received[0]?.text).toContain(
        "On web-1, 2026-11-21 08:00 UTC: memory 74.2 % is over 70 %.",
      );
      await measure(minutes(10), { memory: 40 });
      expect(mailer.received).toHaveLength(4);
      expect(mailer.received[3]?.subject).toBe("Over: memory 74.2 % is over 70 %");
      const { mails } = await database.read.selectFrom("mail_days").select("mails").executeTakeFirstOrThrow();
      expect(mails).toBe(4);
    });

    it(`are ${MAX_MAILED_PER_HOUR} an hour at most, over all instances, and those that are not mailed end without one`, async () => {
      await addAccounts("ada@example.com");
      const clock = createTestClock();
      const worlds = [world({ clock, isMailed: true }), world({ clock, isMailed: true, instance: "web-2" })];
      for (let round = 0; round < 8; round += 1) {
        const { measure } = worlds[round % 2]!;
        await measure(seconds(30), { cpu: 95 });
        await measure(minutes(1), { cpu: 10 });
      }
      const begun = worlds.flatMap(({ mailer }) =>
        mailer.received.map(({ subject }) => subject.split(":")[0]),
      );
      expect(begun.filter((word) => word === "Incident")).toHaveLength(MAX_MAILED_PER_HOUR);
      expect(begun.filter((word) => word === "Over")).toHaveLength(MAX_MAILED_PER_HOUR);
      clock.forward(hours(1));
      await worlds[0]!.measure(seconds(30), { cpu: 95 });
      expect(worlds.flatMap(({ mailer }) => mailer.received)).toHaveLength(2 * MAX_MAILED_PER_HOUR + 1);
    });

    it("that cannot go are one line in the log, and change nothing else", async () => {
      await addAccounts("ada@example.com", "grace@example.com");
      const { measure, mailer, told, incidents } = world({ isMailed: true });
      mailer.script = (mail) => (mail.to.address === "ada@example.com" ? unreachable : accepted);
      await measure(seconds(30), { memory: 90 });
      expect(told).toEqual([
        { incident: expect.any(String) as string, failed: 1, of: 2, words: "Error: connection refused" },
      ]);
      expect(await incidents.list()).toHaveLength(1);
    });
  });
});
