import { sql } from "kysely";
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { minutes } from "~/lib/durations";
import { getContentHash } from "~/services/outreach/confirm.server";
import { toDraftContent } from "~/services/outreach/drafts.server";
import { createPeople } from "~/services/people/people.server";
import { newId } from "~/services/service-deps";
import { joinAudience } from "~/services/signups/audience-position.server";
import { createTestConfirmations } from "../factories/confirmations";
import {
  createTestCampaign,
  createTestOutreach,
  operator,
  people,
  signUp,
  suppress,
} from "../factories/outreach";
import { createPersonData } from "../factories/people";
import { createTestQuarantine } from "../factories/quarantine";
import { expectQuick } from "../factories/quickest";
import { createTestSubmissions } from "../factories/submissions";
import { createTestSuppressions } from "../factories/suppressions";
import { chooseSize } from "../sizes";
import { describeOnDatabases } from "./use-database";
import { EMPTY_FIELDS } from "~/lib/typed-columns";
import { inPieces } from "../factories/pieces";
import { yieldUntil } from "../wait-until";

const PEOPLE = chooseSize({ daily: 20_000, full: 100_000 });
const CONFIRMED = { ok: true, already: false };
const CHANGED = { ok: false, error: "content-changed" };
const NO_RECIPIENTS = { ok: false, error: "no-recipients" };
const NOT_SENDABLE = { ok: false, error: "not-sendable" };
const UNKNOWN = { ok: false, error: "unknown-campaign" };

describeOnDatabases("a draft on %s", ({ database }) => {
  it("is saved under one id, complete or not", async () => {
    const { draft, outreach, clock } = createTestOutreach(database);
    const id = outreach.newDraftId();
    expect(await Promise.all([draft({ id, title: "" }), draft({ id, title: "Sent twice at once" })])).toEqual(
      [id, id],
    );
    expect(await draft({ id, title: "Now with a title", audience: "contact-form" })).toBe(id);
    const saved = { title: "Now with a title", audience: "contact-form", created_by: operator.by };
    expect(await outreach.findCampaign(id)).toMatchObject({ ...saved, state: "draft", created_at: clock() });
    expect(await outreach.listLatestCampaigns({ limit: 5 })).toEqual([]);
  });

  it("is listed in the order of saving, page by page", async () => {
    const { draft, outreach, clock } = createTestOutreach(database);
    const ids: string[] = [];
    for (const title of ["First", "Second", "Third"]) {
      clock.forward(minutes(1));
      ids.push(await draft({ title }));
    }
    clock.forward(minutes(1));
    await draft({ id: ids[0], title: "First, saved again" });
    const [first, second, third] = ids;
    const list = async (page: { before?: string; after?: string }) =>
      (await outreach.listDrafts({ ...page, limit: 2 })).map(({ id }) => id);
    expect(await list({})).toEqual([first, third]);
    expect(await list({ before: third })).toEqual([second]);
    expect(await list({ after: second })).toEqual([first, third]);
  });

  it.each([
    ["a colleague's form", "bo@example.com"],
    ["another window of the same account", operator.by],
  ])("is not saved over a version of %s that was never shown", async (_, by) => {
    const { draft, outreach } = createTestOutreach(database);
    const mine = {
      audience: "early-access",
      title: "Mine",
      message: "My words.",
      format: "text",
      testAddress: "",
    } as const;
    const later = { ...mine, title: "Mine, later" };
    const theirs = { ...mine, title: "Theirs" };
    const id = await draft();
    const getDraft = async () => (await outreach.findCampaign(id))!;
    const base = getContentHash(await getDraft());
    const save = (content: typeof mine | typeof theirs, shown: string, form = "my window") =>
      outreach.saveDraft({
        ...content,
        id,
        base: shown,
        form,
        createdBy: form === "my window" ? operator.by : by,
      });
    const saved = { ok: true, id, isCopy: false };

    // Autosave sends the form's first base each time, and may be under way while a button is pressed.
    expect(await save(mine, base)).toEqual(saved);
    expect(await save(later, base)).toEqual(saved);

    expect(await save(theirs, getContentHash(later), "other window")).toEqual(saved);
    expect(await save(mine, base)).toMatchObject({
      ok: false,
      error: "changed",
      saved: { id, title: "Theirs", message: "My words.", by },
    });
    expect((await getDraft()).title).toBe("Theirs");
    expect(await save(theirs, base), "the same text is no conflict").toEqual(saved);
    expect(await save(mine, getContentHash(theirs))).toEqual(saved);
    expect((await getDraft()).title).toBe("Mine");
  });

  it("is new when a confirmed campaign is saved again, which never changes", async () => {
    const { campaignId: id, getCampaign, outreach } = await createTestCampaign(database, 1);
    const content = { ...toDraftContent(await getCampaign()), createdBy: operator.by };
    const saving = await outreach.saveDraft({ ...content, id, title: "Second thoughts" });
    expect(saving).toMatchObject({ ok: true, isCopy: true });
    const other = saving.ok ? saving.id : id;
    expect(other).not.toBe(id);
    expect(await outreach.findCampaign(id)).toMatchObject({ state: "preparing", title: "We are live" });
    expect(await outreach.findCampaign(other)).toMatchObject({ state: "draft", title: "Second thoughts" });
  });

  it("that is discarded can only be restored or saved", async () => {
    await signUp(database, people(1));
    const { outreach, draft, review, confirm } = createTestOutreach(database);
    const id = await draft();
    const reviewed = await review(id);
    expect(await outreach.discardDraft(id)).toBe(true);
    expect(await outreach.listDrafts({ limit: 10 })).toEqual([]);
    expect(await outreach.listLatestCampaigns({ limit: 10 })).toEqual([]);
    expect(await confirm(id, reviewed)).toEqual(UNKNOWN);
    expect(await draft({ id, title: "Still wanted" })).toBe(id);
    expect(await outreach.listDrafts({ limit: 10 })).toMatchObject([{ id, title: "Still wanted" }]);
    await outreach.discardDraft(id);
    expect(await outreach.restoreDraft(id)).toBe(true);
    expect(await outreach.listDrafts({ limit: 10 })).toMatchObject([{ id }]);
    expect(await confirm(id)).toEqual(CONFIRMED);
    expect(await outreach.discardDraft(id)).toBe(false);
    expect(await outreach.findCampaign(id)).toMatchObject({ finished_at: null });
  });

  it("copied from a campaign has its content and belongs to the operator who copied it", async () => {
    const { campaignId, getCampaign, outreach, draft } = await createTestCampaign(database, 1);
    await outreach.cancel(campaignId, operator);
    const { audience, title, message } = await getCampaign();
    const created_by = "bo@example.com";
    const copy = (await outreach.copyAsDraft(campaignId, created_by)) ?? "";
    const expected = { state: "draft", audience, title, message, created_by };
    expect(await outreach.findCampaign(copy)).toMatchObject(expected);
    expect(await outreach.copyAsDraft(await draft(), operator.by)).toBeUndefined();
    expect(await outreach.copyAsDraft("unknown", operator.by)).toBeUndefined();
  });
});

describeOnDatabases("the audience of a campaign on %s", ({ database }) => {
  it("is previewed by its first five mailable addresses", async () => {
    await signUp(database, ["zoe@example.com", "Ada@Example.com", "bob@example.com", "ada@example.com"]);
    await signUp(database, ["gone@example.com", "refused@example.com", "eve@example.com"]);
    await signUp(database, ["abe@example.com", "cy@example.com"]);
    await signUp(database, ["bot@example.com"], { state: "quarantined", quarantine_reason: "honeypot" });
    await signUp(database, ["other@example.com"], { kind: "contact-form" });
    await suppress(database, "gone@example.com", "unsubscribed");
    await suppress(database, "refused@example.com", "refused");
    await suppress(database, "stranger@example.com", "refused");
    const { outreach } = createTestOutreach(database);
    expect(await outreach.previewAudience({ audience: "early-access" })).toEqual({
      total: 8,
      mailable: 6,
      chosen: 6,
      duplicates: 1,
      isTooLarge: false,
      skippedByReason: { unsubscribed: 1, suppressed: 1 },
      firstFive: [
        "zoe@example.com",
        "Ada@Example.com",
        "bob@example.com",
        "eve@example.com",
        "abe@example.com",
      ],
    });
    const nobody = { total: 0, mailable: 0, firstFive: [] };
    expect(await outreach.previewAudience({ audience: "updates-signup" })).toMatchObject(nobody);
  });

  it("gets each address once, as first typed", async () => {
    await signUp(database, ["bot@example.com"], { state: "quarantined", quarantine_reason: "too-fast" });
    await signUp(database, ["other@example.com"], { kind: "updates-signup" });
    await signUp(database, ["Ada@Example.com", "bob@example.com"]);
    await signUp(database, ["ada@example.com", "ADA@EXAMPLE.COM"], { name: "Someone else" });
    const { confirmed, campaignWorker, rows, mailer, getStats, outreach } = createTestOutreach(database);
    const campaignId = await confirmed();
    await signUp(database, ["too-late@example.com"]);
    await campaignWorker().tick();
    expect(await rows(campaignId)).toMatchObject([
      { address: "Ada@Example.com", email_key: "ada@example.com", name: "Name of Ada@Example.com" },
      { address: "bob@example.com", email_key: "bob@example.com", name: "Name of bob@example.com" },
    ]);
    expect(mailer.recipients).toEqual(["Ada@Example.com", "bob@example.com"]);
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", selected: 2, sent: 2 });
    expect(await outreach.listLatestCampaigns({ limit: 5 })).toMatchObject([
      { id: campaignId, state: "finished" },
    ]);
  });

  it("gets an address once whose signups are thousands apart", async () => {
    const first = people(2500);
    const repeated = ["person1@example.com", "PERSON2499@example.com", ...first.slice(0, 600)];
    const addresses = [...first, ...repeated];
    const { tick, getStats, mailer } = await createTestCampaign(database, addresses, { concurrency: 500 });
    await tick();
    expect(await getStats()).toMatchObject({ state: "finished", selected: 2500, sent: 2500 });
    expect(mailer.recipients).toEqual(first);
  });

  it("gets emails with a fixed Message-ID and their own link", async () => {
    const { tick, rows, mailer } = await createTestCampaign(database, 2);
    await tick();
    const expected = (await rows()).map(({ id, name, address }) => ({
      messageId: `<${id}@mail.example.com>`,
      to: { name, address },
      text: `Come and see. https://example.com/unsubscribe/${id}`,
    }));
    expect(mailer.received).toMatchObject(expected);
  });
});

describeOnDatabases("the confirmation of a campaign on %s", ({ database, dialect }) => {
  const getId = async (email: string) => {
    const row = database.read.selectFrom("submissions").select("id").where("email", "=", email);
    return (await row.executeTakeFirstOrThrow()).id;
  };
  /** Deletes the submission of an address. @returns the id of the deletion. */
  const remove = async (email: string) => {
    const { deletions } = createTestSubmissions(database);
    return (await deletions.delete({ kind: "early-access", ids: [await getId(email)] }, operator)) ?? "";
  };
  const restore = (deletion: string) => createTestSubmissions(database).deletions.undo(deletion, operator);
  const releaseSuppressed = async () => {
    const { id } = await database.read.selectFrom("suppressions").select("id").executeTakeFirstOrThrow();
    await createTestSuppressions(database).list.release([id], "", operator);
  };
  const listUpTo = async (position: number) => {
    const rows = database.read.selectFrom("submissions").select("email");
    return (await rows.where("audience_position", "<=", position).execute()).map(({ email }) => email);
  };
  /** Creates outreach and a draft, with what its confirmation step shows now. */
  async function createReviewedDraft(content?: { audience: "updates-signup" }) {
    const world = createTestOutreach(database);
    const campaignId = await world.draft(content);
    return { ...world, campaignId, reviewed: await world.review(campaignId) };
  }

  // C30
  it("starts a campaign once, however often it is sent", async () => {
    await signUp(database, people(3));
    const { campaignId, reviewed, outreach, clock, campaignWorker, mailer, ...world } =
      await createReviewedDraft();
    const confirm = () => world.confirm(campaignId, reviewed);
    const already = { ok: true, already: true };
    const outcomes = await Promise.all([confirm(), confirm(), confirm()]);
    expect(outcomes).toEqual(expect.arrayContaining([CONFIRMED, already]));
    expect(outcomes.filter((one) => one.ok && one.already)).toHaveLength(2);
    const confirmedAt = clock();
    clock.forward(1000);
    // Sent again from the browser's history, when the audience has changed.
    await signUp(database, ["late@example.com"]);
    expect(await confirm()).toEqual(already);
    const started = { state: "preparing", confirmed_at: confirmedAt };
    expect(await outreach.findCampaign(campaignId)).toMatchObject(started);
    await campaignWorker().tick();
    expect(await confirm()).toEqual(already);
    await campaignWorker().tick();
    expect(mailer.recipients).toEqual(people(3));
    const content = JSON.stringify(["early-access", "We are live", "Come and see.", "text"]);
    expect(reviewed.contentHash).toBe(createHash("sha256").update(content).digest("hex"));
    const entry = { actor: operator.by, action: "confirm-outreach", subject: campaignId, at: confirmedAt };
    expect(await database.read.selectFrom("audit").selectAll().execute()).toMatchObject([
      { ...entry, content_hash: reviewed.contentHash },
    ]);
  });

  it("is refused when nobody would get the email (specification, section 5)", async () => {
    const { draft, review, confirm, outreach } = createTestOutreach(database);
    const id = await draft();
    const ofNobody = await review(id);
    expect(await confirm(id, ofNobody)).toEqual(NO_RECIPIENTS);
    await signUp(database, ["gone@example.com"]);
    expect(await confirm(id, ofNobody)).toEqual(NO_RECIPIENTS);
    const ofOne = await review(id);
    await suppress(database, "gone@example.com");
    expect(await confirm(id, ofOne)).toEqual(NO_RECIPIENTS);
    expect(await outreach.findCampaign(id)).toMatchObject({ state: "draft" });
  });

  it("is refused, as every other action, for a campaign that does not exist", async () => {
    const { draft, review, confirm, outreach } = createTestOutreach(database);
    expect(await confirm("no-such-id", await review(await draft()))).toEqual(UNKNOWN);
    expect(await outreach.cancel("no-such-id", operator)).toEqual(UNKNOWN);
    expect(await outreach.retryFailed("no-such-id", operator)).toEqual(UNKNOWN);
    expect(await outreach.findCampaign("no-such-id")).toBeUndefined();
  });

  // C18
  it.each<[string, { title?: string; message?: string }, object?]>([
    ["texts at their limits", { title: "🎈".repeat(200), message: "🎈".repeat(20_000) }, CONFIRMED],
    ["no title", { title: "" }],
    ["a title of spaces", { title: "   " }],
    ["no message", { message: "" }],
    ["a title of two lines", { title: "Hi\r\nBcc: eve@example.com" }],
    ["a title with a line separator", { title: "Hi\u2028there" }],
    ["a title of 201 code points", { title: "🎈".repeat(201) }],
    ["a message of 20,001 code points", { message: "🎈".repeat(20_001) }],
  ])("accepts only an email that can be sent: %s", async (_, content, outcome = NOT_SENDABLE) => {
    await signUp(database, people(1));
    const { draft, confirm } = createTestOutreach(database);
    expect(await confirm(await draft(content))).toEqual(outcome);
  });

  // C30
  it("is accepted at once while people keep signing up", async () => {
    await signUp(database, people(40));
    const { draft, confirm, outreach, campaignWorker, mailer, rows, getStats } = createTestOutreach(database);
    const campaignId = await draft();
    const campaign = (await outreach.findCampaign(campaignId))!;
    let arrived = 0;
    let isOver = false;
    const arrivals = [1, 2, 3].map(async (source) => {
      for (let number = 1; !isOver; number += 1) {
        await signUp(database, [`late${source}.${number}@example.com`]);
        arrived += 1;
      }
    });
    const waitForSignups = async () => {
      const before = arrived;
      await yieldUntil(() => arrived > before + 3);
    };
    await waitForSignups();
    const { reviewed, mailable } = await outreach.getPreflight(campaign);
    await waitForSignups();
    expect(await confirm(campaignId, reviewed)).toEqual(CONFIRMED);
    await waitForSignups();
    await campaignWorker({ concurrency: 500 }).tick();
    isOver = true;
    await Promise.all(arrivals);
    expect(mailable).toBeGreaterThan(40);
    const counted = await listUpTo(reviewed.through);
    expect(counted).toHaveLength(mailable);
    expect(mailer.recipients.toSorted()).toEqual(counted.toSorted());
    expect(await rows(campaignId)).toHaveLength(mailable);
    const finished = { state: "finished", selected: mailable, sent: mailable, goneSinceReview: 0 };
    expect(await getStats(campaignId)).toMatchObject(finished);
  });

  // C30
  it("excludes a signup that was not committed when it counted, however old its id", async () => {
    const [early, uncommitted] = [newId(), newId()];
    await signUp(database, people(2));
    const { draft, review, confirm, campaignWorker, mailer } = createTestOutreach(database);
    const campaignId = await draft();
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<undefined>();
    const { promise: stored, resolve: isStored } = Promise.withResolvers<undefined>();
    const signingUp = database.write(async (trx) => {
      const row = {
        ...EMPTY_FIELDS,
        quarantine_reason: "",
        state: "accepted",
        source: "direct",
        created_at: 1,
      } as const;
      const email = "uncommitted@example.com";
      await trx
        .insertInto("submissions")
        .values({ ...row, id: uncommitted, kind: "early-access", name: "Ada", email, email_key: email })
        .execute();
      await joinAudience(trx, "early-access", [uncommitted], 1);
      isStored(undefined);
      await mayCommit;
    });
    await Promise.race([stored, signingUp]);
    const reviewed = await review(campaignId);
    commit(undefined);
    await signingUp;
    await signUp(database, ["old-id@example.com"], { id: early });
    expect(reviewed.counted).toBe(2);
    expect(await confirm(campaignId, reviewed)).toEqual(CONFIRMED);
    await campaignWorker().tick();
    expect(mailer.recipients).toEqual(people(2));
  });

  // C30
  it("never counts a later position before an earlier one", async () => {
    const { draft, review } = createTestOutreach(database);
    const campaignId = await draft();
    let isOver = false;
    let reviews = 0;
    const reviewing = (async () => {
      while (!isOver) {
        const { through, counted } = await review(campaignId);
        expect(await listUpTo(through)).toHaveLength(counted);
        reviews += 1;
        // SQLite answers without waiting, which would block everybody else.
        await setImmediate();
      }
    })();
    await Promise.all(
      [1, 2, 3, 4].map(async (source) => {
        for (let number = 1; number <= 25; number += 1)
          await signUp(database, [`e${source}.${number}@example.com`]);
      }),
    );
    isOver = true;
    await reviewing;
    expect(reviews).toBeGreaterThan(0);
    expect((await review(campaignId)).counted).toBe(100);
  });

  // C30
  it("skips who unsubscribed since and leaves out who was deleted", async () => {
    await signUp(database, [...people(5), "gone@example.com"]);
    await suppress(database, "gone@example.com");
    const { campaignId, reviewed, confirm, campaignWorker, mailer, getStats, states } =
      await createReviewedDraft();
    expect(reviewed.counted).toBe(6);
    await suppress(database, "person1@example.com");
    await remove("person2@example.com");
    const erasure = createPeople({
      database,
      personData: createPersonData(database),
      clock: () => 1,
      newId,
    });
    expect(await erasure.erase(await getId("person3@example.com"), operator)).toMatchObject({ ok: true });
    expect(await confirm(campaignId, reviewed)).toEqual(CONFIRMED);
    await campaignWorker().tick();
    expect(mailer.recipients).toEqual(["person4@example.com", "person5@example.com"]);
    expect(await states(campaignId)).toEqual({
      "person1@example.com": "skipped",
      "person4@example.com": "sent",
      "person5@example.com": "sent",
      "gone@example.com": "skipped",
    });
    expect(await getStats(campaignId)).toMatchObject({
      selected: 4,
      recipients: 2,
      skipped: 2,
      goneSinceReview: 2,
    });
  });

  // C30
  it("excludes who comes back after it", async () => {
    const quarantine = createTestQuarantine(database);
    const bot = await quarantine.bot("bot@example.com");
    await signUp(database, ["restored@example.com", "deleted-since@example.com", "released@example.com"]);
    await signUp(database, people(1));
    await suppress(database, "released@example.com", "refused");
    const deletion = await remove("restored@example.com");
    const { campaignId, reviewed, draft, review, confirm, campaignWorker, mailer, getStats } =
      await createReviewedDraft();
    expect(reviewed.counted).toBe(3);

    await quarantine.quarantine.release({ ids: [bot] }, operator);
    expect(await restore(deletion)).toBe(1);
    expect(await restore(await remove("deleted-since@example.com"))).toBe(1);
    await releaseSuppressed();

    expect(await confirm(campaignId, reviewed)).toEqual(CONFIRMED);
    await campaignWorker().tick();
    expect(mailer.recipients).toEqual(people(1));
    expect(await getStats(campaignId)).toMatchObject({ selected: 1, sent: 1, goneSinceReview: 2 });
    // The next draft's review counts them all.
    expect((await review(await draft())).counted).toBe(5);
  });

  // C30
  it("excludes an address that is confirmed after it", async () => {
    const { signUp: signUpForUpdates, confirmations, tokens, getRequest } = createTestConfirmations(database);
    await signUp(database, [...people(1), "ada@example.com"], { kind: "updates-signup" });
    await suppress(database, "ada@example.com");
    await signUpForUpdates("ada@example.com");
    const { campaignId, reviewed, confirm, campaignWorker, mailer } = await createReviewedDraft({
      audience: "updates-signup",
    });
    expect(reviewed.counted).toBe(2);
    const token = tokens.createToken(await getRequest());
    expect(await confirmations.confirm(token, { network: "", requestId: "" })).toBe("open");
    expect(await confirm(campaignId, reviewed)).toEqual(CONFIRMED);
    await campaignWorker().tick();
    expect(mailer.recipients).toEqual(people(1));
  });

  // C30
  it("adds nobody who leaves the suppression list before the start", async () => {
    await signUp(database, [...people(1), "released@example.com"]);
    await suppress(database, "released@example.com", "refused");
    const { confirmed, campaignWorker, mailer, clock, getStats } = createTestOutreach(database);
    const schedule = { beginAt: clock() + minutes(10), whenMissed: "send" } as const;
    const campaignId = await confirmed({ schedule });
    await campaignWorker().tick();
    expect(await getStats(campaignId)).toMatchObject({ selected: 2, recipients: 1, skipped: 1, pending: 1 });
    await releaseSuppressed();
    clock.forward(minutes(11));
    await campaignWorker().tick();
    expect(mailer.recipients).toEqual(people(1));
    const skippedByReason = { suppressed: 1 };
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", skippedByReason });
  });

  // C30
  it.each<[string, { title?: string; message?: string; audience?: "contact-form" }]>([
    ["title", { title: "Theirs" }],
    ["message", { message: "Theirs." }],
    ["audience", { audience: "contact-form" }],
  ])("is refused when a colleague changed the %s since the review", async (_, change) => {
    await signUp(database, people(2));
    await signUp(database, people(2), { kind: "contact-form" });
    const { campaignId, reviewed, draft, confirm, outreach } = await createReviewedDraft();
    await draft({ id: campaignId, ...change });
    expect(await confirm(campaignId, reviewed)).toEqual(CHANGED);
    const untouched = { state: "draft", confirmed_at: null, counted: 0 };
    expect(await outreach.findCampaign(campaignId)).toMatchObject(untouched);
    expect(await database.read.selectFrom("audit").selectAll().execute()).toEqual([]);
    expect(await confirm(campaignId)).toEqual(CONFIRMED);
  });

  // C30
  it("is accepted when only the same content was saved again", async () => {
    await signUp(database, people(1));
    const { campaignId, reviewed, draft, confirm } = await createReviewedDraft();
    await draft({ id: campaignId });
    expect(await confirm(campaignId, reviewed)).toEqual(CONFIRMED);
  });

  // C30
  it("reaches nobody who joins after it", async () => {
    await signUp(database, people(2));
    const deletion = await remove("person1@example.com");
    const { campaignId, reviewed, confirm, campaignWorker, mailer } = await createReviewedDraft();
    expect(await confirm(campaignId, { ...reviewed, through: 1_000_000 })).toEqual(CONFIRMED);
    await signUp(database, ["late@example.com"]);
    expect(await restore(deletion)).toBe(1);
    await campaignWorker().tick();
    expect(mailer.recipients).toEqual(["person2@example.com"]);
  });

  // C30, R27
  it(`counts ${PEOPLE} exactly, in well under a second, whoever joined since`, async () => {
    const { draft, outreach } = createTestOutreach(database);
    const campaign = (await outreach.findCampaign(await draft()))!;
    // A few of those that joined since have an address that was counted.
    const addresses = sql.lit((PEOPLE / 20) * 21);
    await inPieces(
      database,
      [1, (PEOPLE / 10) * 11],
      (numbers) => sql`
        insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at, audience_position)
        with recursive ${numbers}
        select '01900000-0000-7000-8000-' || cast(100000000000 + n as text), 'early-access', 'accepted', '', 'Ada',
          'ada' || (n % ${addresses}) || '@example.com', 'ada' || (n % ${addresses}) || '@example.com', '', '', '', '', n,
          case when n > ${sql.lit(PEOPLE)} then 2 else 1 end
        from numbers`,
    );
    const stored = { kind: "early-access", state: "accepted", count: PEOPLE, audience_position: 1 } as const;
    await database.write((trx) => trx.insertInto("submission_counts").values(stored).execute());
    await suppress(database, "ada7@example.com");
    await suppress(database, "ada8@example.com", "refused");
    // Joined since: its address was not counted.
    await suppress(database, `ada${PEOPLE + 1}@example.com`);
    if (dialect === "postgres") await sql`vacuum analyze submissions`.execute(database.read);
    const skippedByReason = { unsubscribed: 1, suppressed: 1 };
    const counts = { total: PEOPLE, mailable: PEOPLE - 2, skippedByReason, duplicates: 0 };
    const reviewed = { through: 1, counted: PEOPLE };
    expect(await outreach.getPreflight(campaign)).toMatchObject({ ...counts, reviewed });
    await expectQuick(500, { preflight: () => outreach.getPreflight(campaign) });
  });
});
