import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { getContentHash } from "~/services/outreach/confirm.server";
import { dialects } from "../databases";
import { operator, createTestOutreach, people, signUp, suppress } from "../factories/outreach";
import { useDatabase } from "./use-database";

describe.each(dialects)("drafts and their audience on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));
  const actions = async () =>
    await database.read
      .selectFrom("audit")
      .select(["actor", "action", "subject", "at", "content_hash"])
      .orderBy("id")
      .execute();

  it("keeps what is being written under one id, complete or not", async () => {
    const { draft, outreach, clock } = createTestOutreach(database);
    const id = await draft({ title: "", message: "" });
    expect(await draft({ id, title: "Now with a title", audience: "contact-form" })).toBe(id);
    expect(await outreach.findCampaign(id)).toMatchObject({
      state: "draft",
      title: "Now with a title",
      audience: "contact-form",
      created_by: operator.by,
      created_at: clock(),
    });
    expect(await outreach.listLatestCampaigns(5)).toEqual([]);
  });

  it("keeps a colleague's text that the form never showed, until its writer has seen it", async () => {
    const { draft, outreach } = createTestOutreach(database);
    const mine = { audience: "early-access", title: "Mine", message: "My words.", testAddress: "" } as const;
    const theirs = { ...mine, title: "Theirs" };
    const id = await draft();
    const base = getContentHash((await outreach.findCampaign(id))!);
    const save = (content: typeof mine | typeof theirs, shown: string, createdBy = operator.by) =>
      outreach.saveDraft({ ...content, id, base: shown, createdBy });
    const title = async () => (await outreach.findCampaign(id))?.title;

    // One's own text may have been saved by another form of the same person.
    expect(await save(mine, base)).toEqual({ ok: true, id });
    expect(await save({ ...mine, title: "Mine, later" }, base)).toEqual({ ok: true, id });

    expect(await save(theirs, getContentHash({ ...mine, title: "Mine, later" }), "bo@example.com")).toEqual({
      ok: true,
      id,
    });
    expect(await save(mine, base)).toMatchObject({
      ok: false,
      error: "changed",
      saved: { id, title: "Theirs", message: "My words.", by: "bo@example.com" },
    });
    expect(await title()).toBe("Theirs");
    expect(await save(theirs, base), "the same text is no conflict").toEqual({ ok: true, id });
    expect(await save(mine, getContentHash(theirs))).toEqual({ ok: true, id });
    expect(await title()).toBe("Mine");
  });

  it("never changes what was confirmed: saving it again makes another draft", async () => {
    await signUp(database, people(1));
    const { confirmed, draft, outreach } = createTestOutreach(database);
    const id = await confirmed();
    const other = await draft({ id, title: "Second thoughts" });
    expect(other).not.toBe(id);
    expect(await outreach.findCampaign(id)).toMatchObject({ state: "preparing", title: "We are live" });
    expect(await outreach.findCampaign(other)).toMatchObject({ state: "draft", title: "Second thoughts" });
  });

  it("previews distinct addresses of the group alone, the first five mailable ones in order of signup", async () => {
    await signUp(database, ["zoe@example.com", "Ada@Example.com", "bob@example.com", "ada@example.com"]);
    await signUp(database, [
      "gone@example.com",
      "refused@example.com",
      "eve@example.com",
      "abe@example.com",
      "cy@example.com",
    ]);
    await signUp(database, ["bot@example.com"], { state: "quarantined", quarantine_reason: "honeypot" });
    await signUp(database, ["other@example.com"], { kind: "contact-form" });
    await suppress(database, "gone@example.com", "unsubscribed");
    await suppress(database, "refused@example.com", "refused");
    await suppress(database, "stranger@example.com", "refused");
    expect(await createTestOutreach(database).outreach.previewAudience("early-access")).toEqual({
      total: 8,
      mailable: 6,
      skippedByReason: { unsubscribed: 1, suppressed: 1 },
      firstFive: [
        "zoe@example.com",
        "Ada@Example.com",
        "bob@example.com",
        "eve@example.com",
        "abe@example.com",
      ],
    });
    expect(await createTestOutreach(database).outreach.previewAudience("updates-signup")).toEqual({
      total: 0,
      mailable: 0,
      skippedByReason: { unsubscribed: 0, suppressed: 0 },
      firstFive: [],
    });
  });

  it("confirms a send once, however often and however close together it is asked, and writes down what was confirmed (C30)", async () => {
    await signUp(database, people(3));
    const { draft, asked, outreach, clock, dispatcher, mailer } = createTestOutreach(database);
    const campaignId = await draft();
    const question = await asked(campaignId);
    const confirm = () => outreach.confirm({ campaignId, reviewed: question }, operator);
    const outcomes = await Promise.all([confirm(), confirm(), confirm()]);
    expect(outcomes.filter((one) => one.ok && !one.already)).toHaveLength(1);
    expect(outcomes.filter((one) => one.ok && one.already)).toHaveLength(2);
    const confirmedAt = clock();
    clock.forward(1000);
    // Back and pressed again, when the audience has changed.
    await signUp(database, ["late@example.com"]);
    expect(await confirm()).toEqual({ ok: true, already: true });
    expect(await outreach.findCampaign(campaignId)).toMatchObject({
      state: "preparing",
      confirmed_at: confirmedAt,
    });
    await dispatcher().tick();
    expect(await confirm()).toEqual({ ok: true, already: true });
    await dispatcher().tick();
    expect(mailer.recipients).toEqual(people(3));
    expect(await actions()).toEqual([
      {
        actor: operator.by,
        action: "confirm-outreach",
        subject: campaignId,
        at: confirmedAt,
        content_hash: question.contentHash,
      },
    ]);
    expect(question.contentHash).toBe(
      createHash("sha256")
        .update(JSON.stringify(["early-access", "We are live", "Come and see."]))
        .digest("hex"),
    );
  });

  it("does nothing when no one is left who would be mailed (specification, section 5)", async () => {
    const { draft, asked, outreach } = createTestOutreach(database);
    const campaignId = await draft();
    const refusal = { ok: false, error: "no-recipients" };
    const ofNobody = await asked(campaignId);
    expect(await outreach.confirm({ campaignId, reviewed: ofNobody }, operator)).toEqual(refusal);
    await signUp(database, ["gone@example.com"]);
    expect(await outreach.confirm({ campaignId, reviewed: ofNobody }, operator)).toEqual(refusal);
    const ofOne = await asked(campaignId);
    await suppress(database, "gone@example.com");
    expect(await outreach.confirm({ campaignId, reviewed: ofOne }, operator)).toEqual(refusal);
    expect(await outreach.findCampaign(campaignId)).toMatchObject({ state: "draft" });
  });

  it("knows nothing of a send that is not there", async () => {
    const { draft, asked, outreach } = createTestOutreach(database);
    const question = await asked(await draft());
    const unknown = { ok: false, error: "unknown-campaign" };
    expect(await outreach.confirm({ campaignId: "no-such-id", reviewed: question }, operator)).toEqual(
      unknown,
    );
    expect(await outreach.cancel("no-such-id", operator)).toEqual(unknown);
    expect(await outreach.retryFailed("no-such-id", operator)).toEqual(unknown);
    expect(await outreach.findCampaign("no-such-id")).toBeUndefined();
  });

  it.each([
    ["no title", { title: "" }],
    ["a title of spaces", { title: "   " }],
    ["no message", { message: "" }],
    ["a title of two lines", { title: "Hi\r\nBcc: eve@example.com" }],
    ["a title cut by a line separator", { title: "Hi\u2028there" }],
    ["a title of 201 code points", { title: "🎈".repeat(201) }],
    ["a message of 20,001 code points", { message: "🎈".repeat(20_001) }],
  ])("does not confirm a letter with %s (C18)", async (_, letter) => {
    await signUp(database, people(1));
    const { draft, asked, outreach } = createTestOutreach(database);
    const campaignId = await draft(letter);
    const outcome = await outreach.confirm({ campaignId, reviewed: await asked(campaignId) }, operator);
    expect(outcome).toEqual({ ok: false, error: "not-sendable" });
  });

  it("confirms a letter at its limits, counted in code points", async () => {
    await signUp(database, people(1));
    const { draft, asked, outreach } = createTestOutreach(database);
    const campaignId = await draft({ title: "🎈".repeat(200), message: "🎈".repeat(20_000) });
    const outcome = await outreach.confirm({ campaignId, reviewed: await asked(campaignId) }, operator);
    expect(outcome).toMatchObject({ ok: true });
  });

  it("freezes each address once, as first typed", async () => {
    await signUp(database, ["bot@example.com"], { state: "quarantined", quarantine_reason: "too-fast" });
    await signUp(database, ["other@example.com"], { kind: "updates-signup" });
    await signUp(database, ["Ada@Example.com", "bob@example.com"]);
    await signUp(database, ["ada@example.com", "ADA@EXAMPLE.COM"], { name: "Someone else" });
    const { confirmed, dispatcher, rows, mailer, getStats, outreach } = createTestOutreach(database);
    const campaignId = await confirmed();
    await signUp(database, ["too-late@example.com"]);
    await dispatcher().tick();
    expect(
      (await rows(campaignId)).map(({ address, email_key, name }) => ({ address, email_key, name })),
    ).toEqual([
      { address: "Ada@Example.com", email_key: "ada@example.com", name: "Name of Ada@Example.com" },
      { address: "bob@example.com", email_key: "bob@example.com", name: "Name of bob@example.com" },
    ]);
    expect(mailer.recipients).toEqual(["Ada@Example.com", "bob@example.com"]);
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", selected: 2, sent: 2 });
    expect(await outreach.listLatestCampaigns(5)).toMatchObject([{ id: campaignId, state: "finished" }]);
  });

  it("freezes an address once when its signups lie thousands apart", async () => {
    const first = people(2500);
    await signUp(database, [
      ...first,
      "person1@example.com",
      "PERSON2499@example.com",
      ...first.slice(0, 600),
    ]);
    const { confirmed, dispatcher, getStats, mailer } = createTestOutreach(database);
    const campaignId = await confirmed();
    await dispatcher({ concurrency: 500 }).tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", selected: 2500, sent: 2500 });
    expect(mailer.recipients).toEqual(first);
  });

  it("puts a fixed Message-ID of our domain and the row's own unsubscribe link into each mail", async () => {
    await signUp(database, people(2));
    const { confirmed, dispatcher, rows, mailer } = createTestOutreach(database);
    const campaignId = await confirmed();
    await dispatcher().tick();
    for (const [index, row] of (await rows(campaignId)).entries()) {
      expect(row.message_id).toBe(`<${row.id}@example.com>`);
      expect(mailer.received[index]).toEqual({
        messageId: row.message_id,
        from: { name: "Frontdesk", address: "hello@example.com" },
        to: { name: row.name, address: row.address },
        subject: "We are live",
        text: `Come and see. https://example.com/unsubscribe/${row.id}`,
        html: "",
        headers: {},
      });
    }
  });
});
