import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { dialects } from "../databases";
import { operator, createTestOutreach } from "../factories/outreach";
import { createTestQuarantine } from "../factories/quarantine";
import { measureQuickest } from "../factories/quickest";
import { useDatabase } from "./use-database";

describe.each(dialects)("the quarantine on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));
  const submissions = () => database.read.selectFrom("submissions").selectAll().orderBy("id").execute();
  const states = async () => Object.fromEntries((await submissions()).map((row) => [row.email, row.state]));
  const consents = () => database.read.selectFrom("consents").selectAll().orderBy("submission_id").execute();
  const audited = () =>
    database.read.selectFrom("audit").select(["actor", "action", "subject"]).orderBy("id").execute();

  /** Five who wait, in this order, and one person. */
  async function five() {
    const deps = createTestQuarantine(database);
    await deps.bot("a@example.com");
    await deps.bot("b@example.com", "contact-form", "too-fast");
    await deps.bot("c@example.com", "early-access", "forged-form");
    await deps.person("person@example.com");
    await deps.bot("d@example.com", "updates-signup");
    await deps.bot("e@example.com", "contact-form");
    const addresses = async (...given: Parameters<typeof deps.quarantine.list>) =>
      (await deps.quarantine.list(...given)).map((row) => row.email);
    return { ...deps, addresses };
  }

  it("lists who waits, newest first, page by page, with all they sent and why they wait", async () => {
    const { quarantine, addresses, clock } = await five();
    const page = await quarantine.list({}, { limit: 3 });
    expect(page.map((row) => row.email)).toEqual(["e@example.com", "d@example.com", "c@example.com"]);
    expect(page[0]).toEqual({
      id: expect.any(String),
      kind: "contact-form",
      reason: "honeypot",
      email: "e@example.com",
      name: "Name of e@example.com",
      company: "",
      role: "",
      inquiry_type: "general",
      message: "Buy!",
      created_at: clock(),
    });
    expect(await addresses({}, { limit: 3, before: page[2]!.id })).toEqual([
      "b@example.com",
      "a@example.com",
    ]);
    expect(await addresses({}, { limit: 3, before: "no id of ours\0" })).toHaveLength(3);
  });

  it("narrows the list to a form, a reason or both", async () => {
    const { addresses } = await five();
    const limit = 10;
    expect(await addresses({ kind: "contact-form" }, { limit })).toEqual(["e@example.com", "b@example.com"]);
    const honeypot = ["e@example.com", "d@example.com", "a@example.com"];
    expect(await addresses({ reason: "honeypot" }, { limit })).toEqual(honeypot);
    expect(await addresses({ kind: "contact-form", reason: "too-fast" }, { limit })).toEqual([
      "b@example.com",
    ]);
    expect(await addresses({ kind: "updates-signup", reason: "too-fast" }, { limit })).toEqual([]);
  });

  it("knows how many wait, in all and of each form for each reason", async () => {
    const { quarantine } = await five();
    expect(await quarantine.count()).toBe(5);
    const counts = await quarantine.counts();
    expect(counts.toSorted((a, b) => (a.kind + a.reason < b.kind + b.reason ? -1 : 1))).toEqual([
      { kind: "contact-form", reason: "honeypot", count: 1 },
      { kind: "contact-form", reason: "too-fast", count: 1 },
      { kind: "early-access", reason: "forged-form", count: 1 },
      { kind: "early-access", reason: "honeypot", count: 1 },
      { kind: "updates-signup", reason: "honeypot", count: 1 },
    ]);
  });

  it("lets in what is released, with the consent it came with, and writes one line about it (C27)", async () => {
    const { quarantine, signups, clock, findId, expectCountsToAgree } = await five();
    const before = await consents();
    const ids = [
      await findId("a@example.com", "early-access"),
      await findId("d@example.com", "updates-signup"),
    ];
    clock.forward(minutes(1));
    expect(await quarantine.release({ ids }, operator)).toBe(2);
    expect((await submissions())[0]).toMatchObject({
      email: "a@example.com",
      state: "accepted",
      quarantine_reason: "",
      created_at: clock() - minutes(1),
      admitted_at: clock(),
    });
    expect(await signups.counts()).toEqual({ "early-access": 2, "contact-form": 0, "updates-signup": 1 });
    const listed = await signups.list("early-access", { limit: 5 });
    expect(listed.map((row) => row.email)).toEqual(["person@example.com", "a@example.com"]);
    const { previewAudience: audiencePreview } = createTestOutreach(database).outreach;
    expect((await audiencePreview("early-access")).firstFive).toEqual([
      "a@example.com",
      "person@example.com",
    ]);
    expect(await consents()).toEqual(before);
    expect(await quarantine.count()).toBe(3);
    await expectCountsToAgree();
    expect(await audited()).toEqual([
      { actor: operator.by, action: "release-quarantined", subject: "2 submissions" },
    ]);
  });

  it("forgets what is purged: the submission, its consent and that its content was seen", async () => {
    const { quarantine, bot, findId, expectCountsToAgree } = await five();
    const id = await findId("a@example.com", "early-access");
    expect(await quarantine.purge({ ids: [id] }, operator)).toBe(1);
    expect(await states()).not.toHaveProperty("a@example.com");
    expect((await consents()).filter((row) => row.submission_id === id)).toEqual([]);
    expect(await consents()).toHaveLength(5);
    expect(
      await database.read
        .selectFrom("submission_fingerprints")
        .select("submission_id")
        .where("submission_id", "=", id)
        .execute(),
    ).toEqual([]);
    await expectCountsToAgree();
    expect(await audited()).toEqual([
      { actor: operator.by, action: "purge-quarantined", subject: "1 submission" },
    ]);
    await bot("a@example.com");
    expect(await quarantine.count()).toBe(5);
  });

  it("changes nothing when asked a second time, and says so", async () => {
    const { quarantine, findId, expectCountsToAgree } = await five();
    const released = [await findId("a@example.com", "early-access")];
    const purged = [await findId("e@example.com", "contact-form")];
    const both = () =>
      Promise.all([
        quarantine.release({ ids: released }, operator),
        quarantine.purge({ ids: purged }, operator),
      ]);
    expect(await both()).toEqual([1, 1]);
    const [rows, lines] = [await submissions(), await audited()];
    expect(await both()).toEqual([0, 0]);
    expect(await submissions()).toEqual(rows);
    expect(await audited()).toEqual(lines);
    await expectCountsToAgree();
  });

  it("touches only what waits: neither people's submissions nor what is no id", async () => {
    const { quarantine, findId } = await five();
    const before = await submissions();
    const ids = [await findId("person@example.com", "early-access"), "", "x\0", "../..", "x".repeat(3000)];
    for (const verb of ["release", "purge"] as const) {
      expect(await quarantine[verb]({ ids }, operator)).toBe(0);
      expect(await quarantine[verb]({ ids: [] }, operator)).toBe(0);
      expect(await quarantine[verb]({ through: "" }, operator)).toBe(0);
      expect(await quarantine[verb]({ through: "z\0" }, operator)).toBe(0);
    }
    expect(await submissions()).toEqual(before);
    expect(await audited()).toEqual([]);
  });

  it("settles all that match as they were seen, and nothing that came since", async () => {
    const { quarantine, bot, expectCountsToAgree } = await five();
    const [newest] = await quarantine.list({ reason: "honeypot" }, { limit: 1 });
    const chosen = { reason: "honeypot", through: newest!.id } as const;
    await bot("late@example.com");
    expect(await quarantine.release({ ...chosen, kind: "contact-form" }, operator)).toBe(1);
    expect(await quarantine.purge(chosen, operator)).toBe(2);
    expect(await states()).toEqual({
      "b@example.com": "quarantined",
      "c@example.com": "quarantined",
      "person@example.com": "accepted",
      "e@example.com": "accepted",
      "late@example.com": "quarantined",
    });
    await expectCountsToAgree();
    expect((await audited()).map((row) => row.subject)).toEqual([
      "1 submission, all of contact-form for honeypot",
      "2 submissions, all for honeypot",
    ]);
  });

  it("shows what a choice means before it is settled", async () => {
    const { quarantine, bot, findId } = await five();
    const [newest] = await quarantine.list({}, { limit: 1 });
    await bot("late@example.com");
    const all = await quarantine.preview({ through: newest!.id }, 2);
    expect(all.counts.reduce((sum, { count }) => sum + count, 0)).toBe(5);
    expect(all.newest.map((row) => row.email)).toEqual(["e@example.com", "d@example.com"]);
    const ids = [
      await findId("a@example.com", "early-access"),
      await findId("person@example.com", "early-access"),
    ];
    const selected = await quarantine.preview({ ids }, 5);
    expect(selected.counts).toEqual([{ kind: "early-access", reason: "honeypot", count: 1 }]);
    expect(selected.newest.map((row) => row.email)).toEqual(["a@example.com"]);
    expect(await quarantine.preview({ ids: [] }, 5)).toEqual({ counts: [], newest: [] });
  });

  it.each(["release", "purge"] as const)(
    "a %s of more than a thousand that breaks half way has told how far it came, and a repeat does the rest",
    async (verb) => {
      let writesLeft = 2;
      const breaking: Database = {
        ...database,
        write: (work) =>
          writesLeft-- > 0 ? database.write(work) : Promise.reject(new Error("The disk is full")),
      };
      const { quarantine, bots, expectCountsToAgree } = createTestQuarantine(database, breaking);
      await bots(1200);
      const [newest] = await quarantine.list({}, { limit: 1 });
      const chosen = { kind: "early-access", through: newest!.id } as const;
      await expect(quarantine[verb](chosen, operator)).rejects.toThrow("The disk is full");
      expect(await quarantine.count()).toBe(200);
      await expectCountsToAgree();
      const subjects = async () => (await audited()).map((row) => row.subject);
      expect(await subjects()).toEqual(["1,000 submissions, all of early-access"]);

      writesLeft = Infinity;
      expect(await quarantine[verb](chosen, operator)).toBe(200);
      expect(await quarantine.count()).toBe(0);
      await expectCountsToAgree();
      expect(await subjects()).toEqual([
        "1,000 submissions, all of early-access",
        "200 submissions, all of early-access",
      ]);
      expect(await submissions()).toHaveLength(verb === "release" ? 1200 : 0);
      expect(await consents()).toHaveLength(verb === "release" ? 1200 : 0);
    },
  );

  it("settles each submission once when two operators decide at the same time", async () => {
    const { quarantine, bots, expectCountsToAgree } = createTestQuarantine(database);
    await bots(700);
    const [newest] = await quarantine.list({}, { limit: 1 });
    const through = newest!.id;
    const [released, purged, again] = await Promise.all([
      quarantine.release({ through }, operator),
      quarantine.purge({ through }, operator),
      quarantine.release({ through }, operator),
    ]);
    expect(released + purged + again).toBe(700);
    expect(await submissions()).toHaveLength(700 - purged);
    expect(await quarantine.count()).toBe(0);
    await expectCountsToAgree();
  });

  it("mails those who are released before a send is confirmed, and not those released after it (C30)", async () => {
    const { quarantine, bot, person, clock } = createTestQuarantine(database);
    const early = await bot("early@example.com");
    const late = await bot("late@example.com");
    const sender = createTestOutreach(database);
    await person("person@example.com");
    await quarantine.release({ ids: [early] }, operator);
    sender.clock.forward(clock() - sender.clock());
    const campaignId = await sender.confirmed();
    clock.forward(minutes(1));
    // The audience is not frozen yet, and its id is older than the newest of it.
    await quarantine.release({ ids: [late] }, operator);
    await sender.dispatcher().tick();
    expect(sender.mailer.recipients).toEqual(["early@example.com", "person@example.com"]);
    expect(await sender.getStats(campaignId)).toMatchObject({ state: "finished", selected: 2, sent: 2 });
  });

  it("answers in well under 100 ms with 100,000 waiting, whichever are asked for (R27)", async () => {
    const { quarantine } = createTestQuarantine(database);
    await database.write((trx) =>
      sql`
        insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100000)
        select '01900000-0000-7000-8000-' || cast(100000000000 + n as text),
          case when n % 3 = 0 then 'contact-form' else 'early-access' end, 'quarantined',
          case when n < 4 then 'forged-form' else 'honeypot' end, 'Eve', 'eve@example.com', 'eve@example.com', '', '',
          '', 'Buy this, and buy it now.', n from numbers`.execute(trx),
    );
    // What PostgreSQL does by itself within a minute.
    if (dialect === "postgres") await sql`vacuum analyze submissions`.execute(database.read);
    const [newest] = await quarantine.list({}, { limit: 1 });
    const through = newest!.id;
    const asked = {
      page: () => quarantine.list({}, { limit: 41 }),
      last: () =>
        quarantine.list(
          { kind: "contact-form" },
          { limit: 41, before: "01900000-0000-7000-8000-100000000099" },
        ),
      rare: () => quarantine.list({ reason: "forged-form" }, { limit: 41 }),
      none: () => quarantine.list({ kind: "updates-signup" }, { limit: 41 }),
      counts: () => quarantine.counts(),
      question: () => quarantine.preview({ through }, 5),
    };
    for (const [name, ask] of Object.entries(asked)) {
      expect(await measureQuickest(ask, { within: 100 }), name).toBeLessThan(100);
    }
  });
});
