import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { pauseAll } from "~/services/queue/pause-all.server";
import type { Database } from "~/db/database.server";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { listDeliveries, type DeliveryFilter } from "~/services/outreach/deliveries.server";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import type { WhenMissed } from "~/services/outreach/schedule";
import { readAudit } from "../factories/accounts";
import { createTestConfirmations } from "../factories/confirmations";
import {
  createSendTest,
  createTestCampaign,
  createTestOutreach,
  operator,
  people,
  signUp,
  suppress,
  type CampaignSettings,
} from "../factories/outreach";
import {
  accepted,
  deferred,
  refused,
  scriptByAddress,
  ScriptedMailer,
  unknown,
  unreachable,
  type Script,
} from "../fakes/scripted-mailer";
import { createTestBroadcasts } from "../factories/broadcast";
import { addDevices } from "../factories/push";
import { describeOnDatabases } from "./use-database";

const WRONG_STATE = { ok: false, error: "wrong-state" };

describeOnDatabases("a campaign on %s", ({ database, place }) => {
  const createCampaign = (recipients: number | readonly string[], settings?: CampaignSettings) =>
    createTestCampaign(database, recipients, settings);
  const listActions = async () => (await readAudit(database)).map(({ action }) => action);
  const spam = { kind: "refused", code: 554, detail: "554 spam" } as const;

  describe("that is paused", () => {
    it("stops between two emails and continues where it was", async () => {
      const { campaignId, tick, mailer, outreach, getStats } = await createCampaign(5, { concurrency: 1 });
      mailer.script = async () => {
        if (mailer.received.length === 2) await outreach.pause(campaignId, operator);
        return accepted;
      };
      await tick();
      const paused = { state: "paused", holdDetail: "", sent: 2, pending: 3, inFlight: 0 };
      expect(await getStats()).toMatchObject(paused);
      await tick();
      expect(mailer.received).toHaveLength(2);
      expect(await outreach.countUnderWay()).toEqual({ active: 0, paused: 1 });
      expect(await outreach.resume(campaignId, operator)).toEqual({ ok: true });
      expect(await outreach.countUnderWay()).toEqual({ active: 1, paused: 0 });
      await tick();
      expect(mailer.recipients).toEqual(people(5));
      expect(await getStats()).toMatchObject({ state: "finished", sent: 5 });
      expect(await listActions()).toEqual(["confirm-outreach", "pause-outreach", "resume-outreach"]);
    });

    it("is resumed once, and a second press changes nothing", async () => {
      const campaign = await createCampaign(30, { script: () => spam, concurrency: 1 });
      const { campaignId, tick, outreach, getStats } = campaign;
      await tick();
      expect(await getStats()).toMatchObject({ state: "paused", failed: 20, pending: 10 });
      expect(await outreach.resume(campaignId, operator)).toEqual({ ok: true });
      expect(await outreach.resume(campaignId, operator)).toEqual(WRONG_STATE);
      expect(await listActions()).toEqual(["confirm-outreach", "resume-outreach"]);
    });

    it("during the snapshot copies the rest of its audience once it is resumed", async () => {
      const { campaignId, tick, mailer, outreach, getStats } = await createCampaign(3);
      await outreach.pause(campaignId, operator);
      await tick();
      expect(await getStats()).toMatchObject({ state: "paused", selected: 0 });
      await outreach.resume(campaignId, operator);
      expect(await getStats()).toMatchObject({ state: "preparing" });
      await tick();
      expect(mailer.recipients).toEqual(people(3));
      expect(await getStats()).toMatchObject({ state: "finished", selected: 3 });
    });

    it("while a piece of the audience is copied stays paused", async () => {
      const { campaignId, campaignWorker, outreach, getStats } = await createCampaign(3);
      let writes = 0;
      const pausing: Database = {
        ...database,
        write: async (work) => {
          writes += 1;
          // The snapshot follows the check for orphans and the first claim.
          if (writes === 3) await outreach.pause(campaignId, operator);
          return database.write(work);
        },
      };
      await campaignWorker({ database: pausing }).tick();
      expect(await getStats()).toMatchObject({ state: "paused", selected: 0 });
    });

    it("stays paused when its failed deliveries are retried", async () => {
      const { campaignId, campaignWorker, mailer, outreach, getStats } = await createCampaign(2);
      mailer.script = async () => {
        await outreach.pause(campaignId, operator);
        return spam;
      };
      await campaignWorker({ concurrency: 1 }).tick();
      const retry = await outreach.retryFailed(campaignId, operator);
      expect(retry).toEqual({ ok: true, changed: 1, suppressed: 0 });
      expect(await getStats()).toMatchObject({ state: "paused", pending: 2 });
    });
  });

  describe("that is cancelled", () => {
    it("between two emails skips what waits, and is over for good", async () => {
      const campaign = await createCampaign(5, { concurrency: 1 });
      const { clock, campaignId, tick, mailer, outreach, getStats } = campaign;
      mailer.script = async ({ to }) => {
        if (to.address === "person1@example.com") return deferred;
        if (mailer.received.length === 3) await outreach.cancel(campaignId, operator);
        return accepted;
      };
      await tick();
      const states = ["skipped", "sent", "sent", "skipped", "skipped"];
      expect(Object.values(await campaign.states())).toEqual(states);
      const over = { state: "cancelled", sent: 2, skipped: 3, skippedByReason: { cancelled: 3 }, pending: 0 };
      expect(await getStats()).toMatchObject(over);
      expect(await campaign.getCampaign()).toMatchObject({ finished_at: clock() });
      clock.forward(minutes(60));
      await tick();
      expect(mailer.received).toHaveLength(3);
      for (const action of ["pause", "resume", "cancel"] as const) {
        expect(await outreach[action](campaignId, operator)).toEqual(WRONG_STATE);
      }
      expect(await outreach.retryFailed(campaignId, operator)).toEqual({ ok: false, error: "cancelled" });
      expect(await getStats()).toMatchObject(over);
      expect(await listActions()).toEqual(["confirm-outreach", "cancel-outreach"]);
    });

    it("skips a large audience in pieces, also one that is not copied to its end", async () => {
      await signUp(database, people(2300));
      const { confirmed, campaignWorker, mailer, outreach, getStats } = createTestOutreach(database);
      const [copied, half, uncopied] = [await confirmed(), await confirmed(), await confirmed()];
      mailer.script = async () => {
        await outreach.cancel(half, operator);
        if ((await outreach.findCampaign(copied))?.state === "sending")
          await outreach.cancel(copied, operator);
        return accepted;
      };
      await outreach.pause(uncopied, operator);
      await outreach.cancel(uncopied, operator);
      await campaignWorker({ concurrency: 1 }).tick();
      const { sent, ...whole } = await getStats(copied);
      expect(whole).toMatchObject({ state: "cancelled", selected: 2300, skipped: 2300 - sent });
      expect(sent).toBeLessThan(20);
      const { selected, ...others } = await getStats(half);
      expect(selected).toBeGreaterThan(0);
      expect(selected).toBeLessThan(2300);
      expect(others).toMatchObject({ state: "cancelled", skipped: selected - others.sent });
      expect(await getStats(uncopied)).toMatchObject({ state: "cancelled", selected: 0 });
    });
  });

  it("cannot be paused, resumed or cancelled as a draft or once it is finished", async () => {
    const { campaignId, draft, campaignWorker, outreach } = await createCampaign(1);
    await campaignWorker().tick();
    for (const id of [await draft(), campaignId]) {
      for (const action of ["pause", "resume", "cancel"] as const) {
        expect(await outreach[action](id, operator)).toEqual(WRONG_STATE);
      }
    }
    for (const action of ["pause", "resume", "cancel"] as const) {
      const unknown = { ok: false, error: "unknown-campaign" };
      expect(await outreach[action]("of nothing", operator)).toEqual(unknown);
    }
    expect(await listActions()).toEqual(["confirm-outreach"]);
  });

  it("is paused by a restore, and so is a broadcast", async () => {
    const { campaignId, outreach } = await createCampaign(1);
    await addDevices(database, ["a"]);
    const { confirm, getStats } = createTestBroadcasts(database);
    const broadcastId = await confirm("all");
    const restored = { hold: "restored", hold_detail: "Restored." } as const;
    expect(await database.write((trx) => pauseAll(trx, restored))).toBe(2);
    expect((await outreach.findCampaign(campaignId))?.state).toBe("paused");
    expect(await getStats(broadcastId)).toMatchObject({ state: "paused" });
  });

  it("retries its failed deliveries, except suppressed addresses", async () => {
    const script = scriptByAddress({ "person2@example.com": spam, "person3@example.com": refused });
    const campaign = await createCampaign(4, { script });
    const { clock, campaignId, tick, mailer, outreach, getStats } = campaign;
    await tick();
    expect(await getStats()).toMatchObject({ state: "finished", sent: 2, failed: 2 });
    mailer.script = (_, time) => (time === 2 ? deferred : accepted);
    expect(await outreach.retryFailed(campaignId, operator)).toEqual({ ok: true, changed: 1, suppressed: 1 });
    expect(await getStats()).toMatchObject({ state: "sending", sent: 2, failed: 1, pending: 1 });
    expect(await campaign.getCampaign()).toMatchObject({ finished_at: null });
    await tick();
    // The third was suppressed by its refusal, and keeps the mail server's reply.
    expect((await campaign.rows()).map((row) => [row.state, row.attempts, row.detail])).toEqual([
      ["sent", 1, accepted.detail],
      ["retrying", 1, deferred.detail],
      ["failed", 1, refused.detail],
      ["sent", 1, accepted.detail],
    ]);
    clock.forward(minutes(10));
    await tick();
    expect(await getStats()).toMatchObject({ state: "finished", sent: 3, failed: 1, skipped: 0 });
    expect(new Set(mailer.received.map((email) => email.messageId)).size).toBe(4);
    expect(await outreach.retryFailed(campaignId, operator)).toEqual({ ok: true, changed: 0, suppressed: 1 });
    expect(await getStats()).toMatchObject({ state: "finished" });
  });

  it("settles all its uncertain deliveries at once, more than a thousand of them", async () => {
    const campaign = await createCampaign(1200, { script: () => unknown, concurrency: 400 });
    const { clock, campaignId, tick, mailer, outreach, getStats } = campaign;
    for (let time = 0; time < 5; time += 1) {
      await tick();
      clock.forward(minutes(5));
    }
    expect(await getStats()).toMatchObject({ state: "finished", uncertain: 1200 });
    mailer.script = () => accepted;
    const correction = await outreach.decideUncertain(campaignId, "resend", operator);
    expect(correction).toEqual({ ok: true, changed: 1200 });
    await tick();
    expect(await getStats()).toMatchObject({ state: "finished", sent: 1200, uncertain: 0 });
    expect(mailer.received).toHaveLength(2 * 1200);
    expect(new Set(mailer.received.map((email) => email.messageId)).size).toBe(1200);
    expect(await listActions()).toEqual(["confirm-outreach", "decide-uncertain"]);
  });

  it("is listed with its totals and who paused it", async () => {
    await signUp(database, people(4));
    const script = scriptByAddress({ "person2@example.com": refused });
    const { clock, confirmed, campaignWorker, outreach } = createTestOutreach(database, script);
    const finished = await confirmed();
    await campaignWorker().tick();
    const paused = await confirmed();
    await outreach.pause(paused, { ...operator, by: "bo@example.com" });
    await outreach.resume(paused, operator);
    clock.forward(minutes(1));
    await outreach.pause(paused, operator);
    const at = clock();
    const planned = await confirmed({ schedule: { beginAt: at + minutes(60), whenMissed: "send" } });
    const pausedBy = { for: "operator", paused: { by: operator.by, at } };
    expect(await outreach.listCampaigns({ limit: 10 })).toMatchObject([
      { id: planned, waiting: { for: "schedule" }, stats: { recipients: 0, sent: 0, failed: 0 } },
      { id: paused, waiting: pausedBy },
      { id: finished, waiting: undefined, stats: { recipients: 4, sent: 3, failed: 1 } },
    ]);
    expect((await outreach.listLatestCampaigns({ limit: 1 })).map(({ id }) => id)).toEqual([planned]);
    const campaign = (await outreach.findCampaign(paused))!;
    expect(await outreach.getHoldReason(campaign)).toMatchObject(pausedBy);
  });

  describe("lists its deliveries", () => {
    type TestCampaign = Pick<Awaited<ReturnType<typeof createTestCampaign>>, "outreach" | "campaignId">;

    /** Lists the addresses of all matching deliveries, two a page. */
    async function listAddresses({ outreach, campaignId }: TestCampaign, filter: DeliveryFilter = {}) {
      const addresses: string[] = [];
      for (let after: string | undefined; ;) {
        const rows = await outreach.listDeliveries(campaignId, { ...filter, after, limit: 2 });
        expect(rows.length).toBeLessThanOrEqual(2);
        addresses.push(...rows.map((row) => row.address));
        after = rows.at(-1)?.id;
        if (!after) return addresses;
      }
    }

    it("page by page in the order of signup, in all states or in one", async () => {
      await suppress(database, "person4@example.com");
      const retrying = ["person2@example.com", "person8@example.com"];
      const script: Script = ({ to }) => (retrying.includes(to.address) ? deferred : accepted);
      const campaign = await createCampaign(9, { script });
      await campaign.confirmed();
      await campaign.tick();
      expect(await listAddresses(campaign)).toEqual(people(9));
      expect(await listAddresses(campaign, { state: "retrying" })).toEqual(retrying);
      expect(await listAddresses(campaign, { state: "waiting" })).toEqual(retrying);
      expect(await listAddresses(campaign, { state: "waiting", prefix: "person2" })).toEqual(
        retrying.slice(0, 1),
      );
      expect(await listAddresses(campaign, { state: "sent" })).toHaveLength(6);
      expect(await listAddresses(campaign, { state: "failed" })).toEqual([]);
      const page = { state: "retrying", limit: 1 } as const;
      const first = { name: "Name of person2@example.com", detail: deferred.detail, attempts: 1 };
      expect(await campaign.outreach.listDeliveries(campaign.campaignId, page)).toMatchObject([first]);
    });

    it("by the start of their address and by their reason", async () => {
      const addresses = [...people(12), "Zoe@example.com", "per_son@example.com"];
      const script: Script = ({ to: { address } }) => {
        if (address === "Zoe@example.com") return spam;
        if (!/person1\d?@/.test(address)) return accepted;
        return { kind: "refused", code: 550, detail: `550 5.1.1 <${address}> unknown` };
      };
      const campaign = await createCampaign(addresses, { script });
      await campaign.tick();
      const ones = ["person10", "person11", "person12", "person1"].map((name) => `${name}@example.com`);
      const list = (filter: DeliveryFilter) => listAddresses(campaign, filter);
      expect(await list({ prefix: "person1" })).toEqual(ones);
      expect(await list({ prefix: "person1", state: "sent" })).toEqual([]);
      expect(await list({ prefix: "zoe@example.com" })).toEqual(["Zoe@example.com"]);
      expect(await list({ prefix: "per_" })).toEqual(["per_son@example.com"]);
      expect(await list({ prefix: "person%" })).toEqual([]);
      const { reasons, ...counts } = await campaign.outreach.getFailureReasons(campaign.campaignId);
      expect(counts).toEqual({ counted: 5, isPartial: false });
      expect(reasons.map(({ key, count }) => [key, count])).toEqual([
        ["550 5.1.1", 4],
        ["554 spam", 1],
      ]);
      expect(await list({ state: "failed", reason: "550 5.1.1" })).toHaveLength(4);
      expect(await list({ state: "failed", reason: "550 5.1.1", prefix: "person12" })).toEqual([ones[2]]);
      expect(await list({ state: "failed", reason: "554 spam" })).toEqual(["Zoe@example.com"]);
    });

    it("in a file, to its end when the last one of a batch is erased meanwhile", async () => {
      const campaign = await createCampaign(1005, { holdMs: seconds(60) });
      await campaign.tick();
      const exported = await campaign.outreach.exportDeliveries(
        campaign.campaignId,
        { prefix: "person" },
        operator,
      );
      if (!exported.ok) throw new Error("Nothing is exported");
      const addresses = [];
      for await (const batch of exported.batches) {
        addresses.push(...batch.map(({ address }) => address));
        const id = batch.at(-1)?.id ?? "";
        await database.write((trx) => trx.deleteFrom("deliveries").where("id", "=", id).execute());
      }
      expect([addresses.length, new Set(addresses).size]).toEqual([1005, 1005]);
    });

    it("in a file, each once, though many are erased and have one address", async () => {
      const campaign = await createCampaign(1005, { holdMs: seconds(60) });
      await campaign.tick();
      await database.write((trx) =>
        trx
          .updateTable("deliveries")
          .set({ address: "erased", email_key: sql<string>`'erased ' || id` })
          .execute(),
      );
      const exported = await campaign.outreach.exportDeliveries(
        campaign.campaignId,
        { prefix: "e" },
        operator,
      );
      if (!exported.ok) throw new Error("Nothing is exported");
      const ids: string[] = [];
      for await (const batch of exported.batches) {
        ids.push(...batch.map(({ id }) => id));
        expect(ids.length).toBeLessThanOrEqual(1005);
      }
      expect(new Set(ids).size).toBe(1005);
    });

    it("of all states, and misses none that changes its state meanwhile", async () => {
      const campaign = await createCampaign(3, { holdMs: seconds(60) });
      await campaign.tick();
      const move = (state: "uncertain" | "pending") =>
        database.write((trx) => trx.updateTable("deliveries").set({ state }).execute());
      await move("uncertain");
      const read = database.read.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: ({ result }) => move("pending").then(() => result),
      });
      const rows = await listDeliveries({ ...database, read }, campaign.campaignId, { limit: 10 });
      expect(rows).toHaveLength(3);
    });
  });

  describe("in its hold window", () => {
    const createHeld = () => createCampaign(3, { holdMs: seconds(60) });

    it("copies its audience at once and emails nobody yet", async () => {
      const { clock, campaignWorker, mailer, getHoldReason, getStats } = await createHeld();
      await campaignWorker().tick();
      await signUp(database, ["too-late@example.com"]);
      expect(await getStats()).toMatchObject({ state: "sending", selected: 3, pending: 3 });
      expect(await getHoldReason()).toEqual({ for: "hold", until: clock() + seconds(60) });
      clock.forward(seconds(60) - 1);
      await campaignWorker().tick();
      await campaignWorker({ instance: "two" }).tick();
      expect(mailer.received).toEqual([]);
      clock.forward(1);
      await campaignWorker({ instance: "two" }).tick();
      expect(mailer.recipients).toEqual(people(3));
      expect(await getStats()).toMatchObject({ state: "finished", sent: 3 });
    });

    // R8
    it("reaches nobody when it is cancelled", async () => {
      const { clock, campaignId, tick, mailer, outreach, getStats } = await createHeld();
      await tick();
      expect(await outreach.cancel(campaignId, operator)).toEqual({ ok: true });
      clock.forward(hours(1));
      await tick();
      expect(mailer.received).toEqual([]);
      const nobody = { state: "cancelled", sent: 0, skipped: 3, skippedByReason: { cancelled: 3 } };
      expect(await getStats()).toMatchObject(nobody);
      expect(await outreach.begin(campaignId, operator)).toEqual(WRONG_STATE);
    });

    it("has no planned time when it is paused, and still waits for the end once it is resumed", async () => {
      const { clock, campaignId, tick, mailer, outreach, getHoldReason } = await createHeld();
      const until = clock() + seconds(60);
      await outreach.pause(campaignId, operator);
      const paused = { by: operator.by, at: clock() };
      expect(await getHoldReason()).toEqual({ for: "operator", isInHoldWindow: true, paused });
      await outreach.resume(campaignId, operator);
      expect(await getHoldReason()).toEqual({ for: "hold", until });
      clock.forward(seconds(60));
      await tick();
      expect(mailer.recipients).toEqual(people(3));
    });

    it("can be started at once, and only once", async () => {
      const { campaignId, tick, mailer, outreach } = await createHeld();
      await tick();
      expect(await outreach.begin(campaignId, operator)).toEqual({ ok: true });
      expect(await outreach.begin(campaignId, operator)).toEqual(WRONG_STATE);
      await tick();
      expect(mailer.recipients).toEqual(people(3));
      expect(await listActions()).toEqual(["confirm-outreach", "begin-outreach"]);
    });
  });

  describe("with a schedule", () => {
    const NOW = Date.UTC(2026, 10, 21, 8);
    const TOMORROW = NOW + days(1);

    /** Confirms a campaign to three people that starts tomorrow, and copies its audience. */
    async function createScheduled(whenMissed: WhenMissed) {
      const campaign = await createCampaign(3, { schedule: { beginAt: TOMORROW, whenMissed } });
      await campaign.tick();
      const reschedule = (beginAt: number) =>
        campaign.outreach.reschedule(campaign.campaignId, { beginAt, whenMissed: "wait" }, operator);
      return { ...campaign, reschedule };
    }

    it("starts on time, for who was and still is on the list", async () => {
      const { clock, mailer, tick, getHoldReason, getStats } = await createScheduled("wait");
      await suppress(database, "person2@example.com");
      await signUp(database, ["too-late@example.com"]);
      expect(await getHoldReason()).toEqual({ for: "schedule", until: TOMORROW });
      clock.forward(days(1) - 1);
      await tick();
      expect(mailer.received).toEqual([]);
      // An hour late is not missed.
      clock.forward(1 + hours(1));
      await tick();
      expect(mailer.recipients).toEqual(["person1@example.com", "person3@example.com"]);
      expect(await getStats()).toMatchObject({ state: "finished", sent: 2, skipped: 1 });
    });

    it("that was missed by more than an hour waits for an operator when they chose that", async () => {
      const { clock, campaignId, tick, mailer, outreach, ...campaign } = await createScheduled("wait");
      const { getHoldReason, getStats } = campaign;
      clock.forward(days(1) + hours(1) + 1);
      await tick();
      expect(mailer.received).toEqual([]);
      expect(await getStats()).toMatchObject({ state: "paused", pending: 3 });
      expect(await getHoldReason()).toEqual({ for: "missed", planned: TOMORROW });
      expect(await outreach.begin(campaignId, operator)).toEqual({ ok: true });
      await tick();
      expect(await getStats()).toMatchObject({ state: "finished", sent: 3 });
    });

    it("that was missed by more than an hour starts as soon as possible otherwise", async () => {
      const { clock, tick, getStats } = await createScheduled("send");
      clock.forward(days(1) + hours(1) + 1);
      await tick();
      expect(await getStats()).toMatchObject({ state: "finished", sent: 3 });
    });

    it("keeps its time over a pause, and waits for an operator when the pause was longer", async () => {
      const { clock, campaignId, mailer, outreach, tick, getHoldReason } = await createScheduled("wait");
      await outreach.pause(campaignId, operator);
      expect(await getHoldReason()).toMatchObject({ for: "operator", planned: TOMORROW });
      expect(await outreach.resume(campaignId, operator)).toEqual({ ok: true });
      await tick();
      expect(mailer.received).toEqual([]);
      expect(await getHoldReason()).toEqual({ for: "schedule", until: TOMORROW });
      await outreach.pause(campaignId, operator);
      clock.forward(days(2));
      const missed = { for: "missed", planned: TOMORROW };
      expect(await getHoldReason()).toEqual(missed);
      await outreach.resume(campaignId, operator);
      await tick();
      expect(mailer.received).toEqual([]);
      expect(await getHoldReason()).toEqual(missed);
      await outreach.begin(campaignId, operator);
      await tick();
      expect(mailer.received).toHaveLength(3);
    });

    it("that was missed during a pause starts at its new time once it is rescheduled", async () => {
      const { clock, campaignId, mailer, outreach, tick, reschedule, getHoldReason } =
        await createScheduled("wait");
      await outreach.pause(campaignId, operator);
      clock.forward(days(1) + hours(1) + 1);
      const soon = clock() + minutes(1);
      expect(await reschedule(soon)).toEqual({ ok: true });
      expect(await getHoldReason()).toEqual({ for: "schedule", until: soon });
      clock.forward(minutes(1));
      await tick();
      expect(mailer.received).toHaveLength(3);
    });

    it("keeps its time when a restore pauses it, and says so", async () => {
      const { clock, campaignId, mailer, outreach, tick, getHoldReason } = await createScheduled("send");
      const restored = { hold: "restored", hold_detail: "Restored." } as const;
      expect(await database.write((trx) => pauseAll(trx, restored))).toBe(1);
      expect(await getHoldReason()).toEqual({
        for: "restored",
        serverMessage: "Restored.",
        planned: TOMORROW,
      });
      await outreach.resume(campaignId, operator);
      expect(await getHoldReason()).toEqual({ for: "schedule", until: TOMORROW });
      clock.forward(days(1));
      await tick();
      expect(mailer.received).toHaveLength(3);
    });

    it("starts at its new time once it is rescheduled, and no longer at the first", async () => {
      const { clock, campaignId, mailer, outreach, tick, reschedule, getHoldReason } =
        await createScheduled("send");
      const later = TOMORROW + days(1);
      expect(await reschedule(later)).toEqual({ ok: true });
      clock.forward(days(1) + hours(2));
      await tick();
      expect(mailer.received).toEqual([]);
      expect(await getHoldReason()).toEqual({ for: "schedule", until: later });
      clock.forward(days(1));
      await tick();
      // It waits when missed, as the operator chose with the second time.
      expect(await getHoldReason()).toEqual({ for: "missed", planned: later });
      const soon = clock() + minutes(1);
      expect(await reschedule(soon)).toEqual({ ok: true });
      expect(await getHoldReason()).toEqual({ for: "schedule", until: soon });
      await outreach.pause(campaignId, operator);
      const whilePaused = clock() + minutes(2);
      expect(await reschedule(whilePaused)).toEqual({ ok: true });
      expect(await getHoldReason()).toMatchObject({ for: "operator", planned: whilePaused });
      await outreach.resume(campaignId, operator);
      clock.forward(minutes(2));
      await tick();
      expect(mailer.received).toHaveLength(3);
      expect(await reschedule(clock() + days(1))).toEqual(WRONG_STATE);
      const rescheduled = (await listActions()).filter((action) => action === "reschedule-outreach");
      expect(rescheduled).toHaveLength(3);
    });

    it.each<[string, number, string | undefined]>([
      ["this moment", NOW, "time-passed"],
      ["no time", NaN, "time-passed"],
      ["in a year", Date.UTC(2027, 10, 21, 8), undefined],
      ["in a year and a minute", Date.UTC(2027, 10, 21, 8, 1), "too-far"],
    ])("for %s is validated, and a refused one changes nothing", async (_, beginAt, error) => {
      await signUp(database, people(1));
      const { draft, confirm, outreach } = createTestOutreach(database);
      const campaignId = await draft();
      const outcome = await confirm(campaignId, undefined, { beginAt, whenMissed: "send" });
      expect(outcome).toEqual(error ? { ok: false, error } : { ok: true, already: false });
      expect((await outreach.findCampaign(campaignId))?.state).toBe(error ? "draft" : "preparing");
    });
  });

  // R8
  describe("that is edited before it begins", () => {
    const NOW = Date.UTC(2026, 10, 21, 8);
    const TOMORROW = NOW + days(1);
    const schedule = { beginAt: TOMORROW, whenMissed: "wait" } as const;
    const countDeliveries = async (id: string) => {
      const deliveries = database.read.selectFrom("deliveries").select("id").where("campaign_id", "=", id);
      return (await deliveries.execute()).length;
    };

    it("is a draft that keeps its time, and goes to nobody", async () => {
      const { campaignId, clock, outreach, tick, getCampaign, mailer } = await createCampaign(3, {
        schedule,
      });
      await tick();
      expect(await countDeliveries(campaignId)).toBe(3);
      expect(await outreach.edit(campaignId, operator)).toEqual({ ok: true });
      const kept = {
        state: "draft",
        hold: "",
        hold_until: TOMORROW,
        when_missed: "wait",
        confirmed_at: null,
      };
      expect(await getCampaign()).toMatchObject({ ...kept, touched_by: operator.by });
      expect((await outreach.listDrafts({ limit: 5 })).map(({ id }) => id)).toEqual([campaignId]);
      await tick();
      expect(await countDeliveries(campaignId)).toBe(0);
      await outreach.saveDraft({
        ...(await getCampaign()),
        message: "Better",
        testAddress: "",
        createdBy: operator.by,
      });
      clock.forward(days(2));
      await tick();
      expect(mailer.received).toEqual([]);
      expect(await getCampaign()).toMatchObject({ ...kept, message: "Better", prepared_through: "" });
      expect(await listActions()).toEqual(["confirm-outreach", "edit-outreach"]);
    });

    it("goes to who is counted when it is confirmed again", async () => {
      const campaign = await createCampaign(3, { schedule });
      const { campaignId, clock, outreach, tick, getCampaign, mailer, confirm, states } = campaign;
      await tick();
      await outreach.edit(campaignId, operator);
      await tick();
      await signUp(database, ["new@example.com"]);
      await suppress(database, "person1@example.com");
      await outreach.saveDraft({
        ...(await getCampaign()),
        message: "Better",
        testAddress: "",
        createdBy: operator.by,
      });
      expect(await confirm(campaignId, undefined, schedule)).toEqual({ ok: true, already: false });
      await tick();
      expect(mailer.received).toEqual([]);
      expect(await getCampaign()).toMatchObject({ hold: "schedule", hold_until: TOMORROW, counted: 4 });
      clock.forward(days(1));
      await tick();
      expect(mailer.recipients).toEqual(["person2@example.com", "person3@example.com", "new@example.com"]);
      expect(mailer.received.every(({ text }) => text.startsWith("Better"))).toBe(true);
      expect(await states()).toMatchObject({ "person1@example.com": "skipped" });
      expect(await campaign.getStats()).toMatchObject({ state: "finished", sent: 3, skipped: 1 });
    });

    // C30
    it("goes out with its new text after a start that could not be stored", async () => {
      const campaign = await createCampaign(1, { holdMs: seconds(60) });
      const { campaignId, clock, outreach, campaignWorker, getCampaign, mailer, confirm } = campaign;
      let isFull = false;
      const filling: Database = {
        ...database,
        write: (work) =>
          database.write(async (trx) => {
            const value = await work(trx);
            const claimed = trx.selectFrom("deliveries").select("id").where("state", "=", "claimed");
            if (isFull && (await claimed.execute()).length > 0) throw new Error("the disk is full");
            return value;
          }),
      };
      const worker = campaignWorker({ database: filling });
      await worker.tick();
      clock.forward(seconds(60));
      isFull = true;
      await expect(worker.tick()).rejects.toThrow("the disk is full");
      isFull = false;
      expect(await outreach.edit(campaignId, operator)).toEqual({ ok: true });
      await outreach.saveDraft({
        ...(await getCampaign()),
        message: "Better",
        testAddress: "",
        createdBy: operator.by,
      });
      expect(await confirm(campaignId)).toEqual({ ok: true, already: false });
      await worker.tick();
      clock.forward(seconds(60));
      await worker.tick();
      expect(mailer.received.map(({ text }) => text)).toEqual([expect.stringMatching(/^Better/)]);
    });

    it("keeps no time in its hold window", async () => {
      const { campaignId, clock, outreach, tick, getCampaign, mailer } = await createCampaign(2, {
        holdMs: seconds(60),
      });
      await tick();
      expect(await outreach.edit(campaignId, operator)).toEqual({ ok: true });
      expect(await getCampaign()).toMatchObject({
        state: "draft",
        hold: "",
        hold_until: null,
        when_missed: "",
      });
      clock.forward(hours(1));
      await tick();
      expect(mailer.received).toEqual([]);
    });

    it("drops a large audience in pieces, also before it is confirmed again", async () => {
      const { campaignId, outreach, tick, confirm } = await createCampaign(2300, { schedule });
      await tick();
      expect(await countDeliveries(campaignId)).toBe(2300);
      await outreach.edit(campaignId, operator);
      await tick();
      expect(await countDeliveries(campaignId)).toBe(0);
      await confirm(campaignId, undefined, schedule);
      await tick();
      await outreach.edit(campaignId, operator);
      // The worker has not dropped any.
      expect(await confirm(campaignId, undefined, schedule)).toEqual({ ok: true, already: false });
      expect(await countDeliveries(campaignId)).toBe(0);
      await tick();
      expect(await outreach.getStats(campaignId)).toMatchObject({ state: "sending", pending: 2300 });
    });

    it("while its audience is copied drops what was copied", async () => {
      const { campaignId, outreach, campaignWorker, getCampaign } = await createCampaign(1000, { schedule });
      let copied = 0;
      const interrupted: Database = {
        ...database,
        async write(work) {
          const count = copied === 0 ? await countDeliveries(campaignId) : 0;
          if (count >= 500) {
            copied = count;
            expect(await outreach.edit(campaignId, operator)).toEqual({ ok: true });
          }
          return database.write(work);
        },
      };
      await campaignWorker({ database: interrupted }).tick();
      expect(copied).toBe(500);
      expect(await countDeliveries(campaignId)).toBe(0);
      expect(await getCampaign()).toMatchObject({
        state: "draft",
        prepared_through: "",
        audience_through: "",
      });
    });

    it("changes nothing once it has begun, was paused or is over", async () => {
      const { campaignId, clock, outreach, tick, getCampaign, mailer } = await createCampaign(2, {
        schedule,
      });
      await tick();
      await outreach.pause(campaignId, operator);
      expect(await outreach.edit(campaignId, operator)).toEqual(WRONG_STATE);
      await outreach.resume(campaignId, operator);
      clock.forward(days(1));
      mailer.script = async () => {
        expect(await outreach.edit(campaignId, operator)).toEqual(WRONG_STATE);
        return accepted;
      };
      await tick();
      expect(await getCampaign()).toMatchObject({ state: "finished" });
      expect(await outreach.edit(campaignId, operator)).toEqual(WRONG_STATE);
      expect(await outreach.edit("nobody", operator)).toMatchObject({ error: "unknown-campaign" });
      expect(mailer.received).toHaveLength(2);
      expect(await listActions()).not.toContain("edit-outreach");
    });

    // R22
    it("is either sent or edited when two instances do both at once", async () => {
      const other = await place.open();
      for (let round = 1; round <= 10; round += 1) {
        const campaign = await createCampaign([`round${round}@example.com`], {
          schedule: { beginAt: NOW + minutes(1), whenMissed: "send" },
        });
        const { campaignId, clock, outreach, campaignWorker, getCampaign, mailer } = campaign;
        await campaignWorker().tick();
        clock.forward(minutes(1));
        const [edited, again] = await Promise.all([
          outreach.edit(campaignId, operator),
          outreach.edit(campaignId, { ...operator, by: "grace@example.com" }),
          campaignWorker().tick(),
          campaignWorker({ instance: "two", database: other }).tick(),
        ]);
        const times = [edited, again].filter(({ ok }) => ok).length;
        const { state } = await getCampaign();
        expect([times, state, mailer.received.length]).toEqual(
          times === 1 ? [1, "draft", 0] : [0, "finished", round],
        );
        if (state === "draft") await outreach.discardDraft(campaignId);
      }
      await other.close();
    });
  });

  describe("with a daily allowance", () => {
    const MIDNIGHT = Date.UTC(2026, 10, 22);
    const countUsed = async (allowance: DailyAllowance, at: number) =>
      (await allowance.getToday(database.read, at))?.used;

    // R8
    it("continues by itself after midnight UTC, also over a restart", async () => {
      const campaign = await createCampaign(12, { perDay: 5, concurrency: 3 });
      const { clock, campaignWorker, tick, mailer, getToday, getHoldReason, getStats } = campaign;
      expect(await getToday()).toMatchObject({ limit: 5, used: 0, remaining: 5, resetsAt: MIDNIGHT });
      await tick();
      expect(await getStats()).toMatchObject({ state: "sending", sent: 5, pending: 7, inFlight: 0 });
      expect(await getHoldReason()).toEqual({ for: "allowance", limit: 5, keptFree: 0, until: MIDNIGHT });
      const usedUp = { used: 5, remaining: 0, remainingForCampaigns: 0, resetsAt: MIDNIGHT };
      expect(await getToday()).toMatchObject(usedUp);
      clock.forward(hours(16) - 1);
      const restarted = campaignWorker();
      await restarted.tick();
      expect(mailer.received).toHaveLength(5);
      clock.forward(1);
      await restarted.tick();
      expect(mailer.received).toHaveLength(10);
      clock.forward(days(1));
      await restarted.tick();
      expect(mailer.recipients).toEqual(people(12));
      expect(await getStats()).toMatchObject({ state: "finished", sent: 12 });
      expect(await getToday()).toMatchObject({ used: 2, remaining: 3 });
    });

    // R22
    it("shares it between two instances", async () => {
      await signUp(database, people(300));
      const other = await place.open();
      const acceptLater: Script = () => new Promise((resolve) => setImmediate(() => resolve(accepted)));
      const world = createTestOutreach(database, acceptLater, { perDay: 112 });
      const { clock, confirmed, campaignWorker, mailer, getToday, getStats } = world;
      const otherMailer = new ScriptedMailer(acceptLater);
      const mailers = [mailer, otherMailer];
      const campaignIds = [await confirmed({ title: "A" }), await confirmed({ title: "B" })];
      const allowance = new DailyAllowance(112);
      const instances = [
        campaignWorker({ concurrency: 7 }),
        campaignWorker({ instance: "two", database: other, mailer: otherMailer, allowance, concurrency: 7 }),
      ];
      for (let day = 1; day <= 2; day += 1) {
        await Promise.all(instances.map((one) => one.tick()));
        expect(mailers.flatMap((one) => one.received)).toHaveLength(101 * day);
        expect(await getToday()).toMatchObject({ used: 101, remainingForCampaigns: 0 });
        clock.forward(days(1));
      }
      for (const campaignId of campaignIds) await getStats(campaignId);
      await other.close();
    });

    it("refunds what was claimed and not attempted", async () => {
      await suppress(database, "person1@example.com");
      const campaign = await createCampaign(6, { script: () => unreachable, perDay: 4, concurrency: 4 });
      const { clock, tick, mailer, getToday, getStats } = campaign;
      await tick();
      expect(await getToday()).toMatchObject({ used: 0, remaining: 4 });
      mailer.script = () => accepted;
      clock.forward(minutes(5));
      await tick();
      expect(await getStats()).toMatchObject({ sent: 4, skipped: 1, pending: 1 });
      expect(await getToday()).toMatchObject({ used: 4, remaining: 0 });
    });

    it("is undefined and counts nothing when it is 0", async () => {
      const allowance = new DailyAllowance(0);
      await database.write(async (trx) => {
        await allowance.consume(trx, 5, MIDNIGHT);
        await allowance.refund(trx, [MIDNIGHT]);
        expect(await allowance.remaining(trx, "campaign", MIDNIGHT)).toBe(Infinity);
      });
      expect(await allowance.getToday(database.read, MIDNIGHT)).toBeUndefined();
      expect(await database.read.selectFrom("email_days").selectAll().execute()).toEqual([]);
    });

    it("refunds each email to the day it was counted on", async () => {
      const { allowance } = createTestOutreach(database, undefined, { perDay: 9 });
      const [yesterday, today] = [Date.UTC(2026, 10, 20, 23, 59), Date.UTC(2026, 10, 21)];
      await database.write(async (trx) => {
        await allowance.consume(trx, 5, yesterday);
        await allowance.consume(trx, 5, today);
        await allowance.refund(trx, [yesterday, yesterday, today]);
      });
      expect([await countUsed(allowance, yesterday), await countUsed(allowance, today)]).toEqual([3, 4]);
    });

    it("refunds what midnight left unattempted to the day before", async () => {
      const { clock, campaignWorker, mailer, allowance } = await createCampaign(3, { perDay: 9 });
      clock.forward(MIDNIGHT - 1 - clock());
      mailer.script = () => {
        clock.forward(1);
        return unreachable;
      };
      await campaignWorker().tick();
      expect(await countUsed(allowance, MIDNIGHT - 1)).toBe(0);
      expect(await countUsed(allowance, MIDNIGHT)).toBe(0);
    });

    it("counts confirmation and test emails, which are sent even when it is used up", async () => {
      const allowance = new DailyAllowance(2);
      const { clock, mailer, signUp: signUpForUpdates, createWorker } = createTestConfirmations(database);
      for (const address of people(3)) await signUpForUpdates(address);
      await createWorker({ allowance }).tick();
      expect(mailer.received).toHaveLength(3);
      expect(await allowance.getToday(database.read, clock())).toMatchObject({ used: 3, remaining: 0 });
      const sendTest = createSendTest({ database, mailer, clock, allowance });
      expect(await sendTest()).toEqual({ ok: true });
      mailer.script = () => unreachable;
      expect(await sendTest()).toMatchObject({ ok: false });
      await signUpForUpdates("late@example.com");
      await createWorker({ allowance }).tick();
      expect(await countUsed(allowance, clock())).toBe(4);
    });
  });
});
