import { describe, expect, it } from "vitest";
import { minutes } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import { SUPPRESSION_REASONS, type SuppressionReason } from "~/services/suppressions/suppression-reasons";
import {
  isSuppressed,
  liftUnsubscription,
  suppress as put,
  unsubscribe,
} from "~/services/suppressions/suppressions.server";
import { readAudit } from "../factories/accounts";
import { waitUntilBlocked } from "../factories/blocked-writes";
import { createTestConfirmations, visitor } from "../factories/confirmations";
import { measureLongestBlock } from "../factories/cpu-time";
import {
  createSendTest,
  createTestOutreach,
  operator,
  people,
  signUp,
  suppress,
} from "../factories/outreach";
import { storeManySuppressions, createTestSuppressions } from "../factories/suppressions";
import { expectQuick } from "../factories/quickest";
import { accepted, refused } from "../fakes/scripted-mailer";
import { chooseSize } from "../sizes";
import { describeOnDatabases } from "./use-database";

const ROWS = chooseSize({ daily: 20_000, full: 100_000 });

describeOnDatabases("the suppression list on %s", ({ database }) => {
  async function storeFive() {
    const deps = createTestSuppressions(database);
    for (const address of ["b@example.com", "Ab@Example.com", "abe@example.com", "a_b@example.com"]) {
      await deps.list.add(address, "", operator);
      deps.clock.forward(minutes(1));
    }
    await suppress(database, "a.b@example.com", "refused");
    return deps;
  }

  it("lists addresses as typed, newest first, in pages, with reason and campaign", async () => {
    await signUp(database, ["Ada@Example.com"]);
    const { confirmed, campaignWorker, clock } = createTestOutreach(database, () => refused);
    const campaignId = await confirmed();
    await campaignWorker().tick();
    const { list, addresses } = await storeFive();
    const all = ["a.b@example.com", "a_b@example.com", "abe@example.com", "Ab@Example.com", "b@example.com"];
    expect(await addresses({}, { limit: 3 })).toEqual(all.slice(0, 3));
    const before = (await list.list({}, { limit: 3 })).at(-1)!.id;
    const rest = await list.list({}, { limit: 3, before });
    expect(rest.map((row) => row.address)).toEqual([...all.slice(3), "Ada@Example.com"]);
    const oldest = { reason: "refused", optedOut: false, detail: refused.detail, at: clock() };
    const campaign = { id: campaignId, title: "We are live" };
    expect(rest.at(-1)).toMatchObject({ ...oldest, campaign });
    expect(await addresses({}, { limit: 2, before: "no id of ours\0" })).toEqual(all.slice(0, 2));
  });

  it("filters by reason, by the start of the address, or both", async () => {
    const { addresses } = await storeFive();
    const limit = 10;
    expect(await addresses({ reason: "refused" }, { limit })).toEqual(["a.b@example.com"]);
    expect(await addresses({ prefix: "ab" }, { limit })).toEqual(["abe@example.com", "Ab@Example.com"]);
    expect(await addresses({ prefix: "a_" }, { limit })).toEqual(["a_b@example.com"]);
    expect(await addresses({ prefix: "a", reason: "refused" }, { limit })).toEqual(["a.b@example.com"]);
    for (const prefix of ["%", "_", "*", "ab%", "' or 1=1 --", "\u{10FFFF}"]) {
      expect(await addresses({ prefix }, { limit })).toEqual([]);
    }
  });

  // C37
  it("does not block the event loop while 200,000 lines are imported", async () => {
    const { list } = createTestSuppressions(database);
    const many = Array.from({ length: 200_000 }, (_, index) => `person${index % 2_000}@example.com`);
    const { ms, totalMs, value } = await measureLongestBlock(() =>
      list.importAll({ addresses: many, optOuts: new Set() }, operator),
    );
    expect(value).toEqual({ added: 2_000, alreadyThere: 0 });
    expect(ms).toBeLessThan(chooseSize({ daily: totalMs / 4, full: 50 }));
  });

  // C36
  it("adds one address or many, and counts those already listed", async () => {
    const { list, rows } = createTestSuppressions(database);
    expect(await list.add("Ada@Example.com", "asked by phone", operator)).toBe(true);
    expect(await list.add("ada@example.com", "", operator)).toBe(false);
    const many = [...people(1200), "ADA@example.com", "PERSON1@example.com"];
    expect(await list.importAll({ addresses: many, optOuts: new Set() }, operator)).toEqual({
      added: 1200,
      alreadyThere: 1,
    });
    expect(await list.importAll({ addresses: many, optOuts: new Set() }, operator)).toEqual({
      added: 0,
      alreadyThere: 1201,
    });
    const [first, second] = await rows();
    expect(first).toMatchObject({ address: "Ada@Example.com", reason: "added", detail: "asked by phone" });
    expect(second).toMatchObject({ reason: "imported", detail: "", opted_out: 0 });
    const by = operator.by;
    expect(await readAudit(database)).toMatchObject([
      { actor: by, action: "add-suppression", subject: "Ada@Example.com" },
      { actor: by, action: "import-suppressions", subject: "1200 addresses" },
    ]);
  });

  // C36
  it("keeps the opt-outs of an imported list, also of addresses that are on it already", async () => {
    const { list, rows } = createTestSuppressions(database);
    await suppress(database, "refused@example.com", "refused");
    const addresses = ["Refused@example.com", "Gone@example.com", "other@example.com"];
    const imported = { addresses, optOuts: new Set(addresses.slice(0, 2)) };
    expect(await list.importAll(imported, operator)).toEqual({ added: 2, alreadyThere: 1 });
    const [known, gone] = await rows();
    expect(await rows()).toMatchObject([
      { reason: "refused", opted_out: 1 },
      { reason: "imported", opted_out: 1 },
      { reason: "imported", opted_out: 0 },
    ]);
    for (const row of [known, gone]) {
      expect(await list.release([row!.id], "", operator)).toEqual({ ok: false, error: "reason-needed" });
    }
    const optOuts = new Set(addresses);
    for (const alreadyThere of [3, 3]) {
      expect(await list.importAll({ addresses, optOuts }, operator)).toEqual({ added: 0, alreadyThere });
    }
    expect((await readAudit(database)).map(({ subject }) => subject)).toEqual(["3 addresses", "1 address"]);
  });

  it("is read for an export in batches", async () => {
    await storeManySuppressions(database, 2500);
    const sizes = [];
    for await (const batch of createTestSuppressions(database).list.readBatches({})) sizes.push(batch.length);
    expect(sizes).toEqual([1000, 1000, 500]);
  });

  // C36
  it("releases people who opted out only with a reason", async () => {
    const { list, rows } = createTestSuppressions(database);
    await suppress(database, "refused@example.com", "refused");
    await suppress(database, "gone@example.com", "unsubscribed");
    await suppress(database, "spam@example.com", "complained");
    const [mailbox, gone, spam] = (await rows()).map(({ id }) => id) as [string, string, string];
    for (const ids of [[gone], [spam], [mailbox, spam]]) {
      expect(await list.release(ids, "", operator)).toEqual({ ok: false, error: "reason-needed" });
    }
    expect(await rows()).toHaveLength(3);
    for (const [ids, reason, released] of [
      [[mailbox, mailbox, "x\0", newId()], "", 1],
      [[gone, spam], "asked for it by phone", 2],
      [[gone, spam], "again", 0],
    ] as const) {
      expect(await list.release(ids, reason, operator)).toEqual({ ok: true, released });
    }
    expect(await rows()).toEqual([]);
    const by = { actor: operator.by, action: "release-suppressed" };
    expect(await readAudit(database)).toMatchObject([
      { ...by, subject: "refused@example.com" },
      { ...by, subject: "spam@example.com (asked for it by phone)" },
      { ...by, subject: "gone@example.com (asked for it by phone)" },
    ]);
  });

  it("keeps an opt-out when the address gets another reason", async () => {
    const { list, rows } = createTestSuppressions(database);
    await suppress(database, "ada@example.com", "unsubscribed");
    await suppress(database, "ada@example.com", "refused");
    const [row] = await rows();
    expect(row).toMatchObject({ reason: "refused", opted_out: 1 });
    expect(await list.release([row!.id], "", operator)).toEqual({ ok: false, error: "reason-needed" });
  });

  // R41
  it("releases what one campaign suppressed, and nobody who opted out", async () => {
    await signUp(database, people(4));
    const { confirmed, campaignWorker, rows } = createTestOutreach(database, ({ to }) =>
      to.address === "person4@example.com" ? accepted : refused,
    );
    const campaignId = await confirmed();
    await campaignWorker().tick();
    const messageId = (await rows(campaignId))[3]!.message_id;
    const { list, addresses, report } = createTestSuppressions(database);
    const bounce = { type: "bounce", permanent: true, address: "person4@example.com", messageId };
    await report([bounce, { type: "complaint", address: "person2@example.com" }]);
    await suppress(database, "other@example.com", "refused");
    expect(await list.countOfCampaign(campaignId)).toBe(3);
    expect(await list.releaseCampaign(campaignId, "our fault", operator)).toBe(3);
    expect(await addresses({}, { limit: 10 })).toEqual(["other@example.com", "person2@example.com"]);
    expect(await list.releaseCampaign(campaignId, "our fault", operator)).toBe(0);
    expect((await readAudit(database)).at(-1)).toMatchObject({
      action: "release-campaign-suppressions",
      subject: `3 addresses of the campaign ${campaignId} (our fault)`,
    });
  });

  // R41
  it("releases nobody who opts out at the same moment", async () => {
    await signUp(database, people(2));
    const { confirmed, campaignWorker, rows } = createTestOutreach(database, () => refused);
    const campaignId = await confirmed();
    await campaignWorker().tick();
    const { id } = (await rows(campaignId))[0]!;
    const { list, addresses } = createTestSuppressions(database);
    let releasing: Promise<number> | undefined;
    const optOut = async () => {
      releasing = list.releaseCampaign(campaignId, "our fault", operator);
      await waitUntilBlocked(database);
    };
    await unsubscribe({ database, clock: () => 1, newId }, id, optOut);
    expect(await releasing).toBe(1);
    expect(await addresses({}, { limit: 10 })).toEqual(["person1@example.com"]);
  });

  const outweighs: [SuppressionReason, SuppressionReason[]][] = [
    ["complained", ["unsubscribed", "refused", "bounced", "added", "imported"]],
    ["refused", ["unsubscribed", "added", "imported"]],
    ["bounced", ["unsubscribed", "added", "imported"]],
    ["unsubscribed", []],
    ["added", []],
    ["imported", []],
  ];
  it.each(outweighs)("%s replaces %j only", async (later, weaker) => {
    for (const earlier of SUPPRESSION_REASONS) {
      const one = { address: `${earlier}@example.com`, detail: earlier, deliveryId: null };
      await database.write((trx) => put(trx, newId, earlier, [one], 1));
      const counted = await database.write((trx) => put(trx, newId, later, [{ ...one, detail: later }], 2));
      const rows = await createTestSuppressions(database).rows();
      const row = rows.find((each) => each.address === one.address);
      const isReplaced = weaker.includes(earlier);
      expect([earlier, counted, row?.reason, row?.detail, row?.created_at]).toEqual(
        isReplaced ? [earlier, 1, later, later, 2] : [earlier, 0, earlier, earlier, 1],
      );
    }
  });

  describe.each(SUPPRESSION_REASONS)("an address that is %s", (reason) => {
    // C20
    it("gets no campaign email, also after its release", async () => {
      await signUp(database, ["ada@example.com", "grace@example.com"]);
      const { confirmed, campaignWorker, mailer, outreach, getStats, states } = createTestOutreach(database);
      await suppress(database, "ada@example.com", reason);
      const skippedByReason = reason === "unsubscribed" ? { unsubscribed: 1 } : { suppressed: 1 };
      const preview = { total: 2, mailable: 1, firstFive: ["grace@example.com"], skippedByReason };
      expect(await outreach.previewAudience({ audience: "early-access" })).toMatchObject(preview);
      const campaignId = await confirmed();
      await campaignWorker().tick();
      expect(mailer.recipients).toEqual(["grace@example.com"]);
      expect((await getStats(campaignId)).skippedByReason).toEqual(skippedByReason);
      const { list, rows } = createTestSuppressions(database);
      await list.release([(await rows())[0]!.id], "the reason", operator);
      await campaignWorker().tick();
      expect(await states(campaignId)).toMatchObject({ "ada@example.com": "skipped" });
      expect(mailer.recipients).toEqual(["grace@example.com"]);
      const next = await confirmed();
      await campaignWorker().tick();
      expect(await states(next)).toMatchObject({ "ada@example.com": "sent" });
    });

    // C20
    it("gets no test email, and the attempt is in the audit", async () => {
      const { clock, mailer, allowance } = createTestOutreach(database);
      const sendTest = createSendTest({ database, mailer, clock, allowance });
      await suppress(database, "Ada@example.com", reason);
      expect(await sendTest("ada@Example.com")).toEqual({ ok: false, error: "suppressed" });
      expect(mailer.received).toEqual([]);
      expect(await readAudit(database)).toMatchObject([
        { actor: operator.by, action: "send-test-email", subject: "ada@Example.com" },
      ]);
    });

    // C20
    it("must confirm a new signup only after an unsubscription, which that lifts", async () => {
      const { signUp, send, mailer, confirmations, link } = createTestConfirmations(database, () => accepted);
      await suppress(database, "ada@example.com", reason);
      await signUp("ada@example.com");
      await send();
      expect(mailer.received).toHaveLength(reason === "unsubscribed" ? 1 : 0);
      if (reason === "unsubscribed") await confirmations.confirm(link(), visitor);
      else await database.write((trx) => liftUnsubscription(trx, "ada@example.com"));
      expect(await isSuppressed(database, "ada@example.com")).toBe(reason !== "unsubscribed");
    });
  });

  // R27
  it(`returns any page of ${ROWS} addresses within 100 ms`, async () => {
    await storeManySuppressions(database, ROWS);
    const { list } = createTestSuppressions(database);
    const old = "01900000-0000-7000-8000-100000000099";
    await expectQuick(100, {
      newest: () => list.list({}, { limit: 41 }),
      oldest: () => list.list({}, { limit: 41, before: old }),
      "a common reason": () => list.list({ reason: "unsubscribed" }, { limit: 41, before: old }),
      "a rare reason": () => list.list({ reason: "complained" }, { limit: 41 }),
      "no such reason": () => list.list({ reason: "bounced" }, { limit: 41 }),
      "a rare prefix": () => list.list({ prefix: "person7777@" }, { limit: 41 }),
      "a common prefix": () => list.list({ prefix: "person" }, { limit: 41 }),
      "both common": () => list.list({ prefix: "person", reason: "refused" }, { limit: 41, before: old }),
      "no such prefix": () => list.list({ prefix: "nobody", reason: "refused" }, { limit: 41 }),
    });
  });
});
