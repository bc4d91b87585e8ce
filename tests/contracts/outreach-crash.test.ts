import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes, seconds } from "~/lib/durations";
import type { MailOutcome } from "~/services/mail/mailer";
import { dialects } from "../databases";
import { crashInFlight } from "../factories/crashed-outreach";
import {
  createManualSleep,
  operator,
  createTestOutreach,
  people,
  signUp,
  setImmediateTimer,
  suppress,
  waitUntil,
} from "../factories/outreach";
import { createMortalDatabase } from "../factories/mortal-database";
import { accepted, refused, neverSettles } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

/**
 * A crash is a dispatcher that is left alone in the middle of its work: it never hears of what is in flight and never
 * writes again. The next one begins on the same database at the same moment.
 */
describe.each(dialects)("outreach after a crash on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it("goes on at once, repeats only what was in flight, and with the same Message-ID (R3)", async () => {
    const { mailer, dispatcher, rows, getStats, campaignId } = await crashInFlight(database);
    const before = mailer.received.map((mail) => mail.messageId);
    await dispatcher({ concurrency: 3 }).tick();
    expect(mailer.recipients.slice(3).toSorted()).toEqual(people(7));
    for (const row of await rows(campaignId)) {
      const repeated = people(3).includes(row.address);
      expect(row).toMatchObject({ state: "sent", attempts: repeated ? 2 : 1 });
      expect(mailer.countSends(row.message_id)).toBe(repeated ? 2 : 1);
    }
    expect(new Set(mailer.received.map((mail) => mail.messageId)).size).toBe(7);
    expect(new Set(before).size).toBe(3);
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 7 });
  });

  it("counts as sent what the mailer can prove, and does not repeat it", async () => {
    const { mailer, dispatcher, rows, getStats, campaignId } = await crashInFlight(database);
    mailer.proofs.set(mailer.received[1]!.messageId, true);
    await dispatcher().tick();
    expect(mailer.countSends(mailer.received[1]!.messageId)).toBe(1);
    expect((await rows(campaignId))[1]).toMatchObject({
      state: "sent",
      detail: "handed over before a crash",
    });
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 7 });
  });

  it("repeats nothing that may have arrived when it must not, until an admin decides", async () => {
    const { mailer, dispatcher, outreach, getStats, states, campaignId } = await crashInFlight(database);
    // The mailer can prove of the third that it never took it.
    mailer.proofs.set(mailer.received[2]!.messageId, false);
    const sending = dispatcher({ resendAfterCrash: false });
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({
      state: "finished",
      sent: 5,
      uncertain: 2,
      pending: 0,
    });
    const [first, second] = mailer.received.slice(0, 2).map((mail) => mail.messageId);
    const idOf = (messageId = "") => messageId.slice(1, messageId.indexOf("@"));
    expect(await outreach.decideUncertain(campaignId, "resend", operator, idOf(first))).toEqual({
      ok: true,
      changed: 1,
    });
    expect(await outreach.decideUncertain(campaignId, "count-as-sent", operator, idOf(second))).toEqual({
      ok: true,
      changed: 1,
    });
    expect(await getStats(campaignId)).toMatchObject({ state: "sending", sent: 6, pending: 1, uncertain: 0 });
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 7 });
    expect([first, second].map((messageId) => mailer.countSends(messageId ?? ""))).toEqual([2, 1]);
    expect(new Set(Object.values(await states(campaignId)))).toEqual(new Set(["sent"]));
  });

  it("does not repeat a mail of a cancelled send to make sure: an admin may count it as sent", async () => {
    const { mailer, dispatcher, outreach, getStats, campaignId } = await crashInFlight(database);
    await outreach.cancel(campaignId, operator);
    await dispatcher().tick();
    expect(mailer.received).toHaveLength(3);
    expect(await getStats(campaignId)).toMatchObject({
      state: "cancelled",
      uncertain: 3,
      skipped: 4,
      pending: 0,
    });
    expect(await outreach.decideUncertain(campaignId, "resend", operator)).toEqual({
      ok: false,
      error: "cancelled",
    });
    expect(await outreach.decideUncertain(campaignId, "count-as-sent", operator)).toEqual({
      ok: true,
      changed: 3,
    });
    expect(await getStats(campaignId)).toMatchObject({ state: "cancelled", sent: 3, skipped: 4 });
  });

  it("sends again once what was in flight at a crash, and leaves it to an operator after the next one (R32)", async () => {
    await signUp(database, people(2));
    const { mailer, dispatcher, confirmed, getStats, rows, outreach } = createTestOutreach(database);
    const campaignId = await confirmed();
    const copies = () => mailer.recipients.filter((to) => to === "person1@example.com").length;
    mailer.script = ({ to }) => (to.address === "person1@example.com" ? neverSettles : accepted);
    for (let crash = 1; crash <= 2; crash += 1) {
      const { victim, kill } = createMortalDatabase(database);
      const crashing = dispatcher({ database: victim, setTimer: setImmediateTimer }).tick();
      await waitUntil(() => copies() === crash);
      await waitUntil(async () => (await rows(campaignId))[1]?.state === "sent");
      kill();
      await expect(crashing).rejects.toThrow("killed");
    }
    mailer.script = () => accepted;
    await dispatcher().tick();
    expect(copies()).toBe(2);
    expect(await rows(campaignId)).toMatchObject([{ state: "uncertain", attempts: 2 }, { state: "sent" }]);
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 1, uncertain: 1 });
    // What an operator sends again begins as if it had never been tried.
    await outreach.decideUncertain(campaignId, "resend", operator);
    expect((await rows(campaignId))[0]).toMatchObject({
      state: "pending",
      attempts: 0,
      resent_after_crash: 0,
    });
  });

  it("does not wait at a stop for a mail server that has the message and does not answer (R21, R32)", async () => {
    await signUp(database, people(3));
    const { mailer, dispatcher, confirmed, getStats, rows } = createTestOutreach(
      database,
      () => neverSettles,
    );
    const campaignId = await confirmed();
    let elapsed = 0;
    const alarms = createManualSleep();
    const sending = dispatcher({ concurrency: 1, setTimer: alarms.setTimer, elapsed: () => elapsed });
    sending.start();
    await waitUntil(() => mailer.received.length === 1 && alarms.asked.length === 1);
    let isStopped = false;
    const stopping = sending.stop().then(() => (isStopped = true));
    await waitUntil(() => alarms.asked.length === 2);
    elapsed = seconds(3) - 1;
    await alarms.fire();
    await waitUntil(() => alarms.asked.length === 3);
    expect([alarms.asked.at(-1), isStopped]).toEqual([1, false]);
    elapsed = seconds(3);
    await alarms.fire();
    await stopping;
    // As a crash would have left it.
    expect(await rows(campaignId)).toMatchObject([
      { state: "claimed" },
      { state: "pending" },
      { state: "pending" },
    ]);

    mailer.script = () => accepted;
    await dispatcher().tick();
    expect(mailer.recipients).toEqual([
      "person1@example.com",
      "person1@example.com",
      "person2@example.com",
      "person3@example.com",
    ]);
    expect(mailer.received[1]?.messageId).toBe(mailer.received[0]?.messageId);
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 3 });
  });

  it.each(["before", "after"] as const)(
    "skips nobody and repeats at most what was in flight, whichever write the process dies %s (R3)",
    async (moment) => {
      const audience = people(23);
      await signUp(database, audience);
      await suppress(database, "person7@example.com");
      const concurrency = 5;
      let died = 0;
      for (let deathAt = 1; died === deathAt - 1; deathAt += 1) {
        const { mailer, dispatcher, confirmed, getStats, rows } = createTestOutreach(database, ({ to }) =>
          to.address === "person3@example.com" ? refused : accepted,
        );
        await database.write((trx) =>
          trx.deleteFrom("suppressions").where("reason", "=", "refused").execute(),
        );
        const campaignId = await confirmed();
        const { victim } = createMortalDatabase(database, { atWrite: deathAt, moment });
        await dispatcher({ concurrency, database: victim })
          .tick()
          .catch(() => (died += 1));
        await getStats(campaignId);
        await dispatcher({ concurrency }).tick();
        expect(await getStats(campaignId)).toMatchObject({
          state: "finished",
          selected: 23,
          sent: 21,
          failed: 1,
          skipped: 1,
        });
        expect(new Set(mailer.recipients).size).toBe(22);
        expect(mailer.received.length - 22).toBeLessThanOrEqual(concurrency);
        const idsOf = new Map((await rows(campaignId)).map((row) => [row.address, row.message_id]));
        for (const mail of mailer.received) expect(mail.messageId).toBe(idsOf.get(mail.to.address));
      }
      // Look for orphans, freeze and five rounds at least.
      expect(died).toBeGreaterThanOrEqual(7);
    },
  );

  it("goes on freezing the audience where it was interrupted, and mails go meanwhile, each once", async () => {
    const audience = people(2500);
    await signUp(database, audience);
    const { mailer, dispatcher, confirmed, getStats, outreach } = createTestOutreach(database);
    const campaignId = await confirmed();
    // The first write looks for orphans, the second for rows, the third freezes a piece, the fourth claims of it.
    const { victim } = createMortalDatabase(database, { atWrite: 5, moment: "before" });
    await expect(dispatcher({ database: victim }).tick()).rejects.toThrow("killed");
    const half = await getStats(campaignId);
    expect(half.state).toBe("preparing");
    expect(half.selected).toBeGreaterThan(0);
    expect(half.selected).toBeLessThan(2500);
    expect(mailer.received).toHaveLength(10);
    await signUp(database, ["too-late@example.com"]);
    await dispatcher({ concurrency: 500 }).tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", selected: 2500, sent: 2500 });
    // What was in flight at the crash goes again.
    expect(mailer.recipients.slice(10).toSorted()).toEqual(audience.toSorted());
    expect((await outreach.findCampaign(campaignId))?.state).toBe("finished");
  });

  it("takes back a claim whose commit was not heard of, once its lease ran out, without a restart", async () => {
    await signUp(database, people(9));
    const { clock, mailer, dispatcher, confirmed, getStats } = createTestOutreach(database);
    const campaignId = await confirmed();
    let failing = false;
    const deaf: Database = {
      ...database,
      write: async (work) => {
        const value = await database.write(work);
        const claimed = await database.read
          .selectFrom("deliveries")
          .select("id")
          .where("state", "=", "claimed")
          .execute();
        if (!failing && claimed.length > 0) {
          failing = true;
          throw new Error("connection lost at commit");
        }
        return value;
      },
    };
    const sending = dispatcher({ database: deaf, concurrency: 4 });
    await expect(sending.tick()).rejects.toThrow("connection lost");
    await sending.tick();
    expect(mailer.received).toHaveLength(5);
    expect(await getStats(campaignId)).toMatchObject({ state: "sending", sent: 5, inFlight: 4 });
    clock.forward(seconds(35));
    await sending.tick();
    expect(mailer.recipients.toSorted()).toEqual(people(9));
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 9 });
  });

  it("does not take its own mails in flight for orphans, even when the process stood still between two steps", async () => {
    await signUp(database, people(1));
    let release: (outcome: MailOutcome) => void = () => undefined;
    const slow = new Promise<MailOutcome>((resolve) => (release = resolve));
    const { clock, mailer, dispatcher, confirmed, getStats } = createTestOutreach(database, () => slow);
    const campaignId = await confirmed();
    let standsStill = false;
    const stalled: Database = {
      ...database,
      write: async (work) => {
        const value = await database.write(work);
        // Right after it has renewed its leases.
        if (standsStill) clock.forward(minutes(1));
        standsStill = false;
        return value;
      },
    };
    const alarms = createManualSleep();
    const sending = dispatcher({ database: stalled, setTimer: alarms.setTimer });
    sending.start();
    await waitUntil(() => mailer.received.length === 1 && alarms.asked.length > 0);
    standsStill = true;
    clock.forward(seconds(10));
    const sleeps = alarms.asked.length;
    await alarms.fire();
    await waitUntil(() => alarms.asked.length > sleeps);
    expect(standsStill).toBe(false);
    expect(await getStats(campaignId)).toMatchObject({ inFlight: 1 });
    release(accepted);
    await sending.stop();
    expect(mailer.received).toHaveLength(1);
    expect(await getStats(campaignId)).toMatchObject({ sent: 1 });
  });
});
