import { describe, expect, it } from "vitest";
import { days, hours, minutes } from "~/lib/durations";
import type { Repeats } from "~/lib/repeats";
import type { Outreach } from "~/services/outreach/outreach.server";
import { newId } from "~/services/service-deps";
import { endAllPlans } from "~/services/waves/wave-plan-rows.server";
import { createWavePlans } from "~/services/waves/wave-plans.server";
import { readAudit } from "../factories/accounts";
import { createTestOutreach, operator, people, signUp } from "../factories/outreach";
import { getInvitationStates } from "../factories/waves";
import { accepted, deferred, refused, type Script } from "../fakes/scripted-mailer";
import { describeOnDatabases } from "./use-database";

const CONFIRMED = { ok: true, already: false };

describeOnDatabases("a wave that repeats on %s", ({ database }) => {
  /** Confirms "the next `limit`" of so many people, from Saturday 21 November 2026, 08:00, on. */
  async function setUp(
    count: number,
    {
      limit = 2,
      repeats = "day",
      script,
      holdMs = 0,
    }: { limit?: number; repeats?: Repeats; script?: Script; holdMs?: number } = {},
  ) {
    await signUp(database, people(count));
    const world = createTestOutreach(database, script, { holdMs });
    const { clock, outreach } = world;
    const worker = world.campaignWorker();
    const plansOn = (on: Outreach = outreach) => createWavePlans({ database, clock, newId, outreach: on });
    const plans = plansOn();
    const first = await world.draft({
      message: "Come in: {{invite_link}}",
      narrowing: JSON.stringify({ order: "oldest", limit }),
    });
    const reviewed = await world.review(first);
    const repeating = { repeats, timeZone: "UTC" } as const;
    expect(await outreach.confirm({ campaignId: first, reviewed, repeating }, operator)).toEqual(CONFIRMED);
    await worker.tick();

    const getCampaign = async (id: string) => (await outreach.findCampaign(id))!;
    const getPlan = async () => (await plans.findPlan(await getCampaign(first)))!;
    /** Lets a time pass, and returns to whom emails were sent meanwhile. */
    async function after(ms: number): Promise<string[]> {
      const before = world.mailer.received.length;
      clock.forward(ms);
      await plans.runDue();
      await worker.tick();
      return world.mailer.recipients.slice(before);
    }
    const listWaves = () =>
      database.read
        .selectFrom("campaigns")
        .select(["id", "wave", "state", "plan_id", "pace_ms", "created_by"])
        .where("state", "!=", "draft")
        .orderBy("wave")
        .execute();
    return { ...world, first, plans, plansOn, getPlan, getCampaign, after, listWaves };
  }

  it("invites the next ones each day until nobody is left, nobody twice", async () => {
    const { mailer, after, getPlan, listWaves, clock } = await setUp(5);
    const all = people(5);
    expect(mailer.recipients).toEqual(all.slice(0, 2));
    expect(await after(hours(23))).toEqual([]);
    expect(await after(hours(1))).toEqual(all.slice(2, 4));
    // Who signs up meanwhile is at the end of the line.
    await signUp(database, ["late@example.com", "later@example.com"]);
    expect(await after(days(1))).toEqual([all[4], "late@example.com"]);
    expect(await getPlan()).toMatchObject({ ended: "", next_at: clock() + days(1), run_id: null });
    expect(await after(days(1))).toEqual(["later@example.com"]);
    expect(await after(days(1))).toEqual([]);
    expect(await getPlan()).toMatchObject({ ended: "empty", next_at: null });
    expect(await after(days(1))).toEqual([]);
    const waves = await listWaves();
    expect(waves.map(({ wave, state }) => [wave, state])).toEqual([1, 2, 3, 4].map((n) => [n, "finished"]));
    expect(new Set(waves.map(({ plan_id }) => plan_id))).toEqual(new Set([(await getPlan()).id]));
    expect(new Set(Object.values(await getInvitationStates(database)))).toEqual(new Set(["invited"]));
    const actions = (await readAudit(database)).map(({ action, actor }) => `${action} ${actor}`);
    expect(actions).toEqual([
      `confirm-outreach ${operator.by}`,
      ...Array.from({ length: 3 }, () => "repeat-wave system"),
      "stop-repeating-wave system",
    ]);
  });

  it("on weekdays rests at the weekend, and runs once what was missed", async () => {
    const { after } = await setUp(9, { repeats: "weekday" });
    expect(await after(days(1))).toEqual([]);
    expect(await after(days(1))).toHaveLength(2);
    // Nothing ran from Tuesday to Thursday.
    expect(await after(days(3) + hours(5))).toHaveLength(2);
    expect(await after(hours(18))).toEqual([]);
    expect(await after(hours(1))).toHaveLength(2);
  });

  it("keeps the time at which its first wave was planned, in its zone", async () => {
    await signUp(database, people(4));
    const { clock, outreach, ...world } = createTestOutreach(database);
    const id = await world.draft({
      message: "{{invite_link}}",
      narrowing: JSON.stringify({ order: "oldest", limit: 2 }),
    });
    const schedule = { beginAt: Date.UTC(2026, 10, 22, 23, 30), whenMissed: "send" } as const;
    const repeating = { repeats: "week", timeZone: "Asia/Tokyo" } as const;
    const reviewed = await world.review(id);
    await outreach.confirm({ campaignId: id, reviewed, schedule, repeating, paceMs: hours(1) }, operator);
    const plans = createWavePlans({ database, clock, newId, outreach });
    const campaign = (await outreach.findCampaign(id))!;
    expect(await plans.findPlan(campaign)).toMatchObject({
      minute: 8 * 60 + 30,
      next_at: schedule.beginAt + days(7),
    });
    // It becomes a draft, which repeats only if its next confirmation says so.
    await outreach.edit(id, operator);
    expect(await plans.findPlan(campaign)).toMatchObject({ ended: "edited", next_at: null });
    await world.campaignWorker().tick();
    expect(await world.confirm(id)).toEqual(CONFIRMED);
    expect(await plans.findPlan((await outreach.findCampaign(id))!)).toBeUndefined();
  });

  describe("is given another start", () => {
    const TOMORROW = Date.UTC(2026, 10, 22, 23, 30);

    async function schedule() {
      await signUp(database, people(4));
      const world = createTestOutreach(database);
      const { clock, outreach } = world;
      const campaignId = await world.draft({
        message: "{{invite_link}}",
        narrowing: JSON.stringify({ order: "oldest", limit: 2 }),
      });
      const schedule = { beginAt: TOMORROW, whenMissed: "wait" } as const;
      const repeating = { repeats: "day", timeZone: "Asia/Tokyo" } as const;
      const reviewed = await world.review(campaignId);
      await outreach.confirm({ campaignId, reviewed, schedule, repeating }, operator);
      const plans = createWavePlans({ database, clock, newId, outreach });
      const getPlan = async () => plans.findPlan((await outreach.findCampaign(campaignId))!);
      return { ...world, campaignId, plans, getPlan };
    }

    it("and repeats at the time of day to which it is rescheduled", async () => {
      const { outreach, campaignId, getPlan } = await schedule();
      const beginAt = TOMORROW + days(2) + hours(1);
      const outcome = await outreach.reschedule(campaignId, { beginAt, whenMissed: "send" }, operator);
      expect(outcome).toEqual({ ok: true });
      expect(await getPlan()).toMatchObject({ minute: 9 * 60 + 30, next_at: beginAt + days(1) });
    });

    it("and repeats at the time of day at which it is sent now, also after it was missed", async () => {
      const { outreach, campaignId, getPlan, clock } = await schedule();
      clock.forward(days(5));
      expect(await outreach.begin(campaignId, operator)).toEqual({ ok: true });
      // The clock starts at 08:00 UTC.
      expect(await getPlan()).toMatchObject({ minute: 17 * 60, next_at: clock() + days(1) });
    });

    it("and does not repeat where that was stopped", async () => {
      const { outreach, plans, campaignId, getPlan } = await schedule();
      await plans.stop(campaignId, operator);
      expect(await outreach.begin(campaignId, operator)).toEqual({ ok: true });
      expect(await getPlan()).toMatchObject({ next_at: null, ended: "stopped" });
    });

    it("and keeps its time when a late run is sent within its hold window", async () => {
      const { clock, getPlan, outreach, plans } = await setUp(9, { holdMs: minutes(1) });
      clock.forward(days(1) + hours(5));
      await plans.runDue();
      const plan = await getPlan();
      expect(await outreach.begin(plan.last_id, operator)).toEqual({ ok: true });
      expect(await getPlan()).toEqual(plan);
    });
  });

  it("keeps the time in UTC where this machine does not know its zone", async () => {
    const { after, getPlan, clock } = await setUp(4);
    await database.write((trx) =>
      trx.updateTable("wave_plans").set({ time_zone: "Europe/Atlantis" }).execute(),
    );
    expect(await after(days(1))).toHaveLength(2);
    expect(await getPlan()).toMatchObject({ next_at: clock() + days(1) });
  });

  it("keeps its pace", async () => {
    const { after, first, listWaves } = await setUp(4);
    await database.write((trx) =>
      trx
        .updateTable("campaigns")
        .set({ pace_ms: hours(1) })
        .where("id", "=", first)
        .execute(),
    );
    expect(await after(days(1))).toHaveLength(1);
    expect(await after(minutes(30))).toHaveLength(1);
    expect((await listWaves()).map(({ pace_ms }) => pace_ms)).toEqual([hours(1), hours(1)]);
  });

  describe("stops", () => {
    it.each([
      ["when more than 5 % of the last wave failed", 1, "bounced"],
      ["when the last wave was stopped for its refusals", 25, "refused"],
    ] as const)("%s", async (_, refusals, ended) => {
      let left: number = refusals;
      const script: Script = () => (left-- > 0 ? refused : accepted);
      const { after, getPlan } = await setUp(60, { limit: refusals === 1 ? 19 : 30, script });
      expect(await after(days(1))).toEqual([]);
      expect(await getPlan()).toMatchObject({ ended, next_at: null });
    });

    it("not when exactly 5 % failed, but when one more comes back later", async () => {
      let left = 1;
      const { after, getPlan, rows } = await setUp(60, {
        limit: 20,
        script: () => (left-- > 0 ? refused : accepted),
      });
      expect(await after(days(1))).toHaveLength(20);
      const plan = await getPlan();
      const [one, two] = (await rows(plan.last_id)).map(({ id, address }) => ({ delivery_id: id, address }));
      for (const [index, delivery] of [one!, two!].entries()) {
        await database.write((trx) =>
          trx
            .insertInto("bounces")
            .values({
              ...delivery,
              id: `b${index}`,
              type: "bounce",
              permanent: 1,
              reason: "",
              campaign_id: plan.last_id,
              happened_at: 1,
              received_at: 1,
            })
            .execute(),
        );
      }
      expect(await after(days(1))).toEqual([]);
      expect(await getPlan()).toMatchObject({ ended: "bounced" });
    });

    it("when it is told to, once", async () => {
      const { after, first, plans, getPlan } = await setUp(9);
      expect(await plans.stop(first, operator)).toBe(true);
      expect(await plans.stop(first, operator)).toBe(false);
      expect(await after(days(1))).toEqual([]);
      expect(await getPlan()).toMatchObject({ ended: "stopped" });
      expect((await readAudit(database)).map(({ action }) => action)).toEqual([
        "confirm-outreach",
        "stop-repeating-wave",
      ]);
    });

    it("when it is told to while a run is under way, which is dropped", async () => {
      const { after, outreach, plans, plansOn, first, getPlan, clock, listWaves } = await setUp(9);
      clock.forward(days(1));
      const stopped = plansOn({
        ...outreach,
        async repeat(options, record) {
          expect(await plans.stop(first, operator)).toBe(true);
          return outreach.repeat(options, record);
        },
      });
      await stopped.runDue();
      expect(await after(minutes(1))).toEqual([]);
      expect(await getPlan()).toMatchObject({ ended: "stopped", last_id: first });
      expect(await listWaves()).toHaveLength(1);
      expect(await outreach.listDrafts({ limit: 9 })).toEqual([]);
      expect(Object.keys(await getInvitationStates(database))).toHaveLength(2);
      expect((await readAudit(database)).map(({ action }) => action)).toEqual([
        "confirm-outreach",
        "stop-repeating-wave",
      ]);
    });

    it("when it is told to at the same moment as a run, whichever comes first", async () => {
      const { after, plans, first, getPlan, clock } = await setUp(9);
      clock.forward(days(1));
      const [isStopped] = await Promise.all([plans.stop(first, operator), plans.runDue()]);
      expect(isStopped).toBe(true);
      expect(await getPlan()).toMatchObject({ ended: "stopped", next_at: null });
      await after(minutes(1));
      expect(await after(days(1))).toEqual([]);
    });

    it("when its last wave is cancelled", async () => {
      const { after, outreach, getPlan, mailer, first } = await setUp(9, { script: () => deferred });
      mailer.script = () => accepted;
      await outreach.cancel(first, operator);
      expect(await getPlan()).toMatchObject({ ended: "cancelled" });
      expect(await after(days(1))).toEqual([]);
    });

    it("when a backup was restored, until another wave is confirmed to repeat", async () => {
      const { after, getPlan, outreach, plans, draft, review, getCampaign } = await setUp(9);
      await database.write((trx) => endAllPlans(trx, "restored"));
      expect(await after(days(1))).toEqual([]);
      expect(await getPlan()).toMatchObject({ ended: "restored", next_at: null });
      const next = await draft({
        message: "{{invite_link}}",
        narrowing: JSON.stringify({ order: "oldest", limit: 3 }),
      });
      const repeating = { repeats: "day", timeZone: "UTC" } as const;
      const reviewed = await review(next);
      await outreach.confirm({ campaignId: next, reviewed, repeating }, operator);
      expect(await after(0)).toHaveLength(3);
      expect(await after(days(1))).toHaveLength(3);
      expect(await plans.findPlan(await getCampaign(next))).toMatchObject({ ended: "" });
    });

    it("when its text cannot be sent any more", async () => {
      const { after, first, getPlan } = await setUp(9);
      await database.write((trx) =>
        trx
          .updateTable("campaigns")
          .set({ message: "{{invite_link}} {{gone}}" })
          .where("id", "=", first)
          .execute(),
      );
      expect(await after(days(1))).toEqual([]);
      expect(await getPlan()).toMatchObject({ ended: "unsendable" });
    });
  });

  it("leaves a time out while its last wave is still being sent", async () => {
    const { after, outreach, getPlan, listWaves, clock } = await setUp(9);
    expect(await after(days(1))).toHaveLength(2);
    const { last_id: second } = await getPlan();
    await database.write((trx) =>
      trx
        .updateTable("campaigns")
        .set({ state: "sending", finished_at: null })
        .where("id", "=", second)
        .execute(),
    );
    await outreach.pause(second, operator);
    expect(await after(days(1))).toEqual([]);
    expect(await getPlan()).toMatchObject({ ended: "", next_at: clock() + days(1) });
    await outreach.resume(second, operator);
    await after(hours(1));
    expect(await after(hours(23))).toHaveLength(2);
    expect(await listWaves()).toHaveLength(3);
  });

  it("that was interrupted goes on with the same campaign", async () => {
    const { after, outreach, plansOn, getPlan, clock, listWaves } = await setUp(9);
    clock.forward(days(1));
    const interrupted = plansOn({ ...outreach, repeat: () => Promise.reject(new Error("killed")) });
    await expect(interrupted.runDue()).rejects.toThrow("killed");
    const { run_id: runId } = await getPlan();
    expect(runId).not.toBeNull();
    expect(await after(minutes(1))).toHaveLength(2);
    expect(await getPlan()).toMatchObject({ last_id: runId, run_id: null });
    expect(await listWaves()).toHaveLength(2);
  });

  describe("has the text of its last wave, whatever operators do with the draft of a run", () => {
    const edited = {
      title: "Not reviewed",
      message: "Half a {{sen}}",
      format: "text",
      testAddress: "",
    } as const;
    const save = (outreach: Outreach, id: string) =>
      outreach.saveDraft({ ...edited, id, audience: "early-access", createdBy: operator.by });

    it.each([
      ["edit", save],
      ["discard", (outreach: Outreach, id: string) => outreach.discardDraft(id)],
    ])("when they %s it after an interruption", async (_, change) => {
      const { after, outreach, plansOn, getPlan, clock, mailer } = await setUp(9);
      clock.forward(days(1));
      const interrupted = plansOn({ ...outreach, repeat: () => Promise.reject(new Error("killed")) });
      await expect(interrupted.runDue()).rejects.toThrow("killed");
      const { run_id: runId } = await getPlan();
      await change(outreach, runId!);
      expect(await after(minutes(1))).toHaveLength(2);
      expect(mailer.received.map(({ subject }) => subject)).toEqual(Array(4).fill("We are live"));
      expect(await getPlan()).toMatchObject({ last_id: runId, run_id: null, ended: "" });
    });

    it.each([
      ["before", 1],
      ["before", 9],
      ["after", 1],
      ["after", 9],
    ])("when they edit it just %s it is reviewed, %i times", async (when, times) => {
      const { after, outreach, plansOn, getPlan, clock, mailer } = await setUp(9);
      clock.forward(days(1));
      let left = times;
      const getPreflight: Outreach["getPreflight"] = async (content) => {
        const isEdited = left-- > 0;
        if (isEdited && when === "before") await save(outreach, content.id!);
        const preflight = await outreach.getPreflight(content);
        if (isEdited && when === "after") await save(outreach, content.id!);
        return preflight;
      };
      await plansOn({ ...outreach, getPreflight }).runDue();
      const { ended, run_id: runId } = await getPlan();
      expect({ ended, isDone: runId === null }).toEqual({ ended: "", isDone: times === 1 });
      expect(await after(minutes(1))).toHaveLength(2);
      expect(mailer.received.map(({ subject }) => subject)).toEqual(Array(4).fill("We are live"));
      expect(await getPlan()).toMatchObject({ ended: "", run_id: null });
    });
  });

  describe("whose interrupted run an operator confirms by hand", () => {
    async function interrupt() {
      const world = await setUp(9);
      const { outreach, plansOn, getPlan, clock } = world;
      clock.forward(days(1));
      const interrupted = plansOn({ ...outreach, repeat: () => Promise.reject(new Error("killed")) });
      await expect(interrupted.runDue()).rejects.toThrow("killed");
      const { run_id: runId, next_at } = await getPlan();
      return { ...world, runId: runId!, dueAt: next_at! };
    }

    it("goes on with it as its last wave", async () => {
      const { after, confirm, getPlan, getCampaign, runId, dueAt } = await interrupt();
      expect(await confirm(runId)).toEqual(CONFIRMED);
      expect(await after(minutes(1))).toHaveLength(2);
      const plan = await getPlan();
      expect(plan).toMatchObject({ last_id: runId, run_id: null, next_at: dueAt + days(1), ended: "" });
      expect(await getCampaign(runId)).toMatchObject({ plan_id: plan.id });
      expect((await readAudit(database)).map(({ action }) => action)).toEqual(
        Array(2).fill("confirm-outreach"),
      );
      expect(await after(days(1))).toHaveLength(2);
    });

    it("ends when that is no wave that can be repeated", async () => {
      const { after, draft, confirm, getPlan, runId } = await interrupt();
      await draft({ id: runId, message: "News for everybody" });
      expect(await confirm(runId)).toEqual(CONFIRMED);
      expect(await after(minutes(1))).toHaveLength(9);
      expect(await getPlan()).toMatchObject({ ended: "edited", next_at: null });
      expect(await after(days(1))).toEqual([]);
    });

    it("ends when that repeats by itself", async () => {
      const { after, outreach, review, getPlan, getCampaign, plans, runId } = await interrupt();
      const repeating = { repeats: "week", timeZone: "UTC" } as const;
      const reviewed = await review(runId);
      expect(await outreach.confirm({ campaignId: runId, reviewed, repeating }, operator)).toEqual(CONFIRMED);
      expect(await after(minutes(1))).toHaveLength(2);
      expect(await getPlan()).toMatchObject({ ended: "edited", next_at: null });
      expect(await plans.findPlan(await getCampaign(runId))).toMatchObject({ ended: "", repeats: "week" });
    });
  });

  it("runs once on two instances", async () => {
    const { after, plans, outreach, clock, listWaves } = await setUp(9);
    clock.forward(days(1));
    await Promise.all([plans.runDue(), plans.runDue(), plans.runDue()]);
    expect(await after(minutes(1))).toHaveLength(2);
    expect(await listWaves()).toHaveLength(2);
    expect(await outreach.listDrafts({ limit: 9 })).toEqual([]);
  });

  it("leaves no copy of a run that another instance confirms meanwhile", async () => {
    const { plans, plansOn, outreach, clock, listWaves } = await setUp(9);
    clock.forward(days(1));
    const saveDraft: Outreach["saveDraft"] = async (draft) => {
      await plans.runDue();
      return outreach.saveDraft(draft);
    };
    await plansOn({ ...outreach, saveDraft }).runDue();
    expect(await listWaves()).toHaveLength(2);
    expect(await outreach.listDrafts({ limit: 9 })).toEqual([]);
  });

  it("is only one that invites so many people at a time", async () => {
    await signUp(database, people(3));
    const { outreach, draft, review } = createTestOutreach(database);
    const repeating = { repeats: "day", timeZone: "UTC" } as const;
    for (const campaignId of [
      await draft({ message: "{{invite_link}}" }),
      await draft({ narrowing: JSON.stringify({ order: "oldest", limit: 2 }) }),
    ]) {
      const reviewed = await review(campaignId);
      expect(await outreach.confirm({ campaignId, reviewed, repeating }, operator)).toMatchObject({
        ok: false,
      });
    }
  });
});
