import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours, minutes, seconds } from "~/lib/durations";
import { getCampaignStats } from "~/services/outreach/campaign-stats.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { newId } from "~/services/service-deps";
import { unsubscribe } from "~/services/suppressions/suppressions.server";
import {
  createLateOutcome,
  createManualSleep,
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
  unauthorized,
  unknown,
  unreachable,
  type Script,
} from "../fakes/scripted-mailer";
import { yieldUntil } from "../wait-until";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("the delivery of a campaign on %s", ({ database }) => {
  const createCampaign = (recipients: number | readonly string[], settings?: CampaignSettings) =>
    createTestCampaign(database, recipients, settings);
  const listSuppressed = async () => {
    const rows = database.read.selectFrom("suppressions").select("email_key");
    return (await rows.execute()).map((row) => row.email_key).toSorted();
  };
  const spam = { kind: "refused", code: 554, detail: "554 looks like spam" } as const;

  it("skips an address that unsubscribes meanwhile, and one that was refused before", async () => {
    await suppress(database, "person2@example.com", "refused");
    const { tick, mailer, rows, states, getStats } = await createCampaign(5, { concurrency: 1 });
    mailer.script = async ({ to }) => {
      const fourth = (await rows()).find((row) => row.address === "person4@example.com")!;
      if (to.address === "person3@example.com")
        await unsubscribe({ database, newId, clock: () => 1 }, fourth.id);
      return accepted;
    };
    await tick();
    expect(mailer.recipients).toEqual(["person1@example.com", "person3@example.com", "person5@example.com"]);
    const skipped = { "person2@example.com": "skipped", "person4@example.com": "skipped" };
    expect(await states()).toMatchObject(skipped);
    const skippedByReason = { unsubscribed: 1, suppressed: 1 };
    expect(await getStats()).toMatchObject({ state: "finished", sent: 3, skipped: 2, skippedByReason });
  });

  // C19
  it("skips an address that is not plainly one address, and sends it nothing", async () => {
    const { tick, mailer, getStats } = await createCampaign([
      "a@x.example, e@x.example",
      "a@x.example\r\nBcc: e@x.example",
      '"u@g x"@h.example',
      "nobody",
      "fine@example.com",
    ]);
    await tick();
    expect(mailer.recipients).toEqual(["fine@example.com"]);
    expect(await getStats()).toMatchObject({ sent: 1, skipped: 4, skippedByReason: { invalid: 4 } });
  });

  it("stores the mail server's reply as one line", async () => {
    const detail = "\r\n250 OK\r\n\u0000queued   as 4F2" + "x".repeat(600);
    const { tick, rows } = await createCampaign(1, { script: () => ({ kind: "accepted", detail }) });
    await tick();
    const [row] = await rows();
    expect(row).toMatchObject({ state: "sent", attempts: 1, lease_owner: "", lease_until: 0 });
    expect(row?.detail).toMatch(/^250 OK queued as 4F2xxx/);
    expect(row?.detail).toHaveLength(500);
  });

  // R27
  it("starts while its audience is still being copied, and the totals add up meanwhile", async () => {
    const { tick, mailer, outreach, campaignId, getStats } = await createCampaign(1200, { concurrency: 200 });
    let meanwhile: Awaited<ReturnType<typeof getStats>> | undefined;
    mailer.script = async () => {
      meanwhile ??= await outreach.getStats(campaignId);
      return accepted;
    };
    await tick();
    expect(meanwhile).toMatchObject({ state: "preparing", inFlight: 200, pending: meanwhile?.selected });
    expect(meanwhile?.selected).toBeLessThan(1200);
    expect(await getStats()).toMatchObject({ state: "finished", selected: 1200, sent: 1200 });
    expect(mailer.recipients).toEqual(people(1200));
  });

  // R28
  it("fails an email that cannot be composed or handed over, and sends the others", async () => {
    const lineBreak = new TypeError("subject must not contain a line break");
    const script = scriptByAddress({ "person3@example.com": lineBreak });
    const { campaignWorker, mailer, rows, getStats } = await createCampaign(4, { script });
    const sending = campaignWorker({
      compose:
        () =>
        ({ recipient, messageId, sender }) => {
          if (recipient.address === "person2@example.com") throw new Error("no template for this one");
          return { messageId, from: sender, to: recipient, subject: "", text: "", html: "", headers: {} };
        },
    });
    await sending.tick();
    expect((await rows()).map(({ state, detail }) => [state, detail])).toEqual([
      ["sent", "250 OK"],
      ["failed", "no template for this one"],
      ["failed", "subject must not contain a line break"],
      ["sent", "250 OK"],
    ]);
    expect(mailer.recipients).not.toContain("person2@example.com");
    expect(await getStats()).toMatchObject({ state: "finished", sent: 2, failed: 2 });
  });

  it("alternates with that of another campaign", async () => {
    await signUp(database, people(3));
    const { confirmed, campaignWorker, mailer, getStats } = createTestOutreach(database);
    const campaignIds = [await confirmed({ title: "A" }), await confirmed({ title: "B" })];
    await campaignWorker({ concurrency: 1 }).tick();
    expect(mailer.received.map((email) => email.subject).join("")).toMatch(/^(ABABAB|BABABA)$/);
    for (const campaignId of campaignIds)
      expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 3 });
  });

  it("shares the concurrency with that of another campaign", async () => {
    await signUp(database, people(2));
    await signUp(database, people(2), { kind: "updates-signup" });
    const { outcome, release } = createLateOutcome();
    const { confirmed, campaignWorker, mailer } = createTestOutreach(database, () => outcome);
    const campaignIds = [await confirmed(), await confirmed({ audience: "updates-signup" })];
    const ticking = campaignWorker({ concurrency: 3 }).tick();
    await yieldUntil(() => mailer.received.length >= 3);
    const claimed = database.read.selectFrom("deliveries").where("state", "=", "claimed").selectAll();
    const inFlight = (await claimed.execute()).map((row) => row.campaign_id);
    expect([inFlight.length, new Set(inFlight)]).toEqual([3, new Set(campaignIds)]);
    release(accepted);
    await ticking;
    expect(mailer.received).toHaveLength(4);
  });

  it("sends each email of two campaigns its own content, also when one begins later", async () => {
    await signUp(database, people(6));
    await signUp(database, ["late@example.com"], { kind: "updates-signup" });
    const { confirmed, campaignWorker, mailer } = createTestOutreach(database);
    let later: Promise<string> | undefined;
    mailer.script = async () => {
      later ??= confirmed({ audience: "updates-signup", title: "B" });
      await later;
      return accepted;
    };
    await confirmed({ title: "A" });
    await campaignWorker({ concurrency: 2 }).tick();
    const sent = mailer.received.map(({ to, subject }) => `${to.address} ${subject}`);
    const expected = [...people(6).map((address) => `${address} A`), "late@example.com B"];
    expect(sent.toSorted()).toEqual(expected.toSorted());
  });

  it("begins with the confirmation, without waiting for the worker's next look", async () => {
    await signUp(database, people(2));
    const { confirmed, campaignWorker, mailer } = createTestOutreach(database);
    const { delays, setTimer } = createManualSleep();
    const sending = campaignWorker({ setTimer });
    sending.start();
    await yieldUntil(() => delays.length === 1);
    await confirmed();
    await yieldUntil(() => mailer.received.length === 2);
    expect(delays[0]).toBe(seconds(1));
    await sending.stop();
  });

  describe("after a temporary refusal", () => {
    const RETRY_DELAYS = [minutes(10), minutes(15), minutes(30), hours(1), hours(2), hours(4)];

    // R9
    it("retries after 10, 15, 30 minutes, 1, 2 and 4 hours, then fails", async () => {
      const script = scriptByAddress({ "person1@example.com": deferred });
      const { clock, tick, mailer, rows, getStats } = await createCampaign(2, { script });
      await tick();
      for (const [index, wait] of RETRY_DELAYS.entries()) {
        const nextAttemptAt = clock() + wait;
        const next = { state: "retrying", attempts: index + 1, not_before: nextAttemptAt };
        expect((await rows())[0]).toMatchObject({ ...next, detail: deferred.detail });
        const retrying = { state: "sending", sent: 1, pending: 1, retrying: 1, nextAttemptAt };
        expect(await getStats()).toMatchObject(retrying);
        clock.forward(wait - 1);
        await tick();
        expect(mailer.received).toHaveLength(index + 2);
        clock.forward(1);
        await tick();
        expect(mailer.received).toHaveLength(index + 3);
      }
      const [row] = await rows();
      expect(row).toMatchObject({ state: "failed", attempts: 7 });
      expect(mailer.countSends(row!.message_id)).toBe(7);
      expect(await getStats()).toMatchObject({ state: "finished", sent: 1, failed: 1 });
    });

    it("writes nothing until the next attempt is due", async () => {
      const { clock, campaignWorker, tick, mailer } = await createCampaign(1, { script: () => deferred });
      await tick();
      let writes = 0;
      const write: Database["write"] = (work) => {
        writes += 1;
        return database.write(work);
      };
      const worker = campaignWorker({ database: { ...database, write } });
      // The first step looks for what a crash has left.
      await worker.tick();
      writes = 0;
      await worker.tick();
      expect(writes).toBe(0);
      clock.forward(minutes(10));
      await worker.tick();
      expect(mailer.received).toHaveLength(2);
    });

    it("returns the first of the next attempts from the index", async () => {
      const { clock, campaignId, campaignWorker, rows, getStats } = await createCampaign(3, {
        script: () => deferred,
      });
      const sending = campaignWorker({ concurrency: 1, rate: new TokenBucket(1, clock()) });
      await sending.tick();
      expect(await getStats()).toMatchObject({ retrying: 1, pending: 3, nextAttemptAt: undefined });
      for (let second = 0; second < 2; second += 1) {
        clock.forward(seconds(1));
        await sending.tick();
      }
      const times = (await rows()).map((row) => row.not_before);
      expect(new Set(times).size).toBe(3);
      expect(await getStats()).toMatchObject({ retrying: 3, nextAttemptAt: Math.min(...times) });
      const plans = await getPlans(database, ({ read }) => getCampaignStats(read, campaignId));
      expect(plans.join("\n")).toContain("deliveries_due");
    });

    it("sends due retries before first attempts", async () => {
      const { clock, campaignId, tick, mailer, outreach } = await createCampaign(3, { concurrency: 1 });
      mailer.script = async (_, time) => {
        if (mailer.received.length > 1) return accepted;
        await outreach.pause(campaignId, operator);
        return time === 1 ? deferred : accepted;
      };
      await tick();
      clock.forward(minutes(10));
      await outreach.resume(campaignId, operator);
      await tick();
      expect(mailer.recipients).toEqual([1, 1, 2, 3].map((number) => `person${number}@example.com`));
    });
  });

  describe("after a permanent refusal", () => {
    // R9, C20
    it.each([
      ["suppresses an address that is at fault", refused, ["person1@example.com"]],
      ["suppresses no address for a verdict on the email", spam, []],
    ])("fails at once and %s", async (_, outcome, suppressed) => {
      const script = scriptByAddress({ "person1@example.com": outcome });
      const { confirmed, tick, mailer, outreach, rows, getStats } = await createCampaign(2, { script });
      await tick();
      const [row] = await rows();
      expect(row).toMatchObject({ state: "failed", attempts: 1, detail: outcome.detail });
      expect(await getStats()).toMatchObject({ state: "finished", sent: 1, failed: 1 });
      const suppressions = await database.read.selectFrom("suppressions").selectAll().execute();
      expect(suppressions).toMatchObject(
        suppressed.map((email_key) => ({ email_key, reason: "refused", delivery_id: row?.id })),
      );

      mailer.script = () => accepted;
      const next = await confirmed();
      await tick();
      expect(await outreach.getStats(next)).toMatchObject({
        sent: 2 - suppressed.length,
        skipped: suppressed.length,
      });
    });

    it("suppresses an address once that two campaigns refuse at the same time", async () => {
      await signUp(database, people(1));
      const { confirmed, campaignWorker, getStats } = createTestOutreach(database, () => refused);
      const campaignIds = [await confirmed(), await confirmed()];
      await campaignWorker().tick();
      for (const campaignId of campaignIds)
        expect(await getStats(campaignId)).toMatchObject({ state: "finished", failed: 1 });
      expect(await listSuppressed()).toEqual(["person1@example.com"]);
    });
  });

  describe("through a mail server that refuses nearly everybody", () => {
    // A relay without its directory: no reply blames us, and none has a status.
    const blocked = { kind: "refused", code: 550, detail: "550 unknown user", part: "recipient" } as const;

    // C20
    it("pauses with the server's reply and suppresses nobody else", async () => {
      const script: Script = ({ to }) => (to.address === "person3@example.com" ? refused : blocked);
      const campaign = await createCampaign(60, { script, concurrency: 4 });
      const { campaignId, tick, mailer, outreach, getHoldReason, getStats } = campaign;
      await tick();
      const { failed, ...stopped } = await getStats();
      expect(stopped).toMatchObject({ state: "paused", sent: 0, inFlight: 0 });
      expect(failed).toBeGreaterThanOrEqual(20);
      expect(failed).toBeLessThan(20 + 4 + 4);
      expect(await getHoldReason()).toEqual({
        for: "refusals",
        serverMessage: blocked.detail,
        refused: expect.toSatisfy((count: number) => count >= 20 && count <= 25),
      });
      // Its reply has an enhanced status about the address: 5.1.1.
      expect(await listSuppressed()).toEqual(["person3@example.com"]);
      await tick();
      expect(mailer.received).toHaveLength(failed);

      mailer.script = () => accepted;
      const retry = await outreach.retryFailed(campaignId, operator);
      expect(retry).toEqual({ ok: true, changed: failed - 1, suppressed: 1 });
      expect(await outreach.resume(campaignId, operator)).toEqual({ ok: true });
      await tick();
      expect(await getStats()).toMatchObject({ state: "finished", sent: 59, failed: 1 });
    });

    // R22
    it("pauses on every instance, whatever is still in flight", async () => {
      const { campaignWorker, mailer, getStats } = await createCampaign(80, { script: () => blocked });
      await campaignWorker({ concurrency: 30 }).tick();
      await campaignWorker({ instance: "two" }).tick();
      expect(await getStats()).toMatchObject({ state: "paused", inFlight: 0 });
      expect(mailer.received.length).toBeLessThanOrEqual(60);
      expect(await listSuppressed()).toEqual([]);
    });

    it("pauses midway too, and counts afresh when it is resumed", async () => {
      const { campaignId, tick, mailer, outreach, getStats } = await createCampaign(200, { concurrency: 1 });
      mailer.script = () => (mailer.received.length > 100 ? blocked : accepted);
      await tick();
      expect(await getStats()).toMatchObject({ state: "paused", sent: 100, failed: 20 });
      await outreach.resume(campaignId, operator);
      await tick();
      expect(await getStats()).toMatchObject({ state: "paused", sent: 100, failed: 40 });
    });

    it("does not pause for a list with 15 % dead addresses, however they are distributed", async () => {
      // Fifteen of each hundred in a row, and every seventh.
      const isDead = (address: string) => {
        const at = Number(/\d+/.exec(address)?.[0]);
        return at % 100 < 15 || (at > 200 && at % 7 === 0);
      };
      const script: Script = ({ to }) => (isDead(to.address) ? refused : accepted);
      const { tick, getStats } = await createCampaign(400, { script });
      await tick();
      const dead = people(400).filter(isDead);
      expect(await getStats()).toMatchObject({ state: "finished", failed: dead.length });
      expect(await listSuppressed()).toEqual(dead.toSorted());
    });

    it("leaves those suppressed that were refused long before", async () => {
      const campaign = await createCampaign(200, { concurrency: 1 });
      const { tick, mailer, getStats, clock } = campaign;
      const dead = people(100).filter((_, at) => at % 10 === 0);
      const spam = { kind: "refused", code: 554, detail: "554 spam", part: "message" } as const;
      mailer.script = ({ to }) => {
        clock.forward(1);
        if (mailer.received.length > 100) return spam;
        return dead.includes(to.address) ? blocked : accepted;
      };
      await tick();
      expect(await getStats()).toMatchObject({ state: "paused", sent: 90, failed: 30 });
      expect(await listSuppressed()).toEqual(dead.toSorted());
    });

    // R9
    it("does not pause for temporary refusals that last until the attempts are used up", async () => {
      const { clock, tick, getStats } = await createCampaign(30, { script: () => deferred });
      for (let time = 0; time < 7; time += 1) {
        await tick();
        clock.forward(hours(4));
      }
      expect(await getStats()).toMatchObject({ state: "finished", failed: 30 });
    });

    it("keeps the suppression of an address that unsubscribed before it was refused", async () => {
      const { tick, mailer, rows, getStats } = await createCampaign(40, { concurrency: 1 });
      mailer.script = async ({ to }) => {
        const row = (await rows()).find(({ address }) => address === to.address)!;
        // Between the claim and the reply, by the link of this very email.
        if (to.address === "person1@example.com")
          await unsubscribe({ database, clock: () => 1, newId }, row.id);
        return blocked;
      };
      await tick();
      expect(await getStats()).toMatchObject({ state: "paused", failed: 20 });
      expect(await listSuppressed()).toEqual(["person1@example.com"]);
    });
  });

  describe("without an answer to the message", () => {
    // R8, R32
    it("leaves the delivery to an operator at once, and never sends it again by itself", async () => {
      const script = scriptByAddress({ "person1@example.com": unknown });
      const { clock, tick, mailer, rows, getStats } = await createCampaign(2, { script });
      await tick();
      expect(await rows()).toMatchObject([
        { state: "uncertain", attempts: 1, detail: "connection lost after the message" },
        { state: "sent" },
      ]);
      for (const wait of [seconds(5), minutes(10), hours(24)]) {
        clock.forward(wait);
        await tick();
      }
      expect(mailer.received).toHaveLength(2);
      // An uncertain delivery does not keep the campaign open.
      expect(await getStats()).toMatchObject({ state: "finished", sent: 1, uncertain: 1, pending: 0 });
    });

    // R8, R32
    it("waits longer each time instead of using up the audience", async () => {
      const campaign = await createCampaign(20, { script: () => unknown, concurrency: 2 });
      const { clock, tick, mailer, getStats } = campaign;
      await tick();
      expect(await getStats()).toMatchObject({ uncertain: 2, pending: 18, holdDetail: unknown.detail });
      for (const wait of [5, 10, 20].map(seconds)) {
        const sent = mailer.received.length;
        clock.forward(wait - 1);
        await tick();
        expect(mailer.received).toHaveLength(sent);
        clock.forward(1);
        await tick();
        expect(mailer.received).toHaveLength(sent + 2);
      }
      mailer.script = () => accepted;
      clock.forward(seconds(40));
      await tick();
      expect(await getStats()).toMatchObject({ state: "finished", sent: 12, uncertain: 8, holdDetail: "" });
    });
  });

  it.each([
    ["pauses when our login is rejected", unauthorized, { state: "paused", reason: "login" }],
    ["waits for a mail server that is unreachable", unreachable, { state: "sending", reason: "server" }],
  ])(
    "%s while its audience is being copied, and goes to everybody once it is resumed",
    async (_, outcome, { state, reason }) => {
      const campaign = await createCampaign(1200, { script: () => outcome, concurrency: 2 });
      const { campaignId, campaignWorker, tick, mailer, outreach, getStats } = campaign;
      await tick();
      expect(await campaign.getHoldReason()).toMatchObject({ for: reason });
      const waiting = { state, holdDetail: outcome.detail, sent: 0, failed: 0, retrying: 0, inFlight: 0 };
      expect(await getStats()).toMatchObject(waiting);
      expect((await campaign.rows()).every((row) => row.attempts === 0 && row.detail === "")).toBe(true);
      await tick();
      expect(mailer.received).toHaveLength(2);
      mailer.script = () => accepted;
      expect(await outreach.resume(campaignId, operator)).toEqual({ ok: true });
      await campaignWorker({ concurrency: 200 }).tick();
      expect(await getStats()).toMatchObject({
        state: "finished",
        holdDetail: "",
        selected: 1200,
        sent: 1200,
      });
    },
  );

  describe("when the mail server is unreachable", () => {
    // R8
    it("waits 5 s, doubling to 5 min, uses up no attempts and never finishes early", async () => {
      const { clock, tick, mailer, rows, getStats } = await createCampaign(3, { script: () => unreachable });
      await tick();
      const waiting = { state: "sending", holdDetail: "connection refused", pending: 3, inFlight: 0 };
      let connections = 3;
      for (const wait of [5, 10, 20, 40, 80, 160, 300, 300].map(seconds)) {
        expect(await getStats()).toMatchObject(waiting);
        expect((await rows()).map((row) => row.attempts)).toEqual([0, 0, 0]);
        clock.forward(wait - 1);
        await tick();
        expect(mailer.received).toHaveLength(connections);
        clock.forward(1);
        await tick();
        connections += 3;
      }
      mailer.script = () => accepted;
      clock.forward(minutes(5));
      await tick();
      expect(await getStats()).toMatchObject({ state: "finished", holdDetail: "", sent: 3 });
      expect((await rows()).map((row) => row.attempts)).toEqual([1, 1, 1]);
    });

    it("begins a later outage with the short wait again", async () => {
      const outcomes = [unreachable, unreachable, accepted, unreachable];
      const script = () => outcomes.shift() ?? accepted;
      const { clock, tick, getCampaign, getStats } = await createCampaign(3, { script, concurrency: 1 });
      const waits: number[] = [];
      while ((await getCampaign()).state !== "finished") {
        await tick();
        const retryAt = (await getCampaign()).hold_until ?? 0;
        if (retryAt > clock()) waits.push(retryAt - clock());
        clock.forward(Math.max(0, retryAt - clock()));
      }
      expect(waits).toEqual([seconds(5), seconds(10), seconds(5)]);
      expect(await getStats()).toMatchObject({ sent: 3 });
    });

    it("ends the wait with the first answer to a later email", async () => {
      const { outcome, release } = createLateOutcome();
      const script = scriptByAddress({ "person1@example.com": outcome, "person2@example.com": unreachable });
      const campaign = await createCampaign(3, { script, concurrency: 2 });
      const { clock, tick, mailer, getCampaign, getStats, states } = campaign;
      const ticking = tick();
      await yieldUntil(async () => (await getCampaign()).hold !== "");
      release(accepted);
      await ticking;
      const early = { "person1@example.com": "sent", "person2@example.com": "pending" };
      expect(await states()).toMatchObject(early);
      const server = { hold: "server", hold_detail: "connection refused", hold_until: clock() + seconds(5) };
      const waiting = { state: "sending", ...server };
      expect(await getCampaign()).toMatchObject(waiting);
      expect(mailer.received).toHaveLength(2);
      mailer.script = scriptByAddress({ "person3@example.com": deferred });
      clock.forward(seconds(5));
      await tick();
      expect(await getStats()).toMatchObject({ state: "sending", holdDetail: "", sent: 2, retrying: 1 });
    });
  });
});
