import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours, minutes, seconds } from "~/lib/durations";
import type { MailOutcome } from "~/services/mail/mailer";
import { getCampaignStats } from "~/services/outreach/campaign-stats.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { dialects } from "../databases";
import { createTestOutreach, people, signUp } from "../factories/outreach";
import { accepted, deferred, refused, scriptByAddress, unknown } from "../fakes/scripted-mailer";
import { plansOf } from "./plans-of";
import { useDatabase } from "./use-database";

const LADDER = [minutes(10), minutes(15), minutes(30), hours(1), hours(2), hours(4)];

describe.each(dialects)("sending on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it("retries a temporary refusal after 10, 15, 30 minutes, 1, 2 and 4 hours, then fails (R9)", async () => {
    await signUp(database, people(2));
    const { clock, confirmed, dispatcher, mailer, rows, getStats } = createTestOutreach(
      database,
      scriptByAddress({ "person1@example.com": deferred }),
    );
    const campaignId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    for (const [index, wait] of LADDER.entries()) {
      expect((await rows(campaignId))[0]).toMatchObject({
        state: "retrying",
        attempts: index + 1,
        not_before: clock() + wait,
        detail: "451 try again later",
      });
      const nextAttemptAt = clock() + wait;
      const retrying = { state: "sending", sent: 1, pending: 1, retrying: 1, nextAttemptAt };
      expect(await getStats(campaignId)).toMatchObject(retrying);
      clock.forward(wait - 1);
      await sending.tick();
      expect(mailer.received).toHaveLength(index + 2);
      clock.forward(1);
      await sending.tick();
      expect(mailer.received).toHaveLength(index + 3);
    }
    expect((await rows(campaignId))[0]).toMatchObject({ state: "failed", attempts: 7 });
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 1, failed: 1 });
    expect(mailer.countSends((await rows(campaignId))[0]!.message_id)).toBe(7);
  });

  it("names the first of the next attempts from the index, and only while nothing else is left", async () => {
    await signUp(database, people(3));
    const { clock, confirmed, dispatcher, rows, getStats } = createTestOutreach(database, () => deferred);
    const campaignId = await confirmed();
    const sending = dispatcher({ concurrency: 1, rate: new TokenBucket(1, clock()) });
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({ retrying: 1, pending: 3, nextAttemptAt: undefined });
    clock.forward(seconds(1));
    await sending.tick();
    clock.forward(seconds(1));
    await sending.tick();
    const times = (await rows(campaignId)).map((row) => row.not_before);
    expect(new Set(times).size).toBe(3);
    expect(await getStats(campaignId)).toMatchObject({ retrying: 3, nextAttemptAt: Math.min(...times) });
    const plans = await plansOf(database, ({ read }) => getCampaignStats(read, campaignId));
    expect(plans.join("\n")).toContain("deliveries_due");
  });

  it("counts the tries exactly when a server answers 451 twice and then 250 (R9)", async () => {
    await signUp(database, people(1));
    const { clock, confirmed, dispatcher, rows, getStats } = createTestOutreach(database, (_, time) =>
      time < 3 ? deferred : accepted,
    );
    const campaignId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    clock.forward(minutes(10));
    await sending.tick();
    clock.forward(minutes(15));
    await sending.tick();
    expect((await rows(campaignId))[0]).toMatchObject({ state: "sent", attempts: 3 });
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 1 });
  });

  it("tries what is due again before what was never tried", async () => {
    await signUp(database, people(3));
    const { clock, confirmed, dispatcher, mailer, outreach } = createTestOutreach(database);
    const by = { by: "a", network: "", requestId: "" };
    const campaignId = await confirmed();
    mailer.script = async (_, time) => {
      if (mailer.received.length > 1) return accepted;
      await outreach.pause(campaignId, by);
      return time === 1 ? deferred : accepted;
    };
    const sending = dispatcher({ concurrency: 1 });
    await sending.tick();
    clock.forward(minutes(10));
    await outreach.resume(campaignId, by);
    await sending.tick();
    expect(mailer.recipients).toEqual([1, 1, 2, 3].map((number) => `person${number}@example.com`));
  });

  it.each<[string, MailOutcome & { kind: "refused" }, boolean]>([
    ["550 without more", { kind: "refused", code: 550, detail: "550 no such user" }, true],
    ["551", { kind: "refused", code: 551, detail: "551 user not local" }, true],
    ["553", { kind: "refused", code: 553, detail: "553 mailbox name not allowed" }, true],
    ["5.1.1, whatever its code", { kind: "refused", code: 554, detail: "554 5.1.1 unknown recipient" }, true],
    ["a disabled mailbox", { kind: "refused", code: 550, detail: "550 5.2.1 mailbox disabled" }, true],
    ["a full mailbox", { kind: "refused", code: 552, detail: "552 5.2.2 mailbox full" }, false],
    ["a spam verdict", { kind: "refused", code: 554, detail: "554 looks like spam" }, false],
    ["a policy in a 550", { kind: "refused", code: 550, detail: "550 5.7.1 blocked by policy" }, false],
    [
      "a fault of our sender",
      { kind: "refused", code: 553, detail: "553 5.1.8 sender domain unknown" },
      false,
    ],
  ])(
    "fails at once on a permanent refusal and suppresses the address only if it is at fault: %s (R9)",
    async (_, outcome, suppresses) => {
      await signUp(database, people(2));
      const { confirmed, dispatcher, mailer, rows, getStats } = createTestOutreach(
        database,
        scriptByAddress({ "person1@example.com": outcome }),
      );
      const campaignId = await confirmed();
      await dispatcher().tick();
      const [row] = await rows(campaignId);
      expect(row).toMatchObject({ state: "failed", attempts: 1, detail: outcome.detail });
      expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 1, failed: 1 });
      const suppressions = await database.read.selectFrom("suppressions").selectAll().execute();
      const expected = { email_key: "person1@example.com", reason: "refused", delivery_id: row?.id };
      expect(suppressions).toMatchObject(suppresses ? [expected] : []);

      // The next send: a suppressed address gets nothing (C20).
      const next = await confirmed();
      mailer.script = () => accepted;
      await dispatcher().tick();
      expect(await getStats(next)).toMatchObject(
        suppresses ? { sent: 1, skippedByReason: { suppressed: 1 } } : { sent: 2 },
      );
    },
  );

  it("takes the same refused address out twice at once without trouble", async () => {
    await signUp(database, people(1));
    const { confirmed, dispatcher, getStats } = createTestOutreach(database, () => refused);
    const campaignIds = [await confirmed(), await confirmed()];
    await dispatcher().tick();
    for (const campaignId of campaignIds)
      expect(await getStats(campaignId)).toMatchObject({ state: "finished", failed: 1 });
  });

  it("leaves a mail of unknown outcome to an operator at once, and never sends it again by itself (R8, R32)", async () => {
    await signUp(database, people(2));
    const { clock, confirmed, dispatcher, mailer, rows, getStats } = createTestOutreach(
      database,
      scriptByAddress({ "person1@example.com": unknown }),
    );
    const campaignId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    expect(await rows(campaignId)).toMatchObject([
      { state: "uncertain", attempts: 1, detail: "connection lost after the message" },
      { state: "sent" },
    ]);
    for (const wait of [seconds(5), ...LADDER, hours(24)]) {
      clock.forward(wait);
      await sending.tick();
    }
    expect(mailer.received).toHaveLength(2);
    // What only a person can decide does not hold the campaign open.
    expect(await getStats(campaignId)).toMatchObject({
      state: "finished",
      sent: 1,
      uncertain: 1,
      pending: 0,
    });
  });

  it("waits longer each time for a mail server that never answers, instead of using up the audience (R8, R32)", async () => {
    await signUp(database, people(20));
    const { clock, confirmed, dispatcher, mailer, getStats } = createTestOutreach(database, () => unknown);
    const campaignId = await confirmed();
    const sending = dispatcher({ concurrency: 2 });
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({ uncertain: 2, pending: 18, trouble: unknown.detail });
    for (const wait of [5, 10, 20].map(seconds)) {
      const sent = mailer.received.length;
      clock.forward(wait - 1);
      await sending.tick();
      expect(mailer.received).toHaveLength(sent);
      clock.forward(1);
      await sending.tick();
      expect(mailer.received).toHaveLength(sent + 2);
    }
    mailer.script = () => accepted;
    clock.forward(seconds(40));
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({
      state: "finished",
      sent: 12,
      uncertain: 8,
      trouble: "",
    });
  });
});
