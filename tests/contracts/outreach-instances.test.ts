import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes, seconds } from "~/lib/durations";
import type { MailOutcome } from "~/services/mail/mailer";
import type { TestDatabase } from "../databases";
import { dialects } from "../databases";
import { crashInFlight } from "../factories/crashed-outreach";
import { createManualSleep, createTestOutreach, people, signUp, waitUntil } from "../factories/outreach";
import { ScriptedMailer, accepted, deferred, refused } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

/**
 * A crash is a dispatcher that is left alone in the middle of its work: it never hears of what is in flight and never
 * writes again. The next one begins on the same database at the same moment.
 */
describe.each(dialects)("outreach after a crash on %s", (dialect) => {
  let place: TestDatabase;
  let database: Database;
  useDatabase(dialect, (opened, where) => {
    database = opened;
    place = where;
  });

  describe("with several instances", () => {
    it("leaves another instance's rows alone until its lease ran out, and then takes over within 35 s (R22)", async () => {
      const { clock, mailer, dispatcher, getStats, campaignId } = await crashInFlight(database);
      const other = dispatcher({ instance: "two" });
      await other.tick();
      expect(await getStats(campaignId)).toMatchObject({ state: "sending", sent: 4, inFlight: 3 });
      clock.forward(seconds(29));
      await other.tick();
      expect(mailer.received).toHaveLength(7);
      clock.forward(seconds(6));
      await other.tick();
      expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 7 });
      expect(mailer.recipients.slice(7).toSorted()).toEqual(people(3));
    });

    it("renews its lease for the ten minutes a mail may take, so that nobody takes it away (R22, R32)", async () => {
      await signUp(database, people(1));
      let release: (outcome: MailOutcome) => void = () => undefined;
      const slow = new Promise<MailOutcome>((resolve) => (release = resolve));
      const { clock, mailer, dispatcher, confirmed, getStats } = createTestOutreach(database, () => slow);
      const campaignId = await confirmed();
      const alarms = createManualSleep();
      const one = dispatcher({ setTimer: alarms.setTimer });
      one.start();
      await waitUntil(() => mailer.received.length === 1);
      const two = dispatcher({ instance: "two" });
      for (let time = 0; time < 60; time += 1) {
        clock.forward(seconds(10));
        const sleeps = alarms.asked.length;
        await alarms.fire();
        await waitUntil(() => alarms.asked.length > sleeps);
        await two.tick();
      }
      expect(clock() - Date.UTC(2026, 10, 21, 8)).toBe(minutes(10));
      expect(mailer.received).toHaveLength(1);
      release(accepted);
      await one.stop();
      expect(await getStats(campaignId)).toMatchObject({ sent: 1 });
    });

    it.each<[string, MailOutcome, string]>([
      ["an acceptance counts, for it is the truth", accepted, "sent"],
      ["any other ending is left to the row's new owner", deferred, "failed"],
    ])("is told late how a mail ended whose row was taken over meanwhile: %s", async (_, outcome, state) => {
      await signUp(database, people(1));
      let release: (late: MailOutcome) => void = () => undefined;
      const slow = new Promise<MailOutcome>((resolve) => (release = resolve));
      const { clock, mailer, dispatcher, confirmed, rows, getStats } = createTestOutreach(
        database,
        () => slow,
      );
      const campaignId = await confirmed();
      const ticking = dispatcher().tick();
      await waitUntil(() => mailer.received.length === 1);
      mailer.script = () => refused;
      clock.forward(seconds(31));
      await dispatcher({ instance: "two" }).tick();
      expect(await rows(campaignId)).toMatchObject([{ state: "failed", attempts: 2 }]);
      release(outcome);
      await ticking;
      expect(await rows(campaignId)).toMatchObject([{ state }]);
      await getStats(campaignId);
    });

    it("takes no mail away from the instance that has it in hand by a late ending of its own (R22)", async () => {
      await signUp(database, people(1));
      const ends: ((outcome: MailOutcome) => void)[] = [];
      const { clock, mailer, dispatcher, confirmed, rows } = createTestOutreach(
        database,
        () => new Promise<MailOutcome>((resolve) => ends.push(resolve)),
      );
      const campaignId = await confirmed();
      const one = dispatcher().tick();
      await waitUntil(() => mailer.received.length === 1);
      clock.forward(seconds(31));
      const two = dispatcher({ instance: "two" }).tick();
      await waitUntil(() => mailer.received.length === 2);
      ends[0]?.(refused);
      await one;
      expect(await rows(campaignId)).toMatchObject([
        { state: "claimed", lease_owner: expect.stringMatching(/^two\//) },
      ]);
      ends[1]?.(accepted);
      await two;
      expect(await rows(campaignId)).toMatchObject([{ state: "sent" }]);
    });

    it("sends each of 2,000 mails once when two work on one ledger (R22)", async () => {
      await signUp(database, people(2000));
      const other = await place.open();
      const { mailer, dispatcher, confirmed, outreach, getStats } = createTestOutreach(database);
      const mailers = [mailer, new ScriptedMailer()];
      for (const one of mailers) {
        one.script = async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return accepted;
        };
      }
      const campaignId = await confirmed();
      const both = [
        dispatcher({ instance: "one", concurrency: 20 }),
        dispatcher({ instance: "two", concurrency: 20, database: other, mailer: mailers[1]! }),
      ];
      for (const one of both) one.start();
      await waitUntil(async () => (await outreach.findCampaign(campaignId))?.state === "finished");
      await Promise.all(both.map((one) => one.stop()));
      await other.close();
      const recipients = mailers.flatMap((one) => one.recipients);
      expect(recipients).toHaveLength(2000);
      expect(new Set(recipients).size).toBe(2000);
      for (const one of mailers) expect(one.received.length).toBeGreaterThan(0);
      expect(await getStats(campaignId)).toMatchObject({ state: "finished", selected: 2000, sent: 2000 });
    });
  });

  describe("when it is stopped", () => {
    it("lets what is in flight end and claims nothing more", async () => {
      await signUp(database, people(5));
      let release: (outcome: MailOutcome) => void = () => undefined;
      const slow = new Promise<MailOutcome>((resolve) => (release = resolve));
      const { mailer, dispatcher, confirmed, getStats } = createTestOutreach(database, () => slow);
      const campaignId = await confirmed();
      const sending = dispatcher({ concurrency: 2 });
      sending.start();
      await waitUntil(() => mailer.received.length === 2);
      let stopped = false;
      const stopping = sending.stop().then(() => (stopped = true));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(stopped).toBe(false);
      release(accepted);
      await stopping;
      expect(mailer.received).toHaveLength(2);
      expect(await getStats(campaignId)).toMatchObject({
        state: "sending",
        sent: 2,
        pending: 3,
        inFlight: 0,
      });
    });

    it("gives back, unchanged, what was claimed and not begun", async () => {
      await signUp(database, people(5));
      const { mailer, dispatcher, confirmed, rows, getStats } = createTestOutreach(database);
      const campaignId = await confirmed();
      let stopping: Promise<void> | undefined;
      const watched: Database = {
        ...database,
        write: async (work) => {
          const value = await database.write(work);
          if ((await rows(campaignId)).some((row) => row.state === "claimed")) stopping ??= sending.stop();
          return value;
        },
      };
      const sending = dispatcher({ database: watched });
      sending.start();
      await waitUntil(() => stopping !== undefined);
      await stopping;
      expect(mailer.received).toEqual([]);
      expect(await getStats(campaignId)).toMatchObject({
        state: "sending",
        pending: 5,
        inFlight: 0,
        retrying: 0,
      });
      expect((await rows(campaignId)).map((row) => row.attempts)).toEqual([0, 0, 0, 0, 0]);
    });

    it("ends although the database is away, and the next start finds everything", async () => {
      await signUp(database, people(2));
      let away = false;
      const { mailer, dispatcher, confirmed, getStats } = createTestOutreach(database, () => {
        away = true;
        return accepted;
      });
      const campaignId = await confirmed();
      const flaky: Database = {
        ...database,
        write: async (work) => {
          if (away) throw new Error("the database is away");
          return database.write(work);
        },
      };
      const sending = dispatcher({ database: flaky });
      sending.start();
      await waitUntil(() => away);
      await sending.stop();
      mailer.script = () => accepted;
      await dispatcher().tick();
      expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 2 });
    });

    it("is stopped at once when it was never started", async () => {
      await expect(createTestOutreach(database).dispatcher().stop()).resolves.toBeUndefined();
    });
  });
});
