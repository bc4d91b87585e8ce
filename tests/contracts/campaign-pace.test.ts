import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours, minutes, seconds } from "~/lib/durations";
import {
  createTestCampaign,
  createTestOutreach,
  operator,
  people,
  setImmediateTimer,
  signUp,
  suppress,
  type CampaignSettings,
} from "../factories/outreach";
import { createMortalDatabase } from "../factories/mortal-database";
import {
  accepted,
  deferred,
  neverSettles,
  scriptByAddress,
  unauthorized,
  unreachable,
} from "../fakes/scripted-mailer";
import { yieldUntil } from "../wait-until";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("a campaign with a pace on %s", ({ database }) => {
  /** Six recipients over an hour: one each ten minutes. */
  async function createPaced(settings: CampaignSettings = {}) {
    const campaign = await createTestCampaign(database, 6, { paceMs: hours(1), ...settings });
    const { clock, tick, mailer } = campaign;
    /** Lets a time pass, and returns how many emails were sent by then. */
    const sentAfter = async (ms: number) => {
      clock.forward(ms);
      await tick();
      return mailer.received.length;
    };
    return { ...campaign, sentAfter };
  }

  it("sends one after the other, the first at once, and finishes with the last", async () => {
    const { sentAfter, mailer, getStats } = await createPaced();
    expect(await sentAfter(0)).toBe(1);
    expect(await sentAfter(minutes(10) - 1)).toBe(1);
    for (let sent = 2; sent <= 6; sent += 1) {
      expect(await sentAfter(sent === 2 ? 1 : minutes(10))).toBe(sent);
    }
    expect(mailer.recipients).toEqual(people(6));
    expect(await getStats()).toMatchObject({ state: "finished", sent: 6 });
  });

  it("sends what is due together when many are due in a second", async () => {
    const campaign = await createTestCampaign(database, 40, { paceMs: hours(1), concurrency: 3 });
    // As if it were a list of 14,400: four a second.
    await database.write((trx) =>
      trx
        .updateTable("campaigns")
        .set({ pace_ms: seconds(10) })
        .execute(),
    );
    await campaign.tick();
    expect(campaign.mailer.received).toHaveLength(1);
    campaign.clock.forward(seconds(1));
    await campaign.tick();
    expect(campaign.mailer.received).toHaveLength(5);
  });

  it("writes nothing while it waits for the next one", async () => {
    const { clock, campaignWorker, tick } = await createPaced();
    await tick();
    let writes = 0;
    const counting: Database = {
      ...database,
      write: (work) => {
        writes += 1;
        return database.write(work);
      },
    };
    const worker = campaignWorker({ database: counting });
    // The first step looks for what a crash has left.
    await worker.tick();
    const before = writes;
    clock.forward(seconds(0.5));
    await worker.tick();
    expect(writes).toBe(before);
  });

  it("leaves room for other campaigns, and they do not use up its pace", async () => {
    const { sentAfter, confirmed, getStats, outreach } = await createPaced();
    const other = await confirmed({ title: "At once" });
    expect(await sentAfter(0)).toBe(7);
    expect(await outreach.getStats(other)).toMatchObject({ state: "finished", sent: 6 });
    expect(await getStats()).toMatchObject({ state: "sending", sent: 1 });
    expect(await sentAfter(minutes(10))).toBe(8);
  });

  it("retries a deferred email when it is due, beside its pace", async () => {
    const script = scriptByAddress({ "person1@example.com": deferred });
    const { sentAfter, mailer, getStats } = await createPaced({ script });
    await sentAfter(0);
    // Due ten minutes after its attempt, as the second one is.
    expect(await sentAfter(minutes(10))).toBe(3);
    mailer.script = () => accepted;
    // The next attempt is due five minutes after the third one.
    expect(await sentAfter(minutes(10))).toBe(4);
    expect(await sentAfter(minutes(5))).toBe(5);
    expect(await getStats()).toMatchObject({ state: "sending", sent: 3, pending: 3 });
  });

  describe("goes on without a burst", () => {
    it("after an operator's pause", async () => {
      const { campaignId, outreach, sentAfter } = await createPaced();
      expect(await sentAfter(0)).toBe(1);
      await outreach.pause(campaignId, operator);
      expect(await sentAfter(hours(5))).toBe(1);
      await outreach.resume(campaignId, operator);
      expect(await sentAfter(0)).toBe(2);
      expect(await sentAfter(minutes(9))).toBe(2);
      expect(await sentAfter(minutes(1))).toBe(3);
    });

    it("after a rejected login", async () => {
      const { campaignId, outreach, mailer, sentAfter, getStats } = await createPaced({
        script: () => unauthorized,
      });
      expect(await sentAfter(0)).toBe(1);
      expect(await getStats()).toMatchObject({ state: "paused", pending: 6 });
      mailer.script = () => accepted;
      expect(await sentAfter(hours(2))).toBe(1);
      await outreach.resume(campaignId, operator);
      expect(await sentAfter(0)).toBe(2);
      expect(await sentAfter(minutes(10))).toBe(3);
    });

    it("after an outage of the mail server", async () => {
      const { mailer, sentAfter } = await createPaced();
      await sentAfter(0);
      mailer.script = () => unreachable;
      expect(await sentAfter(minutes(10))).toBe(2);
      mailer.script = () => accepted;
      expect(await sentAfter(hours(3))).toBe(3);
      expect(await sentAfter(minutes(10))).toBe(4);
    });

    it("after the daily allowance was used up", async () => {
      const { sentAfter, getHoldReason } = await createPaced({ perDay: 2 });
      await sentAfter(0);
      await sentAfter(minutes(10));
      expect(await sentAfter(minutes(10))).toBe(2);
      expect(await getHoldReason()).toMatchObject({ for: "allowance" });
      expect(await sentAfter(hours(24))).toBe(3);
      expect(await sentAfter(minutes(5))).toBe(3);
      expect(await sentAfter(minutes(5))).toBe(4);
    });

    it("after a restart, and after its failed emails are retried", async () => {
      const script = scriptByAddress({
        "person1@example.com": { kind: "refused", code: 554, detail: "554 spam" },
      });
      const { clock, campaignId, campaignWorker, mailer, outreach, sentAfter } = await createPaced({
        script,
      });
      await sentAfter(0);
      clock.forward(hours(1));
      await campaignWorker().tick();
      expect(mailer.received).toHaveLength(2);
      await outreach.retryFailed(campaignId, operator);
      expect(await sentAfter(minutes(9))).toBe(2);
      expect(await sentAfter(minutes(1))).toBe(3);
    });

    it.each([minutes(30), hours(3)])("when the clock is set back by %i ms", async (back) => {
      const { sentAfter } = await createPaced();
      expect(await sentAfter(0)).toBe(1);
      await sentAfter(-back);
      expect(await sentAfter(minutes(10))).toBe(2);
      expect(await sentAfter(minutes(10))).toBe(3);
    });
  });

  it("resends only what was in flight at a crash, and keeps its pace", async () => {
    const { clock, campaignWorker, mailer, sentAfter, getStats } = await createPaced({
      script: () => neverSettles,
    });
    const { victim, kill } = createMortalDatabase(database);
    const crashing = campaignWorker({ database: victim, setTimer: setImmediateTimer }).tick();
    await yieldUntil(() => mailer.received.length === 1);
    kill();
    await expect(crashing).rejects.toThrow("killed");
    mailer.script = () => accepted;
    clock.forward(seconds(40));
    await campaignWorker().tick();
    expect(mailer.recipients).toEqual(["person1@example.com", "person1@example.com"]);
    expect(await sentAfter(minutes(10) - seconds(40))).toBe(3);
    expect(await getStats()).toMatchObject({ sent: 2, pending: 4 });
  });

  it("begins at its schedule, at the end of the hold window, and when it is told to", async () => {
    const beginAt = Date.UTC(2026, 10, 21, 12);
    const scheduled = await createPaced({ schedule: { beginAt, whenMissed: "send" }, holdMs: seconds(30) });
    expect(await scheduled.sentAfter(hours(3))).toBe(0);
    expect(await scheduled.sentAfter(hours(1))).toBe(1);
    expect(await scheduled.sentAfter(minutes(10))).toBe(2);

    const held = await scheduled.confirmed({ paceMs: hours(1) });
    expect(await scheduled.sentAfter(seconds(29))).toBe(2);
    expect(await scheduled.sentAfter(seconds(1))).toBe(3);
    expect(await scheduled.outreach.cancel(held, operator)).toEqual({ ok: true });
    await scheduled.sentAfter(0);
    expect(await scheduled.outreach.getStats(held)).toMatchObject({ sent: 1, skipped: 5 });

    const later = { beginAt: scheduled.clock() + hours(5), whenMissed: "wait" } as const;
    const begun = await scheduled.confirmed({ schedule: later, paceMs: hours(6) });
    await scheduled.outreach.begin(begun, operator);
    await scheduled.sentAfter(0);
    expect(await scheduled.outreach.getStats(begun)).toMatchObject({ sent: 1, pending: 5 });
  });

  it("that is edited proposes its pace, and a copy has none", async () => {
    const world = createTestOutreach(database, undefined, { holdMs: minutes(1) });
    await signUp(database, people(2));
    const id = await world.confirmed({ paceMs: hours(6) });
    const copy = await world.outreach.copyAsDraft(id, operator.by);
    await world.outreach.edit(id, operator);
    expect(await world.outreach.findCampaign(id)).toMatchObject({ state: "draft", pace_ms: hours(6) });
    expect(await world.outreach.findCampaign(copy!)).toMatchObject({ state: "draft", pace_ms: 0 });
    await world.campaignWorker().tick();
    await world.confirm(id);
    expect(await world.outreach.findCampaign(id)).toMatchObject({ state: "preparing", pace_ms: 0 });
  });

  it("says how many an hour, and when it is done", async () => {
    const { clock, campaignId, outreach, sentAfter, getCampaign, getStats } = await createPaced();
    const begun = clock();
    const getPace = async () => outreach.getPace(await getCampaign(), await getStats());
    expect(await getPace()).toMatchObject({ paceMs: hours(1), perHour: 6, doneAt: begun + minutes(50) });
    await sentAfter(0);
    await sentAfter(minutes(10));
    expect(await getPace()).toMatchObject({ perHour: 6, doneAt: begun + minutes(50) });
    await outreach.pause(campaignId, operator);
    expect((await getPace())?.doneAt).toBeUndefined();
    await outreach.cancel(campaignId, operator);
    expect(await getPace()).toBeUndefined();
  });

  it("counts only those who are not skipped", async () => {
    for (const address of people(3)) await suppress(database, address);
    const { sentAfter } = await createPaced();
    expect(await sentAfter(0)).toBe(1);
    // Three recipients: one each twenty minutes.
    expect(await sentAfter(minutes(19))).toBe(1);
    expect(await sentAfter(minutes(1))).toBe(2);
  });
});

describeOnDatabases("the review of a large campaign on %s", ({ database }) => {
  it("warns of a domain that sent few emails in 30 days", async () => {
    const { outreach, clock, draft, confirmed, campaignWorker } = createTestOutreach(database);
    const campaign = async () => (await outreach.findCampaign(await draft()))!;
    await signUp(database, people(99));
    expect((await outreach.getPreflight(await campaign())).newSender).toBeUndefined();
    await confirmed();
    await campaignWorker().tick();
    await signUp(
      database,
      Array.from({ length: 902 }, (_, index) => `more${index}@example.com`),
    );
    const few = { domain: "example.com", sent: 99 };
    expect((await outreach.getPreflight(await campaign())).newSender).toEqual(few);
    await database.write((trx) =>
      trx.updateTable("delivery_counts").set({ count: 100 }).where("state", "=", "sent").execute(),
    );
    expect((await outreach.getPreflight(await campaign())).newSender).toBeUndefined();
    clock.forward(hours(24 * 31));
    expect((await outreach.getPreflight(await campaign())).newSender).toEqual({ ...few, sent: 0 });
  });
});
