import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { dialects } from "../databases";
import { measureLongestBlock } from "../factories/cpu-time";
import { operator, createTestOutreach, signUp, suppress } from "../factories/outreach";
import { createTestSuppressions } from "../factories/suppressions";
import { useDatabase } from "./use-database";

const AT = "2026-11-21T08:00:00Z";
const bounce = (address: string, differing = {}) => ({
  type: "bounce",
  permanent: true,
  address,
  reason: "550 no such user",
  at: AT,
  ...differing,
});

describe.each(dialects)("what a mail provider reports on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));
  const recorded = () => database.read.selectFrom("bounces").selectAll().orderBy("address").execute();

  /** A campaign of two mails that were taken. */
  async function sent() {
    await signUp(database, ["Ada@Example.com", "grace@example.com"]);
    const world = createTestOutreach(database);
    const campaignId = await world.confirmed();
    await world.dispatcher().tick();
    const [ada, grace] = await world.rows(campaignId);
    return { ...world, campaignId, ada: ada!, grace: grace! };
  }

  it("suppresses what bounced for good or complained, and only records what bounced for a while (C20)", async () => {
    const { report, rows, listAudit, clock } = createTestSuppressions(database);
    const outcome = await report([
      bounce("Gone@Example.com"),
      bounce("full@example.com", { permanent: false, reason: "mailbox full" }),
      { type: "complaint", address: "angry@example.com", reason: null, more: "unknown" },
    ]);
    expect(outcome).toEqual({ ok: true, received: 3, recorded: 3, suppressed: 2 });
    const common = { delivery_id: null, created_at: clock() };
    expect(await rows()).toMatchObject([
      { ...common, address: "angry@example.com", reason: "complained", detail: "", opted_out: 1 },
      { ...common, address: "Gone@Example.com", reason: "bounced", detail: "550 no such user", opted_out: 0 },
    ]);
    expect(await recorded()).toMatchObject(
      [
        { type: "complaint", address: "angry@example.com", permanent: 1, happened_at: clock() },
        {
          type: "bounce",
          address: "full@example.com",
          permanent: 0,
          reason: "mailbox full",
          campaign_id: null,
        },
        { address: "Gone@Example.com", happened_at: Date.parse(AT), received_at: clock() },
      ].toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    );
    expect(await listAudit()).toEqual([
      { actor: "system", action: "receive-bounces", subject: "2 addresses" },
    ]);
  });

  it("leaves the event loop to others while it takes in 256 KiB of events (C37)", async () => {
    const { report } = createTestSuppressions(database);
    const events = Array.from({ length: 5_000 }, (_, index) => ({
      type: "complaint",
      address: `${index}@b.co`,
    }));
    const { ms, value } = await measureLongestBlock(() => report(events));
    expect(value).toEqual({ ok: true, received: 5_000, recorded: 5_000, suppressed: 5_000 });
    expect(ms).toBeLessThan(100);
  });

  it("counts each event once, however often and however close together it is reported (C26)", async () => {
    const { report, rows, listAudit, clock, list } = createTestSuppressions(database);
    const events = [bounce("ada@example.com"), bounce("ADA@example.com"), bounce("grace@example.com")];
    const outcomes = await Promise.all([report(events), report(events), report(events)]);
    const total = (name: "recorded" | "suppressed") =>
      outcomes.reduce((sum, outcome) => sum + (outcome.ok ? outcome[name] : NaN), 0);
    expect([total("recorded"), total("suppressed")]).toEqual([2, 2]);
    clock.forward(minutes(1));
    expect(await report(events)).toEqual({ ok: true, received: 3, recorded: 0, suppressed: 0 });
    const bounces = (await listAudit()).filter((row) => row.action === "receive-bounces");
    expect(bounces.length).toBeGreaterThan(0);
    // Released, the same report does not bring it back; a new one does.
    await list.release(
      (await rows()).map((row) => row.id),
      "",
      operator,
    );
    expect(await report(events)).toMatchObject({ recorded: 0, suppressed: 0 });
    expect(await rows()).toEqual([]);
    expect(await report([bounce("ada@example.com", { at: "2026-11-22T08:00:00+01:00" })])).toMatchObject({
      recorded: 1,
      suppressed: 1,
    });
  });

  it("is told of the mail it is about, and changes no count of its send", async () => {
    const { campaignId, ada, grace, getStats, outreach } = await sent();
    const before = await getStats(campaignId);
    const { report, rows } = createTestSuppressions(database);
    const messageId = ada.message_id;
    await report([
      bounce(ada.address, { messageId, permanent: false, reason: "try later", at: "2026-11-21T09:00:00Z" }),
      bounce(ada.address, { messageId, reason: "550\r\nno\0 such user" }),
      { type: "complaint", address: grace.address, messageId: grace.message_id.slice(1, -1) },
    ]);
    expect(await getStats(campaignId)).toEqual({ ...before, returned: { bounced: 1, complained: 1 } });
    const listed = await outreach.listDeliveries(campaignId, { limit: 10 });
    expect(listed.map((row) => [row.state, row.returned])).toEqual([
      ["sent", { kind: "bounced", reason: "550 no such user" }],
      ["sent", { kind: "complained", reason: "" }],
    ]);
    expect((await rows()).map((row) => [row.address, row.reason, row.delivery_id])).toEqual([
      [grace.address, "complained", grace.id],
      [ada.address, "bounced", ada.id],
    ]);
    const { list } = createTestSuppressions(database);
    expect((await list.list({}, { limit: 5 }))[0]?.campaign).toEqual({
      id: campaignId,
      title: "We are live",
    });
  });

  it("suppresses both addresses when a mail was forwarded, and believes no Message-ID that is not ours", async () => {
    const { ada, campaignId, getStats } = await sent();
    const { report, rows } = createTestSuppressions(database);
    await report([
      bounce("forwarded@example.com", { messageId: ada.message_id }),
      bounce("x@example.com", { messageId: ada.message_id.replace("@example.com", "@evil.example") }),
      bounce("y@example.com", { messageId: "<\0@x>" }),
    ]);
    expect((await rows()).map((row) => [row.address, row.delivery_id])).toEqual([
      ["forwarded@example.com", ada.id],
      [ada.address, ada.id],
      ["x@example.com", null],
      ["y@example.com", null],
    ]);
    expect((await getStats(campaignId)).returned).toEqual({ bounced: 1, complained: 0 });
  });

  it("makes more of an unsubscription, and less of no complaint", async () => {
    const { report, rows } = createTestSuppressions(database);
    await suppress(database, "gone@example.com", "unsubscribed");
    await suppress(database, "angry@example.com", "complained");
    await report([bounce("gone@example.com"), bounce("angry@example.com")]);
    expect((await rows()).map((row) => [row.address, row.reason, row.opted_out])).toEqual([
      ["angry@example.com", "complained", 1],
      ["gone@example.com", "bounced", 1],
    ]);
  });

  it("takes a thousand events of one report, in pieces, and tells of them once", async () => {
    const { report, listAudit } = createTestSuppressions(database);
    const events = Array.from({ length: 1200 }, (_, index) => bounce(`person${index}@example.com`));
    expect(await report(events)).toEqual({ ok: true, received: 1200, recorded: 1200, suppressed: 1200 });
    expect(await report(events)).toMatchObject({ recorded: 0, suppressed: 0 });
    expect((await listAudit()).map((row) => row.subject)).toEqual(["1,200 addresses"]);
  });

  it.each<[string, unknown, number | undefined, string]>([
    ["no JSON", "{", undefined, "The body must be JSON"],
    ["no events", { event: [] }, undefined, "The body must be JSON"],
    ["an event that is none", { events: [null] }, 0, "events[0]"],
    [
      "an unknown type",
      { events: [bounce("a@x.io"), bounce("a@x.io", { type: "open" })] },
      1,
      "events[1].type",
    ],
    ["no address", { events: [{ type: "complaint" }] }, 0, "events[0].address"],
    ["two addresses", { events: [bounce("a@x.io, b@x.io")] }, 0, "events[0].address"],
    ["no permanence", { events: [bounce("a@x.io", { permanent: undefined })] }, 0, "events[0].permanent"],
    ["permanence in words", { events: [bounce("a@x.io", { permanent: "true" })] }, 0, "events[0].permanent"],
    ["a time in words", { events: [bounce("a@x.io", { at: "yesterday" })] }, 0, "events[0].at"],
    ["a reason that is a list", { events: [bounce("a@x.io", { reason: [] })] }, 0, "events[0].reason"],
  ])("with %s is refused as a whole, and says which event it was", async (_, body, event, message) => {
    const { bounces, rows, clock } = createTestSuppressions(database);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { signReport: signed } = await import("../factories/signed-report");
    const signature = signed(text, "a secret of the tests, long enough", clock());
    const outcome = await bounces.receive({ signature, body: new TextEncoder().encode(text) }, operator);
    expect(outcome).toEqual({
      ok: false,
      error: "malformed",
      event,
      message: expect.stringContaining(message),
    });
    expect([await rows(), await recorded()]).toEqual([[], []]);
  });
});
