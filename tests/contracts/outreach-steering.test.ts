import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import type { DeliveryFilter } from "~/services/outreach/campaign-stats.server";
import { dialects } from "../databases";
import { operator, createTestOutreach, people, signUp, suppress } from "../factories/outreach";
import { accepted, deferred, refused, unknown } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

describe.each(dialects)("steering a send on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));
  const audited = async () =>
    (await database.read.selectFrom("audit").select("action").orderBy("id").execute()).map(
      (row) => row.action,
    );

  it("pauses between two mails and goes on where it was", async () => {
    await signUp(database, people(5));
    const { confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(database);
    const campaignId = await confirmed();
    mailer.script = async () => {
      if (mailer.received.length === 2) await outreach.pause(campaignId, operator);
      return accepted;
    };
    const sending = dispatcher({ concurrency: 1 });
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({
      state: "paused",
      trouble: "",
      sent: 2,
      pending: 3,
      inFlight: 0,
    });
    await sending.tick();
    expect(mailer.received).toHaveLength(2);
    expect(await outreach.countUnderWay()).toEqual({ active: 0, paused: 1 });
    expect(await outreach.resume(campaignId, operator)).toEqual({ ok: true });
    expect(await outreach.countUnderWay()).toEqual({ active: 1, paused: 0 });
    await sending.tick();
    expect(mailer.recipients).toEqual(people(5));
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 5 });
    expect(await audited()).toEqual(["confirm-outreach", "pause-outreach", "resume-outreach"]);
  });

  it("pauses while the audience is being frozen, and freezes the rest when it goes on", async () => {
    await signUp(database, people(3));
    const { confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(database);
    const campaignId = await confirmed();
    await outreach.pause(campaignId, operator);
    const sending = dispatcher();
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "paused", selected: 0 });
    await outreach.resume(campaignId, operator);
    expect(await outreach.findCampaign(campaignId)).toMatchObject({ state: "preparing" });
    await sending.tick();
    expect(mailer.recipients).toEqual(people(3));
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", selected: 3 });
  });

  it("keeps to a pause that comes while a piece of the audience is being frozen", async () => {
    await signUp(database, people(3));
    const { confirmed, dispatcher, outreach, getStats } = createTestOutreach(database);
    const campaignId = await confirmed();
    let writes = 0;
    const late: Database = {
      ...database,
      write: async (work) => {
        writes += 1;
        // After the search for orphans and the first round comes the freezing.
        if (writes === 3) await outreach.pause(campaignId, operator);
        return database.write(work);
      },
    };
    await dispatcher({ database: late }).tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "paused", selected: 0 });
  });

  it("cancels between two mails: what waits is skipped, and the send is over for good", async () => {
    await signUp(database, people(5));
    const { clock, confirmed, dispatcher, mailer, outreach, getStats, states } = createTestOutreach(database);
    const campaignId = await confirmed();
    mailer.script = async ({ to }) => {
      if (to.address === "person1@example.com") return deferred;
      if (mailer.received.length === 3) await outreach.cancel(campaignId, operator);
      return accepted;
    };
    const sending = dispatcher({ concurrency: 1 });
    await sending.tick();
    expect(await states(campaignId)).toEqual({
      "person1@example.com": "skipped",
      "person2@example.com": "sent",
      "person3@example.com": "sent",
      "person4@example.com": "skipped",
      "person5@example.com": "skipped",
    });
    const over = { state: "cancelled", sent: 2, skipped: 3, skippedByReason: { cancelled: 3 }, pending: 0 };
    expect(await getStats(campaignId)).toMatchObject(over);
    expect(await outreach.findCampaign(campaignId)).toMatchObject({ finished_at: clock() });
    clock.forward(minutes(60));
    await sending.tick();
    expect(mailer.received).toHaveLength(3);
    for (const verb of ["pause", "resume", "cancel"] as const) {
      expect(await outreach[verb](campaignId, operator)).toEqual({ ok: false, error: "wrong-state" });
    }
    expect(await outreach.retryFailed(campaignId, operator)).toEqual({ ok: false, error: "cancelled" });
    expect(await getStats(campaignId)).toMatchObject(over);
    expect(await audited()).toEqual(["confirm-outreach", "cancel-outreach"]);
  });

  it("cancels a large send in pieces, also one that is not frozen to its end", async () => {
    await signUp(database, people(2300));
    const { confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(database);
    const [stalled, half, unfrozen] = [await confirmed(), await confirmed(), await confirmed()];
    mailer.script = async () => {
      await outreach.cancel(half, operator);
      if ((await outreach.findCampaign(stalled))?.state === "sending")
        await outreach.cancel(stalled, operator);
      return accepted;
    };
    await outreach.pause(unfrozen, operator);
    await outreach.cancel(unfrozen, operator);
    await dispatcher({ concurrency: 1 }).tick();
    const { sent } = await getStats(stalled);
    expect(await getStats(stalled)).toMatchObject({
      state: "cancelled",
      selected: 2300,
      skipped: 2300 - sent,
    });
    expect(sent).toBeLessThan(20);
    const { selected, ...others } = await getStats(half);
    expect(selected).toBeGreaterThan(0);
    expect(selected).toBeLessThan(2300);
    expect(others).toMatchObject({ state: "cancelled", skipped: selected - others.sent });
    expect(await getStats(unfrozen)).toMatchObject({ state: "cancelled", selected: 0 });
  });

  it("neither pauses, resumes nor cancels a draft or a finished send", async () => {
    await signUp(database, people(1));
    const { confirmed, draft, dispatcher, outreach } = createTestOutreach(database);
    const campaignIds = [await draft(), await confirmed()];
    await dispatcher().tick();
    for (const campaignId of campaignIds) {
      for (const verb of ["pause", "resume", "cancel"] as const) {
        expect(await outreach[verb](campaignId, operator)).toEqual({ ok: false, error: "wrong-state" });
      }
    }
    expect(await audited()).toEqual(["confirm-outreach"]);
  });

  it("tries the failed ones again from the start of the ladder, but not who is suppressed", async () => {
    await signUp(database, people(4));
    const { clock, confirmed, dispatcher, mailer, outreach, rows, getStats } = createTestOutreach(
      database,
      ({ to }) => {
        if (to.address === "person2@example.com") return { kind: "refused", code: 554, detail: "554 spam" };
        return to.address === "person3@example.com" ? refused : accepted;
      },
    );
    const campaignId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 2, failed: 2 });
    mailer.script = (_, time) => (time === 2 ? deferred : accepted);
    expect(await outreach.retryFailed(campaignId, operator)).toEqual({ ok: true, changed: 1, suppressed: 1 });
    expect(await getStats(campaignId)).toMatchObject({ state: "sending", sent: 2, failed: 1, pending: 1 });
    expect(await outreach.findCampaign(campaignId)).toMatchObject({ finished_at: null });
    await sending.tick();
    // The third was suppressed by its refusal: what the mail server said of it stays.
    expect((await rows(campaignId)).map((row) => [row.state, row.attempts, row.detail])).toEqual([
      ["sent", 1, accepted.detail],
      ["retrying", 1, deferred.detail],
      ["failed", 1, refused.detail],
      ["sent", 1, accepted.detail],
    ]);
    clock.forward(minutes(10));
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({
      state: "finished",
      sent: 3,
      failed: 1,
      skipped: 0,
    });
    expect(new Set(mailer.received.map((mail) => mail.messageId)).size).toBe(4);
    expect(await outreach.retryFailed(campaignId, operator)).toEqual({ ok: true, changed: 0, suppressed: 1 });
    expect(await getStats(campaignId)).toMatchObject({ state: "finished" });
  });

  it("lets a paused send stay paused when its failed ones are to be tried again", async () => {
    await signUp(database, people(2));
    const { confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(database, () => ({
      kind: "refused",
      code: 554,
      detail: "554 spam",
    }));
    const campaignId = await confirmed();
    mailer.script = async () => {
      await outreach.pause(campaignId, operator);
      return { kind: "refused", code: 554, detail: "554 spam" };
    };
    await dispatcher({ concurrency: 1 }).tick();
    expect(await outreach.retryFailed(campaignId, operator)).toEqual({ ok: true, changed: 1, suppressed: 0 });
    expect(await getStats(campaignId)).toMatchObject({ state: "paused", pending: 2 });
  });

  it("decides on all uncertain mails at once, more than a thousand of them", async () => {
    await signUp(database, people(1200));
    const { clock, confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(
      database,
      () => unknown,
    );
    const campaignId = await confirmed();
    const sending = dispatcher({ concurrency: 400 });
    for (let tick = 0; tick < 5; tick += 1) {
      await sending.tick();
      clock.forward(minutes(5));
    }
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", uncertain: 1200 });
    mailer.script = () => accepted;
    expect(await outreach.decideUncertain(campaignId, "resend", operator)).toEqual({
      ok: true,
      changed: 1200,
    });
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 1200, uncertain: 0 });
    expect(mailer.received).toHaveLength(2 * 1200);
    expect(new Set(mailer.received.map((mail) => mail.messageId)).size).toBe(1200);
    expect(await audited()).toEqual(["confirm-outreach", "decide-uncertain"]);
  });

  it("lists a send's rows in pieces, in the order of signup, of all states or of one", async () => {
    await signUp(database, people(9));
    await suppress(database, "person4@example.com");
    const { confirmed, dispatcher, outreach } = createTestOutreach(database, ({ to }) =>
      ["person2@example.com", "person8@example.com"].includes(to.address) ? deferred : accepted,
    );
    const [campaignId, other] = [await confirmed(), await confirmed()];
    await dispatcher().tick();
    const listed = async (state?: "sent" | "retrying" | "failed") => {
      const addresses: string[] = [];
      for (let after: string | undefined; ;) {
        const rows = await outreach.listDeliveries(campaignId, { state, after, limit: 2 });
        expect(rows.length).toBeLessThanOrEqual(2);
        addresses.push(...rows.map((row) => row.address));
        after = rows.at(-1)?.id;
        if (!after) return addresses;
      }
    };
    expect(await listed()).toEqual(people(9));
    expect(await listed("retrying")).toEqual(["person2@example.com", "person8@example.com"]);
    expect(await listed("sent")).toHaveLength(6);
    expect(await listed("failed")).toEqual([]);
    const [first] = await outreach.listDeliveries(campaignId, { state: "retrying", limit: 1 });
    expect(first).toMatchObject({
      name: "Name of person2@example.com",
      state: "retrying",
      detail: "451 try again later",
      attempts: 1,
    });
    expect((await outreach.listLatestCampaigns(1)).map((campaign) => campaign.id)).toEqual([other]);
  });

  it("lists campaigns with their totals and who paused them", async () => {
    await signUp(database, people(4));
    const { clock, confirmed, dispatcher, mailer, outreach } = createTestOutreach(database);
    mailer.script = ({ to }) => (to.address === "person2@example.com" ? refused : accepted);
    const finished = await confirmed();
    await dispatcher().tick();
    const paused = await confirmed();
    await outreach.pause(paused, { ...operator, by: "bo@example.com" });
    await outreach.resume(paused, operator);
    clock.forward(minutes(1));
    await outreach.pause(paused, operator);
    const at = clock();
    const planned = await confirmed({ schedule: { beginAt: at + minutes(60), whenMissed: "send" } });
    expect(await outreach.listCampaigns(10)).toMatchObject([
      { id: planned, waiting: { for: "schedule" }, stats: { selected: 0, sent: 0, failed: 0 } },
      { id: paused, waiting: { for: "operator", paused: { by: operator.by, at } } },
      { id: finished, waiting: undefined, stats: { selected: 4, sent: 3, failed: 1 } },
    ]);
    const campaign = (await outreach.findCampaign(paused))!;
    expect(await outreach.getHoldReason(campaign)).toMatchObject({
      for: "operator",
      paused: { by: operator.by, at },
    });
  });

  it("finds recipients by the start of their address and by their reason, page by page", async () => {
    const gone = (name: string) => ({
      kind: "refused" as const,
      code: 550,
      detail: `550 5.1.1 <${name}> unknown`,
    });
    await signUp(database, [...people(12), "Zoe@example.com", "per_son@example.com"]);
    const { confirmed, dispatcher, mailer, outreach } = createTestOutreach(database);
    mailer.script = ({ to }) => {
      if (to.address === "Zoe@example.com") return { kind: "refused", code: 554, detail: "554 spam" };
      return /person1\d?@/.test(to.address) ? gone(to.address) : accepted;
    };
    const campaignId = await confirmed();
    await dispatcher().tick();
    const found = async (filter: DeliveryFilter) => {
      const pages: string[][] = [];
      for (let after: string | undefined; ;) {
        const rows = await outreach.listDeliveries(campaignId, { ...filter, after, limit: 2 });
        if (rows.length === 0) return pages.flat();
        pages.push(rows.map((row) => row.address));
        after = rows.at(-1)?.id;
      }
    };
    const ones = [
      "person10@example.com",
      "person11@example.com",
      "person12@example.com",
      "person1@example.com",
    ];
    expect(await found({ prefix: "person1" })).toEqual(ones);
    expect(await found({ prefix: "person1", state: "sent" })).toEqual([]);
    expect(await found({ prefix: "zoe@example.com" })).toEqual(["Zoe@example.com"]);
    expect(await found({ prefix: "per_" })).toEqual(["per_son@example.com"]);
    expect(await found({ prefix: "person%" })).toEqual([]);
    const { reasons, ...counts } = await outreach.getFailureReasons(campaignId);
    expect(counts).toEqual({ counted: 5, isPartial: false });
    expect(reasons.map(({ key, count }) => [key, count])).toEqual([
      ["550 5.1.1", 4],
      ["554 spam", 1],
    ]);
    expect(await found({ state: "failed", reason: "550 5.1.1" })).toHaveLength(4);
    expect(await found({ state: "failed", reason: "550 5.1.1", prefix: "person12" })).toEqual([ones[2]]);
    expect(await found({ state: "failed", reason: "554 spam" })).toEqual(["Zoe@example.com"]);
  });
});
