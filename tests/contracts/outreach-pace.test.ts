import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { newId } from "~/services/ids.server";
import { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import type { WhenMissed } from "~/services/outreach/schedule";
import { createTestMail } from "~/services/outreach/sample-email.server";
import type { TestDatabase } from "../databases";
import { dialects } from "../databases";
import { createTestConfirmations } from "../factories/confirmations";
import { operator, createTestOutreach, people, signUp, suppress } from "../factories/outreach";
import { ScriptedMailer, accepted, unreachable } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

describe.each(dialects)("the pace of a send on %s", (dialect) => {
  let place: TestDatabase;
  let database: Database;
  useDatabase(dialect, (opened, where) => {
    database = opened;
    place = where;
  });

  /** A world, one of its sends and why that does not move. */
  const why = async ({ outreach }: ReturnType<typeof createTestOutreach>, campaignId: string) =>
    outreach.getHoldReason((await outreach.findCampaign(campaignId))!);

  describe("a hold window", () => {
    it("freezes the audience at once and mails nobody before it is over, on any instance and after a restart", async () => {
      await signUp(database, people(3));
      const world = createTestOutreach(database, undefined, { holdMs: seconds(60) });
      const campaignId = await world.confirmed();
      await world.dispatcher().tick();
      await signUp(database, ["too-late@example.com"]);
      expect(await world.getStats(campaignId)).toMatchObject({ state: "sending", selected: 3, pending: 3 });
      expect(await why(world, campaignId)).toEqual({ for: "hold", until: world.clock() + seconds(60) });
      world.clock.forward(seconds(60) - 1);
      await world.dispatcher().tick();
      await world.dispatcher({ instance: "two" }).tick();
      expect(world.mailer.received).toEqual([]);
      world.clock.forward(1);
      await world.dispatcher({ instance: "two" }).tick();
      expect(world.mailer.recipients).toEqual(people(3));
      expect(await world.getStats(campaignId)).toMatchObject({ state: "finished", sent: 3 });
    });

    it("that is cancelled in it reaches nobody", async () => {
      await signUp(database, people(3));
      const { clock, confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(
        database,
        undefined,
        {
          holdMs: seconds(60),
        },
      );
      const campaignId = await confirmed();
      const sending = dispatcher();
      await sending.tick();
      expect(await outreach.cancel(campaignId, operator)).toEqual({ ok: true });
      clock.forward(hours(1));
      await sending.tick();
      expect(mailer.received).toEqual([]);
      const nobody = { state: "cancelled", sent: 0, skipped: 3, skippedByReason: { cancelled: 3 } };
      expect(await getStats(campaignId)).toMatchObject(nobody);
      expect(await outreach.begin(campaignId, operator)).toEqual({ ok: false, error: "wrong-state" });
    });

    it("can be cut short once, and not when there is none", async () => {
      await signUp(database, people(2));
      const { confirmed, dispatcher, mailer, outreach } = createTestOutreach(database, undefined, {
        holdMs: hours(1),
      });
      const campaignId = await confirmed();
      const sending = dispatcher();
      await sending.tick();
      expect(await outreach.begin(campaignId, operator)).toEqual({ ok: true });
      expect(await outreach.begin(campaignId, operator)).toEqual({ ok: false, error: "wrong-state" });
      await sending.tick();
      expect(mailer.recipients).toEqual(people(2));
      const audit = database.read.selectFrom("audit").select("action").orderBy("id");
      expect((await audit.execute()).map(({ action }) => action)).toEqual([
        "confirm-outreach",
        "begin-outreach",
      ]);
    });
  });

  describe("a schedule", () => {
    const NOW = Date.UTC(2026, 10, 21, 8);
    const TOMORROW = NOW + days(1);
    const schedule = (whenMissed: WhenMissed, beginAt = TOMORROW) => ({ beginAt, whenMissed });

    it("begins at its time, skips who unsubscribed meanwhile and leaves out who signed up meanwhile", async () => {
      await signUp(database, people(3));
      const world = createTestOutreach(database);
      const campaignId = await world.confirmed({ schedule: schedule("wait") });
      const sending = world.dispatcher();
      await sending.tick();
      await suppress(database, "person2@example.com");
      await signUp(database, ["too-late@example.com"]);
      expect(await why(world, campaignId)).toEqual({ for: "schedule", until: TOMORROW });
      world.clock.forward(days(1) - 1);
      await sending.tick();
      expect(world.mailer.received).toEqual([]);
      // An hour late is not missed yet.
      world.clock.forward(1 + hours(1));
      await sending.tick();
      expect(world.mailer.recipients).toEqual(["person1@example.com", "person3@example.com"]);
      expect(await world.getStats(campaignId)).toMatchObject({ state: "finished", sent: 2, skipped: 1 });
    });

    it.each([
      ["waits for an operator who wants that, and says so", "wait"],
      ["begins as soon as it can otherwise", "send"],
    ] as const)("that was missed by more than an hour %s", async (_, whenMissed) => {
      await signUp(database, people(2));
      const world = createTestOutreach(database);
      const campaignId = await world.confirmed({ schedule: schedule(whenMissed) });
      await world.dispatcher().tick();
      world.clock.forward(days(1) + hours(1) + 1);
      const sending = world.dispatcher();
      await sending.tick();
      if (whenMissed === "wait") {
        expect(world.mailer.received).toEqual([]);
        expect(await world.getStats(campaignId)).toMatchObject({ state: "paused", pending: 2 });
        expect(await why(world, campaignId)).toEqual({ for: "missed", planned: TOMORROW });
        expect(await world.outreach.begin(campaignId, operator)).toEqual({ ok: true });
        await sending.tick();
      }
      expect(await world.getStats(campaignId)).toMatchObject({ state: "finished", sent: 2 });
    });

    it("keeps its time over a pause, and waits for an operator when the pause was longer", async () => {
      await signUp(database, people(2));
      const world = createTestOutreach(database);
      const { outreach, clock, mailer } = world;
      const campaignId = await world.confirmed({ schedule: schedule("wait") });
      const sending = world.dispatcher();
      await sending.tick();
      await outreach.pause(campaignId, operator);
      expect(await why(world, campaignId)).toMatchObject({ for: "operator", planned: TOMORROW });
      expect(await outreach.resume(campaignId, operator)).toEqual({ ok: true });
      await sending.tick();
      expect(mailer.received).toEqual([]);
      expect(await why(world, campaignId)).toEqual({ for: "schedule", until: TOMORROW });
      await outreach.pause(campaignId, operator);
      clock.forward(days(2));
      expect(await why(world, campaignId)).toEqual({ for: "missed", planned: TOMORROW });
      await outreach.resume(campaignId, operator);
      await sending.tick();
      expect(mailer.received).toEqual([]);
      expect(await why(world, campaignId)).toEqual({ for: "missed", planned: TOMORROW });
      await outreach.begin(campaignId, operator);
      await sending.tick();
      expect(mailer.received).toHaveLength(2);
    });

    it("begins at another time once it has one, and no more at the first", async () => {
      await signUp(database, people(2));
      const world = createTestOutreach(database);
      const { outreach, clock, mailer } = world;
      const campaignId = await world.confirmed({ schedule: schedule("send") });
      const sending = world.dispatcher();
      await sending.tick();
      const later = schedule("wait", TOMORROW + days(1));
      expect(await outreach.reschedule(campaignId, later, operator)).toEqual({ ok: true });
      clock.forward(days(1) + hours(2));
      await sending.tick();
      expect(mailer.received).toEqual([]);
      expect(await why(world, campaignId)).toEqual({ for: "schedule", until: later.beginAt });
      clock.forward(days(1));
      await sending.tick();
      // It is to wait when that is missed, since the operator said so with the second time.
      expect(await why(world, campaignId)).toEqual({ for: "missed", planned: later.beginAt });
      const soon = schedule("wait", clock() + minutes(1));
      expect(await outreach.reschedule(campaignId, soon, operator)).toEqual({ ok: true });
      expect(await why(world, campaignId)).toEqual({ for: "schedule", until: soon.beginAt });
      await outreach.pause(campaignId, operator);
      const paused = schedule("wait", clock() + minutes(2));
      expect(await outreach.reschedule(campaignId, paused, operator)).toEqual({ ok: true });
      expect(await why(world, campaignId)).toMatchObject({ for: "operator", planned: paused.beginAt });
      await outreach.resume(campaignId, operator);
      clock.forward(minutes(2));
      await sending.tick();
      expect(mailer.received).toHaveLength(2);
      const tooLate = schedule("send", clock() + days(1));
      expect(await outreach.reschedule(campaignId, tooLate, operator)).toEqual({
        ok: false,
        error: "wrong-state",
      });
      const audit = database.read.selectFrom("audit").select("action").orderBy("id");
      const actions = (await audit.execute()).map(({ action }) => action);
      expect(actions.filter((action) => action === "reschedule-outreach")).toHaveLength(3);
    });

    it("keeps its time when another one is refused", async () => {
      await signUp(database, people(1));
      const world = createTestOutreach(database);
      const campaignId = await world.confirmed({ schedule: schedule("send") });
      await world.dispatcher().tick();
      const again = (beginAt: number) =>
        world.outreach.reschedule(campaignId, schedule("wait", beginAt), operator);
      expect(await again(NOW)).toEqual({ ok: false, error: "time-passed" });
      expect(await again(NOW + days(400))).toEqual({ ok: false, error: "too-far" });
      expect(await why(world, campaignId)).toEqual({ for: "schedule", until: TOMORROW });
    });

    it.each<[string, number, string | undefined]>([
      ["this moment", NOW, "time-passed"],
      ["a minute ago", NOW - minutes(1), "time-passed"],
      ["no time", NaN, "time-passed"],
      ["in a year", Date.UTC(2027, 10, 21, 8), undefined],
      ["in a year and a minute", Date.UTC(2027, 10, 21, 8, 1), "too-far"],
    ])("for %s is judged, and a refused one changes nothing", async (_, beginAt, error) => {
      await signUp(database, people(1));
      const { draft, asked, outreach } = createTestOutreach(database);
      const campaignId = await draft();
      const given = { campaignId, reviewed: await asked(campaignId), schedule: schedule("send", beginAt) };
      const outcome = await outreach.confirm(given, operator);
      expect(outcome).toEqual(error ? { ok: false, error } : { ok: true, already: false });
      expect((await outreach.findCampaign(campaignId))?.state).toBe(error ? "draft" : "preparing");
    });
  });

  describe("a daily allowance", () => {
    it("parks what is over it and goes on after midnight UTC by itself; a restart forgets nothing (R8)", async () => {
      await signUp(database, people(12));
      const world = createTestOutreach(database, undefined, { perDay: 5 });
      const campaignId = await world.confirmed();
      await world.dispatcher({ concurrency: 3 }).tick();
      expect(await world.getStats(campaignId)).toMatchObject({
        state: "sending",
        sent: 5,
        pending: 7,
        inFlight: 0,
      });
      const midnight = Date.UTC(2026, 10, 22);
      expect(await why(world, campaignId)).toEqual({ for: "allowance", limit: 5, until: midnight });
      expect(await world.outreach.allowance()).toEqual({
        limit: 5,
        used: 5,
        remaining: 0,
        resetsAt: midnight,
      });
      world.clock.forward(hours(16) - 1);
      const sending = world.dispatcher();
      await sending.tick();
      expect(world.mailer.received).toHaveLength(5);
      world.clock.forward(1);
      await sending.tick();
      expect(world.mailer.received).toHaveLength(10);
      world.clock.forward(days(1));
      await sending.tick();
      expect(world.mailer.recipients).toEqual(people(12));
      expect(await world.getStats(campaignId)).toMatchObject({ state: "finished", sent: 12 });
      expect(await world.outreach.allowance()).toMatchObject({ used: 2, remaining: 3 });
    });

    it("is kept by two instances together (R22)", async () => {
      await signUp(database, people(300));
      const other = await place.open();
      const world = createTestOutreach(database, undefined, { perDay: 101 });
      const mailers = [world.mailer, new ScriptedMailer()];
      for (const one of mailers) {
        one.script = () => new Promise((resolve) => setImmediate(() => resolve(accepted)));
      }
      const campaignIds = [await world.confirmed({ title: "A" }), await world.confirmed({ title: "B" })];
      const allowance = new DailyAllowance(101);
      const instances = [
        world.dispatcher({ concurrency: 7 }),
        world.dispatcher({
          instance: "two",
          database: other,
          mailer: mailers[1]!,
          allowance,
          concurrency: 7,
        }),
      ];
      for (let day = 1; day <= 2; day += 1) {
        await Promise.all(instances.map((one) => one.tick()));
        expect(mailers.flatMap((one) => one.received)).toHaveLength(101 * day);
        expect(await world.outreach.allowance()).toMatchObject({ used: 101, remaining: 0 });
        world.clock.forward(days(1));
      }
      for (const campaignId of campaignIds) await world.getStats(campaignId);
      await other.close();
    });

    it("gives back what was claimed and not tried", async () => {
      await signUp(database, people(6));
      await suppress(database, "person1@example.com");
      const { clock, confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(
        database,
        () => unreachable,
        { perDay: 4 },
      );
      const campaignId = await confirmed();
      const sending = dispatcher({ concurrency: 4 });
      await sending.tick();
      expect(await outreach.allowance()).toMatchObject({ used: 0, remaining: 4 });
      mailer.script = () => accepted;
      clock.forward(minutes(5));
      await sending.tick();
      expect(await getStats(campaignId)).toMatchObject({ sent: 4, skipped: 1, pending: 1 });
      expect(await outreach.allowance()).toMatchObject({ used: 4, remaining: 0 });
    });

    it("gives back to the day it was taken from", async () => {
      const { allowance } = createTestOutreach(database, undefined, { perDay: 9 });
      const [yesterday, today] = [Date.UTC(2026, 10, 20, 23, 59), Date.UTC(2026, 10, 21)];
      await database.write(async (trx) => {
        await allowance.consume(trx, 5, yesterday);
        await allowance.consume(trx, 5, today);
        await allowance.refund(trx, [yesterday, yesterday, today]);
      });
      const used = async (at: number) => (await allowance.getToday(database.read, at))?.used;
      expect([await used(yesterday), await used(today)]).toEqual([3, 4]);
    });

    it("gives back what was claimed before midnight and not tried after it to the day before", async () => {
      await signUp(database, people(3));
      const { clock, confirmed, dispatcher, mailer, allowance } = createTestOutreach(database, undefined, {
        perDay: 9,
      });
      await confirmed();
      const midnight = Date.UTC(2026, 10, 22);
      clock.forward(midnight - 1 - clock());
      mailer.script = () => {
        clock.forward(1);
        return unreachable;
      };
      await dispatcher().tick();
      const used = async (at: number) => (await allowance.getToday(database.read, at))?.used;
      expect([await used(midnight - 1), await used(midnight)]).toEqual([0, 0]);
    });

    it("counts the mails that ask for a confirmation and test mails, which go all the same", async () => {
      const allowance = new DailyAllowance(2);
      const { clock, mailer, signUp, worker } = createTestConfirmations(database);
      for (const address of people(3)) await signUp(address);
      await worker({ allowance }).tick();
      expect(mailer.received).toHaveLength(3);
      expect(await allowance.getToday(database.read, clock())).toMatchObject({ used: 3, remaining: 0 });
      const test = createTestMail({
        database,
        mailer,
        clock,
        newId,
        allowance,
        mailDomain: "example.com",
        deadUnsubscribeUrl: "https://example.com/unsubscribe/preview",
        sender: { name: "Frontdesk", address: "hello@example.com" },
        compose: ({ recipient, sender, messageId, title }) => ({
          messageId,
          from: sender,
          to: recipient,
          subject: title,
          text: "",
          html: "",
          headers: {},
        }),
      });
      const audience = "early-access" as const;
      const mail = { address: "me@example.com", title: "Test", message: "", audience };
      expect(await test(mail, operator)).toEqual({ ok: true });
      mailer.script = () => unreachable;
      expect(await test(mail, operator)).toMatchObject({ ok: false });
      await signUp("late@example.com");
      await worker({ allowance }).tick();
      expect(await allowance.getToday(database.read, clock())).toMatchObject({ used: 4 });
    });
  });
});
