import { sql } from "kysely";
import { expect, it } from "vitest";
import { days, minutes } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import { readAudit } from "../factories/accounts";
import { measureLongestBlock } from "../factories/cpu-time";
import { operator, createTestOutreach, signUp } from "../factories/outreach";
import { createTestSuppressions } from "../factories/suppressions";
import { chooseSize } from "../sizes";
import { describeOnDatabases } from "./use-database";

const AT = "2026-11-21T08:00:00Z";
const createBounce = (address: string, differing = {}) => ({
  type: "bounce",
  permanent: true,
  address,
  reason: "550 no such user",
  at: AT,
  ...differing,
});

describeOnDatabases("a report of bounces on %s", ({ database }) => {
  const recorded = () =>
    database.read
      .selectFrom("bounces")
      .selectAll()
      .orderBy(sql`lower(address)`)
      .execute();

  /** Sends a campaign of two emails. */
  async function sendCampaign() {
    await signUp(database, ["Ada@Example.com", "grace@example.com"]);
    const test = createTestOutreach(database);
    const campaignId = await test.confirmed();
    await test.campaignWorker().tick();
    const [ada, grace] = await test.rows(campaignId);
    return { ...test, campaignId, ada: ada!, grace: grace! };
  }

  // C20
  it("suppresses permanent bounces and complaints, and only records temporary bounces", async () => {
    const { report, rows, clock } = createTestSuppressions(database);
    const outcome = await report([
      createBounce("Gone@Example.com"),
      createBounce("full@example.com", { permanent: false, reason: "mailbox full" }),
      { type: "complaint", address: "angry@example.com", reason: null, more: "unknown" },
    ]);
    expect(outcome).toEqual({ ok: true, received: 3, recorded: 3, suppressed: 2 });
    const common = { delivery_id: null, created_at: clock() };
    expect(await rows()).toMatchObject([
      { ...common, address: "angry@example.com", reason: "complained", detail: "", opted_out: 1 },
      { ...common, address: "Gone@Example.com", reason: "bounced", detail: "550 no such user", opted_out: 0 },
    ]);
    const full = { address: "full@example.com", permanent: 0, reason: "mailbox full" };
    expect(await recorded()).toMatchObject([
      { type: "complaint", address: "angry@example.com", permanent: 1, happened_at: clock() },
      { ...full, type: "bounce", campaign_id: null },
      { address: "Gone@Example.com", happened_at: Date.parse(AT), received_at: clock() },
    ]);
    expect(await readAudit(database)).toMatchObject([
      { actor: "system", action: "receive-bounces", subject: "2 addresses" },
    ]);
  });

  // R41
  it("suppresses nobody for a bounce that is about us", async () => {
    const { report, rows } = createTestSuppressions(database);
    const outcome = await report([
      createBounce("listed@example.com", { reason: "554 5.7.1 Client host [192.0.2.7] blocked" }),
      createBounce("relay@example.com", { reason: "550 relay not permitted" }),
      createBounce("gone@example.com", { reason: "550 5.1.1 no such user" }),
      createBounce("silent@example.com", { reason: "" }),
    ]);
    expect(outcome).toEqual({ ok: true, received: 4, recorded: 4, suppressed: 2 });
    expect((await rows()).map(({ address }) => address)).toEqual(["gone@example.com", "silent@example.com"]);
  });

  // C37
  it("does not block while 256 KiB of events are stored", async () => {
    const { report } = createTestSuppressions(database);
    const numbers = Array.from({ length: 5_000 }, (_, index) => index);
    const events = numbers.map((number) => ({ type: "complaint", address: `${number}@b.co` }));
    const { ms, totalMs, value } = await measureLongestBlock(() => report(events));
    expect(value).toEqual({ ok: true, received: 5_000, recorded: 5_000, suppressed: 5_000 });
    expect((await readAudit(database)).map((row) => row.subject)).toEqual(["5,000 addresses"]);
    expect(ms).toBeLessThan(chooseSize({ daily: totalMs / 2, full: 100 }));
  });

  // C26
  it("counts each event once, also when it is reported again or at the same time", async () => {
    const { report, rows, clock, list } = createTestSuppressions(database);
    const addresses = ["ada@example.com", "ADA@example.com", "grace@example.com"];
    const events = addresses.map((address) => createBounce(address));
    const outcomes = await Promise.all([report(events), report(events), report(events)]);
    const total = (name: "recorded" | "suppressed") =>
      outcomes.reduce((sum, outcome) => sum + (outcome.ok ? outcome[name] : NaN), 0);
    expect([total("recorded"), total("suppressed")]).toEqual([2, 2]);
    clock.forward(minutes(1));
    expect(await report(events)).toEqual({ ok: true, received: 3, recorded: 0, suppressed: 0 });
    expect((await readAudit(database)).map((row) => row.action)).toContain("receive-bounces");
    // After a release the same report does not suppress the address again; a new one does.
    const ids = (await rows()).map((row) => row.id);
    await list.release(ids, "", operator);
    expect(await report(events)).toMatchObject({ recorded: 0, suppressed: 0 });
    expect(await rows()).toEqual([]);
    const later = createBounce("ada@example.com", { at: "2026-11-22T08:00:00+01:00" });
    expect(await report([later])).toMatchObject({ recorded: 1, suppressed: 1 });
  });

  it("is shown at its delivery, and changes no count of the campaign", async () => {
    const { campaignId, ada, grace, getStats, outreach } = await sendCampaign();
    const before = await getStats(campaignId);
    const { report, rows } = createTestSuppressions(database);
    const messageId = ada.message_id;
    const passing = { permanent: false, reason: "try later", at: "2026-11-21T09:00:00Z" };
    await report([
      createBounce(ada.address, { messageId, ...passing }),
      createBounce(ada.address, { messageId, reason: "550\r\nno\0 such user" }),
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
    const [newest] = await list.list({}, { limit: 5 });
    expect(newest?.campaign).toEqual({ id: campaignId, title: "We are live" });
  });

  it("suppresses both addresses of a forwarded email", async () => {
    const { ada, campaignId, getStats } = await sendCampaign();
    const { report, rows } = createTestSuppressions(database);
    const foreignId = ada.message_id.replace("@mail.example.com", "@evil.example");
    await report([
      createBounce("forwarded@example.com", { messageId: ada.message_id }),
      createBounce("x@example.com", { messageId: foreignId }),
      createBounce("y@example.com", { messageId: "<\0@x>" }),
    ]);
    expect((await rows()).map((row) => [row.address, row.delivery_id])).toEqual([
      ["forwarded@example.com", ada.id],
      [ada.address, ada.id],
      ["x@example.com", null],
      ["y@example.com", null],
    ]);
    expect((await getStats(campaignId)).returned).toEqual({ bounced: 1, complained: 0 });
  });

  it("suppresses both addresses of a forwarded automatic email", async () => {
    const address = "Ada@Example.com";
    const [id, at] = [newId(), 1];
    const email = { id, address, email_key: "ada@example.com", message_id: `<${id}@mail.example.com>` };
    const sent = {
      kind: "thank-you" as const,
      unique_key: id,
      data: "{}",
      state: "sent" as const,
      attempts: 1,
    };
    const rest = {
      not_before: at,
      detail: "",
      lease_owner: "",
      lease_until: 0,
      created_at: at,
      updated_at: at,
    };
    await database.write((trx) =>
      trx
        .insertInto("transactional_emails")
        .values({ ...email, ...sent, ...rest })
        .execute(),
    );
    const { report, rows } = createTestSuppressions(database);
    await report([{ type: "complaint", address: "forwarded@example.com", messageId: email.message_id }]);
    const suppressed = (await rows()).map((row) => row.address);
    expect(suppressed.toSorted()).toEqual(["Ada@Example.com", "forwarded@example.com"]);
  });

  it("suppresses an address again, after a release, by an event without a time on another day", async () => {
    const { report, rows, clock, list } = createTestSuppressions(database);
    const events = [{ type: "bounce", permanent: true, address: "gone@example.com" }];
    expect(await report(events)).toMatchObject({ recorded: 1, suppressed: 1 });
    const ids = (await rows()).map((row) => row.id);
    await list.release(ids, "", operator);
    expect(await report(events)).toMatchObject({ recorded: 0, suppressed: 0 });
    clock.forward(days(1));
    expect(await report(events)).toMatchObject({ recorded: 1, suppressed: 1 });
  });

  it.each(["{", '{"event":[]}', '{"events":1}'])("that is %s is refused", async (body) => {
    const message = 'The body must be JSON like {"events": [...]}.';
    const outcome = await createTestSuppressions(database).reportBody(body);
    expect(outcome).toEqual({ ok: false, error: "malformed", message });
  });

  // R48
  it("suppresses an address at a domain outside ASCII in its ASCII form", async () => {
    const { report, rows } = createTestSuppressions(database);
    await report([createBounce("ada@müller.example"), createBounce("Ada@xn--mller-kva.example")]);
    expect((await rows()).map(({ email_key }) => email_key)).toEqual(["ada@xn--mller-kva.example"]);
  });

  // R47
  it("that is not in UTF-8 is refused", async () => {
    const body = Buffer.from(
      '{"events":[{"type":"complaint","address":"a@x.io","reason":"Gr\xfc\xdfe"}]}',
      "latin1",
    );
    const outcome = await createTestSuppressions(database).reportBody(body);
    expect(outcome).toEqual({ ok: false, error: "malformed", message: "The body is not in UTF-8." });
  });

  it.each<[string, unknown, string]>([
    ["no object", null, "events[1]"],
    ["of an unknown type", createBounce("a@x.io", { type: "open" }), "events[1].type"],
    ["without an address", { type: "complaint" }, "events[1].address"],
    ["with two addresses", createBounce("a@x.io, b@x.io"), "events[1].address"],
    ["without permanence", createBounce("a@x.io", { permanent: undefined }), "events[1].permanent"],
    ["with a text as permanence", createBounce("a@x.io", { permanent: "true" }), "events[1].permanent"],
    ["with a time in words", createBounce("a@x.io", { at: "yesterday" }), "events[1].at"],
    ["with a list as reason", createBounce("a@x.io", { reason: [] }), "events[1].reason"],
  ])("is refused as a whole when its second event is %s", async (_, event, place) => {
    const { report, rows } = createTestSuppressions(database);
    const malformed = { ok: false, error: "malformed", message: expect.stringContaining(place) };
    expect(await report([createBounce("first@example.com"), event])).toEqual(malformed);
    expect([await rows(), await recorded()]).toEqual([[], []]);
  });
});
