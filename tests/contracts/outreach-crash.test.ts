import { expect, it } from "vitest";
import { seconds } from "~/lib/durations";
import { createMortalDatabase, MOMENTS } from "../factories/mortal-database";
import {
  createTestCampaign,
  createTestOutreach,
  operator,
  people,
  setImmediateTimer,
  signUp,
  suppress,
} from "../factories/outreach";
import { accepted, neverSettles, refused } from "../fakes/scripted-mailer";
import { yieldUntil } from "../wait-until";
import { describeOnDatabases } from "./use-database";

/**
 * A crash is a worker that is abandoned: it gets no result of its deliveries in flight and writes nothing more. The
 * next worker starts on the same database, once the leases have not been renewed for some seconds. What any queue promises is in queue.test.ts.
 */
/** Time after which the leases of a dead process are seen not to be renewed. */
const SILENT = seconds(4) + 1;

describeOnDatabases("a campaign on %s", ({ database }) => {
  /** Starts a campaign to seven people and crashes while the first three deliveries are in flight. */
  async function crashInFlight() {
    const campaign = await createTestCampaign(database, 7, { script: () => neverSettles });
    const { clock, campaignWorker, getStats, mailer } = campaign;
    const { victim, kill } = createMortalDatabase(database);
    const crashing = campaignWorker({ concurrency: 3, database: victim, setTimer: setImmediateTimer }).tick();
    await yieldUntil(() => mailer.received.length === 3);
    kill();
    await expect(crashing).rejects.toThrow("killed");
    expect(await getStats()).toMatchObject({ selected: 7, inFlight: 3, pending: 7 });
    mailer.script = () => accepted;
    clock.forward(SILENT);
    return campaign;
  }

  // R3
  it("continues within 5 s and repeats only what was in flight", async () => {
    const { mailer, campaignWorker, rows, getStats } = await crashInFlight();
    await campaignWorker({ concurrency: 3 }).tick();
    expect(mailer.recipients.slice(3).toSorted()).toEqual(people(7));
    for (const row of await rows()) {
      const sends = people(3).includes(row.address) ? 2 : 1;
      expect(row).toMatchObject({ state: "sent", attempts: sends });
      expect(mailer.countSends(row.message_id)).toBe(sends);
    }
    expect(new Set(mailer.received.map((email) => email.messageId)).size).toBe(7);
    expect(await getStats()).toMatchObject({ state: "finished", sent: 7 });
  });

  it("counts as sent what the mailer can prove it handed over, and does not repeat it", async () => {
    const { mailer, campaignWorker, rows, getStats } = await crashInFlight();
    const { messageId } = mailer.received[1]!;
    mailer.proofs.set(messageId, true);
    await campaignWorker().tick();
    expect(mailer.countSends(messageId)).toBe(1);
    expect((await rows())[1]).toMatchObject({ state: "sent", detail: "handed over before a crash" });
    expect(await getStats()).toMatchObject({ state: "finished", sent: 7 });
  });

  it("without RESEND_AFTER_CRASH leaves it to an operator", async () => {
    const { mailer, campaignWorker, outreach, getStats, campaignId } = await crashInFlight();
    // The mailer can prove that it did not hand over the third one.
    mailer.proofs.set(mailer.received[2]!.messageId, false);
    const sending = campaignWorker({ resendAfterCrash: false });
    await sending.tick();
    expect(await getStats()).toMatchObject({ state: "finished", sent: 5, uncertain: 2, pending: 0 });
    const [first = "", second = ""] = mailer.received.map((email) => email.messageId);
    const resent = { ok: true, changed: 2 };
    expect(await outreach.decideUncertain(campaignId, "resend", operator)).toEqual(resent);
    expect(await getStats()).toMatchObject({ state: "sending", sent: 5, pending: 2, uncertain: 0 });
    await sending.tick();
    expect(await getStats()).toMatchObject({ state: "finished", sent: 7 });
    expect([first, second].map((messageId) => mailer.countSends(messageId))).toEqual([2, 2]);
  });

  it("repeats nothing once it is cancelled: an operator may only count it as sent", async () => {
    const { mailer, campaignWorker, outreach, getStats, campaignId } = await crashInFlight();
    await outreach.cancel(campaignId, operator);
    await campaignWorker().tick();
    expect(mailer.received).toHaveLength(3);
    expect(await getStats()).toMatchObject({ state: "cancelled", uncertain: 3, skipped: 4, pending: 0 });
    const refusal = { ok: false, error: "cancelled" };
    expect(await outreach.decideUncertain(campaignId, "resend", operator)).toEqual(refusal);
    const changed = { ok: true, changed: 3 };
    expect(await outreach.decideUncertain(campaignId, "count-as-sent", operator)).toEqual(changed);
    expect(await getStats()).toMatchObject({ state: "cancelled", sent: 3, skipped: 4 });
  });

  // R32
  it("resends what was in flight at a crash once", async () => {
    const campaign = await createTestCampaign(database, 2);
    const { clock, mailer, campaignWorker, campaignId, getStats, rows, outreach } = campaign;
    mailer.script = ({ to }) => (to.address === "person1@example.com" ? neverSettles : accepted);
    const countCopies = () => mailer.recipients.filter((to) => to === "person1@example.com").length;
    for (let crash = 1; crash <= 2; crash += 1) {
      const { victim, kill } = createMortalDatabase(database);
      const crashing = campaignWorker({ database: victim, setTimer: setImmediateTimer }).tick();
      await yieldUntil(() => countCopies() === crash);
      await yieldUntil(async () => (await rows())[1]?.state === "sent");
      kill();
      await expect(crashing).rejects.toThrow("killed");
      clock.forward(SILENT);
    }
    mailer.script = () => accepted;
    await campaignWorker().tick();
    expect(countCopies()).toBe(2);
    expect(await rows()).toMatchObject([{ state: "uncertain", attempts: 2 }, { state: "sent" }]);
    expect(await getStats()).toMatchObject({ state: "finished", sent: 1, uncertain: 1 });
    // An operator's resend starts over.
    await outreach.decideUncertain(campaignId, "resend", operator);
    expect((await rows())[0]).toMatchObject({ state: "pending", attempts: 0, resent_after_crash: 0 });
  });

  // R3
  it.each(MOMENTS)("killed %s a write skips nobody and repeats only those in flight", async (moment) => {
    await signUp(database, people(23));
    await suppress(database, "person7@example.com");
    const concurrency = 5;
    let died = 0;
    for (let deathAt = 1; died === deathAt - 1; deathAt += 1) {
      const { clock, mailer, campaignWorker, confirmed, getStats, rows } = createTestOutreach(
        database,
        ({ to }) => (to.address === "person3@example.com" ? refused : accepted),
      );
      await database.write((trx) => trx.deleteFrom("suppressions").where("reason", "=", "refused").execute());
      const campaignId = await confirmed();
      const { victim } = createMortalDatabase(database, { atWrite: deathAt, moment });
      await campaignWorker({ concurrency, database: victim })
        .tick()
        .catch(() => (died += 1));
      await getStats(campaignId);
      clock.forward(SILENT);
      await campaignWorker({ concurrency }).tick();
      const stats = await getStats(campaignId);
      expect(stats).toMatchObject({ state: "finished", selected: 23, sent: 21, failed: 1, skipped: 1 });
      expect(new Set(mailer.recipients).size).toBe(22);
      expect(mailer.received.length - 22).toBeLessThanOrEqual(concurrency);
      const idsByAddress = new Map((await rows(campaignId)).map((row) => [row.address, row.message_id]));
      for (const email of mailer.received) expect(email.messageId).toBe(idsByAddress.get(email.to.address));
    }
    // The check for orphans, the snapshot and at least five claims.
    expect(died).toBeGreaterThanOrEqual(7);
  });

  it("continues the snapshot where a crash interrupted it", async () => {
    const { clock, mailer, campaignWorker, getStats } = await createTestCampaign(database, 2500);
    // The first write checks for orphans, the second for rows, the third copies a piece, the fourth claims of it.
    const { victim } = createMortalDatabase(database, { atWrite: 5, moment: "before" });
    await expect(campaignWorker({ database: victim }).tick()).rejects.toThrow("killed");
    const { state, selected } = await getStats();
    expect(state).toBe("preparing");
    expect(selected).toBeGreaterThan(0);
    expect(selected).toBeLessThan(2500);
    expect(mailer.received).toHaveLength(10);
    await signUp(database, ["too-late@example.com"]);
    clock.forward(SILENT);
    await campaignWorker({ concurrency: 500 }).tick();
    expect(await getStats()).toMatchObject({ state: "finished", selected: 2500, sent: 2500 });
    // Those in flight at the crash are sent again.
    expect(mailer.recipients.slice(10).toSorted()).toEqual(people(2500).toSorted());
  });
});
