import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { newId } from "~/services/ids.server";
import { unsubscribe } from "~/services/suppressions/suppressions.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { dialects } from "../databases";
import {
  createManualSleep,
  createTestOutreach,
  people,
  signUp,
  suppress,
  waitUntil,
} from "../factories/outreach";
import { accepted, scriptByAddress } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

describe.each(dialects)("sending on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it("skips an address that unsubscribes while the send is under way, and one that was refused before", async () => {
    await signUp(database, people(5));
    await suppress(database, "person2@example.com", "refused");
    const { confirmed, dispatcher, mailer, rows, states, getStats } = createTestOutreach(database);
    const campaignId = await confirmed();
    mailer.script = async ({ to }) => {
      const fourth = (await rows(campaignId)).find((row) => row.address === "person4@example.com")!;
      if (to.address === "person3@example.com")
        await unsubscribe({ database, newId, clock: () => 1 }, fourth.id);
      return accepted;
    };
    await dispatcher({ concurrency: 1 }).tick();
    expect(mailer.recipients).toEqual(["person1@example.com", "person3@example.com", "person5@example.com"]);
    expect(await states(campaignId)).toMatchObject({
      "person2@example.com": "skipped",
      "person4@example.com": "skipped",
    });
    expect(await getStats(campaignId)).toMatchObject({
      state: "finished",
      sent: 3,
      skipped: 2,
      skippedByReason: { unsubscribed: 1, suppressed: 1 },
    });
  });

  it("skips an address that is not plainly one address, and sends it nothing (C19)", async () => {
    const odd = [
      "a@x.example, e@x.example",
      "a@x.example\r\nBcc: e@x.example",
      '"u@g x"@h.example',
      "nobody",
    ];
    await signUp(database, [...odd, "fine@example.com"]);
    const { confirmed, dispatcher, mailer, getStats } = createTestOutreach(database);
    const campaignId = await confirmed();
    await dispatcher().tick();
    expect(mailer.recipients).toEqual(["fine@example.com"]);
    expect(await getStats(campaignId)).toMatchObject({
      sent: 1,
      skipped: 4,
      skippedByReason: { invalid: 4 },
    });
  });

  it("keeps the server's words with each row", async () => {
    await signUp(database, people(2));
    const words = "250 OK\r\n\u0000queued   as 4F2" + "x".repeat(600);
    const { confirmed, dispatcher, rows } = createTestOutreach(database, () => ({
      kind: "accepted",
      detail: words,
    }));
    const campaignId = await confirmed();
    await dispatcher().tick();
    const [row] = await rows(campaignId);
    expect(row).toMatchObject({ state: "sent", attempts: 1, lease_owner: "", lease_until: 0 });
    expect(row?.detail.startsWith("250 OK queued as 4F2xxx")).toBe(true);
    expect(row?.detail).toHaveLength(500);
  });

  it("goes out while its audience is still being copied, and the totals add up meanwhile (R27)", async () => {
    const audience = people(1200);
    await signUp(database, audience);
    const { confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(database);
    const campaignId = await confirmed();
    let meanwhile: Awaited<ReturnType<typeof getStats>> | undefined;
    mailer.script = async () => {
      meanwhile ??= await outreach.getStats(campaignId);
      return accepted;
    };
    await dispatcher({ concurrency: 200 }).tick();
    expect(meanwhile).toMatchObject({ state: "preparing", inFlight: 200, pending: meanwhile?.selected });
    expect(meanwhile?.selected).toBeLessThan(1200);
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", selected: 1200, sent: 1200 });
    expect(mailer.recipients).toEqual(audience);
  });

  it("fails a mail that cannot be composed or handed over, and sends the others (R28)", async () => {
    await signUp(database, people(4));
    const { confirmed, dispatcher, mailer, rows, getStats } = createTestOutreach(
      database,
      scriptByAddress({ "person3@example.com": new TypeError("subject must not contain a line break") }),
    );
    const campaignId = await confirmed();
    const sending = dispatcher({
      compose: ({ recipient, messageId, sender }) => {
        if (recipient.address === "person2@example.com") throw new Error("no template for this one");
        return { messageId, from: sender, to: recipient, subject: "", text: "", html: "", headers: {} };
      },
    });
    await sending.tick();
    expect((await rows(campaignId)).map(({ state, detail }) => [state, detail])).toEqual([
      ["sent", "250 OK"],
      ["failed", "no template for this one"],
      ["failed", "subject must not contain a line break"],
      ["sent", "250 OK"],
    ]);
    expect(mailer.recipients).not.toContain("person2@example.com");
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 2, failed: 2 });
  });

  it("never has more mails begun and not on disk than its concurrency (R3)", async () => {
    await signUp(database, people(60));
    const { confirmed, dispatcher, mailer, rows } = createTestOutreach(database);
    const campaignId = await confirmed();
    let most = 0;
    mailer.script = async () => {
      const begun = mailer.received.length;
      const recorded = (await rows(campaignId)).filter((row) => row.state === "sent").length;
      most = Math.max(most, begun - recorded);
      return accepted;
    };
    await dispatcher({ concurrency: 4 }).tick();
    expect(mailer.received).toHaveLength(60);
    expect(most).toBe(4);
  });

  it("keeps to the rate per second", async () => {
    await signUp(database, people(12));
    const { clock, confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(database);
    const times: number[] = [];
    mailer.script = () => {
      times.push(clock());
      return accepted;
    };
    const campaignId = await confirmed();
    const setTimer = (ms: number, ring: () => void) => {
      const soon = setImmediate(() => {
        clock.forward(ms);
        ring();
      });
      return () => clearImmediate(soon);
    };
    const sending = dispatcher({ rate: new TokenBucket(5, clock()), setTimer });
    sending.start();
    await waitUntil(async () => (await outreach.findCampaign(campaignId))?.state === "finished");
    await sending.stop();
    expect(times).toHaveLength(12);
    // The sixth mail after any other comes a second later, and no later than it must.
    for (let at = 5; at < times.length; at += 1)
      expect(times[at]! - times[at - 5]!).toBeGreaterThanOrEqual(1000);
    expect(times.at(-1)! - times[0]!).toBeLessThan(2600);
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 12 });
  });

  it("serves several sends in turn", async () => {
    await signUp(database, people(3));
    const { confirmed, dispatcher, mailer, getStats } = createTestOutreach(database);
    const campaignIds = [await confirmed({ title: "A" }), await confirmed({ title: "B" })];
    await dispatcher({ concurrency: 1 }).tick();
    expect(mailer.received.map((mail) => mail.subject).join("")).toMatch(/^(ABABAB|BABABA)$/);
    for (const campaignId of campaignIds)
      expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 3 });
  });

  it("is woken by a confirm, without waiting for its next look", async () => {
    await signUp(database, people(2));
    const { confirmed, dispatcher, mailer } = createTestOutreach(database);
    const alarms = createManualSleep();
    const sending = dispatcher({ setTimer: alarms.setTimer });
    sending.start();
    await waitUntil(() => alarms.asked.length === 1);
    await confirmed();
    await waitUntil(() => mailer.received.length === 2);
    expect(alarms.asked[0]).toBe(seconds(1));
    await sending.stop();
  });
});
