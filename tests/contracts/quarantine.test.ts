import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { readAudit } from "../factories/accounts";
import { operator, createTestOutreach } from "../factories/outreach";
import { createTestQuarantine } from "../factories/quarantine";
import { expectQuick } from "../factories/quickest";
import { expectCountsToAgree } from "../factories/submissions";
import { chooseSize } from "../sizes";
import { describeOnDatabases } from "./use-database";
import { inPieces } from "../factories/pieces";

const ROWS = chooseSize({ daily: 20_000, full: 100_000 });

describeOnDatabases("the quarantine on %s", ({ database, dialect }) => {
  const submissions = () => database.read.selectFrom("submissions").selectAll().orderBy("id").execute();
  const states = async () => Object.fromEntries((await submissions()).map((row) => [row.email, row.state]));
  const consents = () => database.read.selectFrom("consents").selectAll().orderBy("submission_id").execute();
  /** What a release of so many returns, where no confirmation is needed. */
  const released = (count: number) => ({ count, unconfirmed: 0 });
  const listAuditSubjects = async () => (await readAudit(database)).map(({ subject }) => subject);

  /** Stores five quarantined submissions, a to e, and an accepted one of a person. */
  async function storeSix() {
    const deps = createTestQuarantine(database);
    const ids = {
      a: await deps.bot("a@example.com"),
      b: await deps.bot("b@example.com", "contact-form", "too-fast"),
      c: await deps.bot("c@example.com", "early-access", "forged-form"),
      person: await deps.person("person@example.com"),
      d: await deps.bot("d@example.com", "updates-signup"),
      e: await deps.bot("e@example.com", "contact-form"),
    };
    const listEmails = async (...input: Parameters<typeof deps.quarantine.list>) =>
      (await deps.quarantine.list(...input)).map((row) => row.email);
    return { ...deps, ids, listEmails };
  }

  it("lists submissions newest first, with what was typed", async () => {
    const { quarantine, ids, listEmails, clock } = await storeSix();
    const page = await quarantine.list({}, { limit: 3 });
    expect(page.map((row) => row.email)).toEqual(["e@example.com", "d@example.com", "c@example.com"]);
    const typed = { name: "Name of e@example.com", inquiry_type: "general", message: "Buy!" };
    const caught = { id: ids.e, kind: "contact-form", reason: "honeypot", created_at: clock() };
    expect(page[0]).toMatchObject({ ...typed, ...caught });
    expect(await listEmails({}, { limit: 3, before: ids.c })).toEqual(["b@example.com", "a@example.com"]);
    expect(await listEmails({}, { limit: 3, before: "no id of ours\0" })).toHaveLength(3);
  });

  it("filters the list by form, by reason and by both", async () => {
    const { listEmails } = await storeSix();
    const page = { limit: 10 };
    expect(await listEmails({ kind: "contact-form" }, page)).toEqual(["e@example.com", "b@example.com"]);
    const honeypot = ["e@example.com", "d@example.com", "a@example.com"];
    expect(await listEmails({ reason: "honeypot" }, page)).toEqual(honeypot);
    expect(await listEmails({ kind: "contact-form", reason: "too-fast" }, page)).toEqual(["b@example.com"]);
    expect(await listEmails({ kind: "updates-signup", reason: "too-fast" }, page)).toEqual([]);
  });

  it("counts the submissions in total, and by form and reason", async () => {
    const { quarantine } = await storeSix();
    expect(await quarantine.count()).toBe(5);
    const counts = await quarantine.counts();
    expect(counts.map(({ kind, reason, count }) => `${kind} ${reason} ${count}`).toSorted()).toEqual([
      "contact-form honeypot 1",
      "contact-form too-fast 1",
      "early-access forged-form 1",
      "early-access honeypot 1",
      "updates-signup honeypot 1",
    ]);
  });

  // C27
  it("accepts released submissions with their consents, and records one audit entry", async () => {
    const { quarantine, signups, clock, ids } = await storeSix();
    const before = await consents();
    clock.forward(minutes(1));
    expect(await quarantine.release({ ids: [ids.a, ids.d] }, operator)).toEqual(released(2));
    const accepted = { email: "a@example.com", state: "accepted", quarantine_reason: "" };
    const times = { created_at: clock() - minutes(1), admitted_at: clock() };
    expect((await submissions())[0]).toMatchObject({ ...accepted, ...times });
    expect(await signups.counts()).toEqual({ "early-access": 2, "contact-form": 0, "updates-signup": 1 });
    const listed = await signups.list("early-access", { limit: 5 });
    expect(listed.map((row) => row.email)).toEqual(["person@example.com", "a@example.com"]);
    const { firstFive } = await createTestOutreach(database).outreach.previewAudience({
      audience: "early-access",
    });
    expect(firstFive).toEqual(["a@example.com", "person@example.com"]);
    expect(await consents()).toEqual(before);
    expect(await quarantine.count()).toBe(3);
    await expectCountsToAgree(database);
    expect(await readAudit(database)).toMatchObject([
      { actor: operator.by, action: "release-quarantined", subject: "2 submissions" },
    ]);
  });

  it("erases purged submissions with their consents and fingerprints", async () => {
    const { quarantine, bot, ids } = await storeSix();
    expect(await quarantine.purge({ ids: [ids.a] }, operator)).toBe(1);
    expect(await states()).not.toHaveProperty("a@example.com");
    const others = [ids.b, ids.c, ids.person, ids.d, ids.e].toSorted();
    expect((await consents()).map((row) => row.submission_id)).toEqual(others);
    const fingerprints = await database.read.selectFrom("submission_fingerprints").selectAll().execute();
    expect(fingerprints.map((row) => row.submission_id).toSorted()).toEqual(others);
    await expectCountsToAgree(database);
    expect(await readAudit(database)).toMatchObject([
      { actor: operator.by, action: "purge-quarantined", subject: "1 submission" },
    ]);
    await bot("a@example.com");
    expect(await quarantine.count()).toBe(5);
  });

  it("changes nothing when an action is repeated", async () => {
    const { quarantine, ids } = await storeSix();
    const both = () =>
      Promise.all([
        quarantine.release({ ids: [ids.a] }, operator),
        quarantine.purge({ ids: [ids.e] }, operator),
      ]);
    expect(await both()).toEqual([released(1), 1]);
    const before = [await submissions(), await readAudit(database)];
    expect(await both()).toEqual([released(0), 0]);
    expect([await submissions(), await readAudit(database)]).toEqual(before);
    await expectCountsToAgree(database);
  });

  it("ignores accepted submissions and invalid ids", async () => {
    const { quarantine, ids } = await storeSix();
    const before = await submissions();
    const others = [ids.person, "", "x\0", "../..", "x".repeat(3000)];
    for (const action of ["release", "purge"] as const) {
      for (const selection of [{ ids: others }, { ids: [] }, { through: "" }, { through: "z\0" }]) {
        expect(await quarantine[action](selection, operator)).toEqual(action === "purge" ? 0 : released(0));
      }
    }
    expect(await submissions()).toEqual(before);
    expect(await readAudit(database)).toEqual([]);
  });

  it("processes all that match the filter, except those that arrived later", async () => {
    const { quarantine, bot, ids } = await storeSix();
    const selection = { reason: "honeypot", through: ids.e } as const;
    await bot("late@example.com");
    expect(await quarantine.release({ ...selection, kind: "contact-form" }, operator)).toEqual(released(1));
    expect(await quarantine.purge(selection, operator)).toBe(2);
    expect(await states()).toEqual({
      "b@example.com": "quarantined",
      "c@example.com": "quarantined",
      "person@example.com": "accepted",
      "e@example.com": "accepted",
      "late@example.com": "quarantined",
    });
    await expectCountsToAgree(database);
    expect(await listAuditSubjects()).toEqual([
      "1 submission, all of contact-form for honeypot",
      "2 submissions, all for honeypot",
    ]);
  });

  it("previews a selection by counts and the newest of it", async () => {
    const { quarantine, bot, ids } = await storeSix();
    await bot("late@example.com");
    const all = await quarantine.preview({ through: ids.e }, 2);
    expect(all.counts.reduce((sum, { count }) => sum + count, 0)).toBe(5);
    expect(all.newest.map((row) => row.email)).toEqual(["e@example.com", "d@example.com"]);
    const selected = await quarantine.preview({ ids: [ids.a, ids.person] }, 5);
    expect(selected.counts).toEqual([{ kind: "early-access", reason: "honeypot", count: 1 }]);
    expect(selected.newest.map((row) => row.email)).toEqual(["a@example.com"]);
    expect(await quarantine.preview({ ids: [] }, 5)).toEqual({ counts: [], newest: [] });
  });

  it.each(["release", "purge"] as const)("completes an interrupted %s when repeated", async (action) => {
    let writesLeft = 2;
    const failing: Database = {
      ...database,
      write: (work) =>
        writesLeft-- > 0 ? database.write(work) : Promise.reject(new Error("The disk is full")),
    };
    const { quarantine, bots } = createTestQuarantine(database, failing);
    await bots(1200);
    const [newest] = await quarantine.list({}, { limit: 1 });
    const selection = { kind: "early-access", through: newest!.id } as const;
    await expect(quarantine[action](selection, operator)).rejects.toThrow("The disk is full");
    expect(await quarantine.count()).toBe(200);
    await expectCountsToAgree(database);
    expect(await listAuditSubjects()).toEqual(["1,000 submissions, all of early-access"]);

    writesLeft = Infinity;
    expect(await quarantine[action](selection, operator)).toEqual(action === "purge" ? 200 : released(200));
    expect(await quarantine.count()).toBe(0);
    await expectCountsToAgree(database);
    expect((await listAuditSubjects())[1]).toBe("200 submissions, all of early-access");
    expect(await submissions()).toHaveLength(action === "release" ? 1200 : 0);
    expect(await consents()).toHaveLength(action === "release" ? 1200 : 0);
  });

  it("processes each submission once when two operators act at the same time", async () => {
    const { quarantine, bots } = createTestQuarantine(database);
    await bots(700);
    const [newest] = await quarantine.list({}, { limit: 1 });
    const through = newest!.id;
    const [first, purged, again] = await Promise.all([
      quarantine.release({ through }, operator),
      quarantine.purge({ through }, operator),
      quarantine.release({ through }, operator),
    ]);
    expect(first.count + purged + again.count).toBe(700);
    expect(await submissions()).toHaveLength(700 - purged);
    expect(await quarantine.count()).toBe(0);
    await expectCountsToAgree(database);
  });

  // C30
  it("joins only campaigns confirmed after the release", async () => {
    const { quarantine, bot, person, clock } = createTestQuarantine(database);
    const early = await bot("early@example.com");
    const late = await bot("late@example.com");
    const sender = createTestOutreach(database);
    await person("person@example.com");
    await quarantine.release({ ids: [early] }, operator);
    sender.clock.forward(clock() - sender.clock());
    const campaignId = await sender.confirmed();
    clock.forward(minutes(1));
    // The audience is not stored yet, and this id is older than the newest of it.
    await quarantine.release({ ids: [late] }, operator);
    await sender.campaignWorker().tick();
    expect(sender.mailer.recipients).toEqual(["early@example.com", "person@example.com"]);
    expect(await sender.getStats(campaignId)).toMatchObject({ state: "finished", selected: 2, sent: 2 });
  });

  // R27
  it(`answers within 100 ms with ${ROWS} submissions`, async () => {
    const { quarantine } = createTestQuarantine(database);
    await inPieces(
      database,
      [1, ROWS],
      (numbers) => sql`
        insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at)
        with recursive ${numbers}
        select '01900000-0000-7000-8000-' || cast(100000000000 + n as text),
          case when n % 3 = 0 then 'contact-form' else 'early-access' end, 'quarantined',
          case when n < 4 then 'forged-form' else 'honeypot' end, 'Eve', 'eve@example.com', 'eve@example.com', '', '',
          '', 'Buy this, and buy it now.', n from numbers`,
    );
    // PostgreSQL does so by itself within a minute.
    if (dialect === "postgres") await sql`vacuum analyze submissions`.execute(database.read);
    const [newest] = await quarantine.list({}, { limit: 1 });
    const through = newest!.id;
    const before = "01900000-0000-7000-8000-100000000099";
    await expectQuick(100, {
      page: () => quarantine.list({}, { limit: 41 }),
      last: () => quarantine.list({ kind: "contact-form" }, { limit: 41, before }),
      rare: () => quarantine.list({ reason: "forged-form" }, { limit: 41 }),
      none: () => quarantine.list({ kind: "updates-signup" }, { limit: 41 }),
      counts: () => quarantine.counts(),
      question: () => quarantine.preview({ through }, 5),
    });
  });
});
