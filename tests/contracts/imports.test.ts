import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql, type KyselyPlugin } from "kysely";
import { expect, it, vi } from "vitest";
import type { Database, Write } from "~/db/database.server";
import { days, minutes } from "~/lib/durations";
import { mirrorQueue, queueMissing } from "~/services/mirrors/mirror-rows.server";
import { createPeople } from "~/services/people/people.server";
import { newId } from "~/services/service-deps";
import { createDeletions } from "~/services/submissions/deletions.server";
import { createSubmissions } from "~/services/submissions/submissions.server";
import { suppress as suppressAddresses } from "~/services/suppressions/suppressions.server";
import { readAudit } from "../factories/accounts";
import { countBlocked } from "../factories/blocked-writes";
import { CONSENT, createTestImports, makeFile, startImport } from "../factories/imports";
import { createTestCorrections } from "../factories/corrections";
import { createMortalDatabase, MOMENTS } from "../factories/mortal-database";
import { createTestOutreach, operator, suppress } from "../factories/outreach";
import { createPersonData } from "../factories/people";
import { expectCountsToAgree, storeSubmissions } from "../factories/submissions";
import { storeInvitation } from "../factories/waves";
import { runNode } from "../run-node";
import { yieldUntil } from "../wait-until";
import { describeOnDatabases } from "./use-database";

const MIXED = [
  "Email Address,First Name,Last Name,Company,Job title,OPTIN_TIME,Status,Utm source",
  "ada@example.com,Ada,Lovelace,Engines,Developer,2024-03-04 10:00:00,subscribed,Fair",
  "Known@example.com,New name,,,,2020-01-01,subscribed,",
  "listed@example.com,L,,,,,subscribed,",
  "grace@example.com,Grace,Hopper,Navy,,2023-01-01,Unsubscribed,",
  "ADA@example.com,Ada,Again,,,,subscribed,",
  "nobody,N,,,,,,",
  "late@example.com,L,,,,2044-01-01,,",
  "early@example.com,E,,,,1999-12-31,,",
  "odd@example.com,O,,,,soon,,",
  "many@example.com,M,,,,,,,and more",
  "pending@example.com,P,,,,,pending,",
  "bounced@example.com,B,,,,,cleaned,",
  "zoe@example.com,Zoë,Ångström,=cmd(),King,,,",
  "",
].join("\n");

describeOnDatabases("imports on %s", ({ database, place, dialect }) => {
  const countMirrorRows = async () =>
    (await database.read.selectFrom("mirror_rows").selectAll().execute()).length;

  /** Keeps what a write has locked until a condition holds. On SQLite, where no other write runs meanwhile, it ends at once. */
  function hold(lock: (trx: Write) => Promise<unknown>, until: () => Promise<boolean>) {
    const { promise: isHeld, resolve } = Promise.withResolvers<undefined>();
    const holding = database.write(async (trx) => {
      await lock(trx);
      resolve(undefined);
      if (dialect === "postgres") await yieldUntil(until);
    });
    return { holding, isHeld };
  }

  it("give each line a verdict, and change nothing before they start", async () => {
    const { check, imports, listLines, submissions, suppressions } = createTestImports(database);
    await storeSubmissions(database, [{ email: "known@example.com", name: "Known Person" }]);
    await suppress(database, "listed@example.com", "bounced");
    const id = await check(MIXED);
    const lines = await listLines(id);
    expect(lines.map(({ line, verdict, reason }) => [line, verdict, reason])).toEqual([
      [2, "new", ""],
      [3, "known", "known"],
      [4, "suppressed", "listed"],
      [5, "suppressed", "status"],
      [6, "duplicate", "repeated"],
      [7, "invalid", "not-an-address"],
      [8, "invalid", "future"],
      [9, "invalid", "too-early"],
      [10, "invalid", "not-a-date"],
      [11, "invalid", "more-cells"],
      [12, "invalid", "unconfirmed"],
      [13, "suppressed", "status"],
      [14, "new", ""],
    ]);
    const counts = { new: 2, known: 1, suppressed: 3, invalid: 6, duplicate: 1 };
    expect(await imports.find(id)).toMatchObject({
      state: "checked",
      lineCount: 13,
      checkedCount: 13,
      counts,
    });
    expect(await submissions()).toHaveLength(1);
    expect(await suppressions()).toHaveLength(1);
    const invalid = await imports.listLines(id, { verdict: "invalid", limit: 2 });
    expect(invalid).toMatchObject({ lines: [{ line: 7 }, { line: 8 }], isFirst: true, isLast: false });
    const next = await imports.listLines(id, { verdict: "invalid", after: 8, limit: 4 });
    expect(next).toMatchObject({ lines: [{ line: 9 }, {}, {}, { line: 12 }], isFirst: false, isLast: true });
    const back = await imports.listLines(id, { verdict: "invalid", before: 9, limit: 2 });
    expect(back).toMatchObject({ lines: [{ line: 7 }, { line: 8 }], isFirst: true });
  });

  it("store new people as of their time, with their consent, and leave known ones as they are", async () => {
    const { run, imports, submissions, suppressions, clock } = createTestImports(database);
    await storeSubmissions(database, [{ email: "known@example.com", name: "Known Person" }]);
    await suppress(database, "listed@example.com", "bounced");
    const known = { submission: (await submissions())[0], person: await findPerson("known@example.com") };
    const id = await run(MIXED);
    const rows = (await submissions()).filter(({ import_id }) => import_id === id);
    const common = { kind: "early-access", state: "accepted", notify: 0, is_mirrored: 0, wording: CONSENT };
    const signedUp = Date.UTC(2024, 2, 4, 10);
    expect(rows).toMatchObject([
      {
        ...common,
        email: "ada@example.com",
        name: "Ada Lovelace",
        company: "Engines",
        role: "developer",
        source: "fair",
        created_at: signedUp,
        given_at: signedUp,
      },
      {
        ...common,
        email: "zoe@example.com",
        name: "Zoë Ångström",
        company: "=cmd()",
        role: "other",
        source: "import",
        created_at: clock(),
      },
    ]);
    expect(await findPerson("ada@example.com")).toMatchObject({ first_signup_at: signedUp, id: rows[0]?.id });
    expect((await submissions()).find(({ import_id }) => import_id === null)).toEqual(known.submission);
    expect(await findPerson("known@example.com")).toEqual(known.person);
    expect(await suppressions()).toMatchObject([
      { email_key: "bounced@example.com", reason: "imported", detail: "cleaned (people.csv)" },
      { email_key: "grace@example.com", reason: "imported", detail: "Unsubscribed (people.csv)" },
      { email_key: "listed@example.com", reason: "bounced", detail: "" },
    ]);
    expect(await imports.find(id)).toMatchObject({ state: "finished", storedCount: 2, listedCount: 2 });
    expect(await database.read.selectFrom("transactional_emails").selectAll().execute()).toEqual([]);
    expect(await readAudit(database)).toMatchObject([
      { actor: operator.by, action: "start-import", subject: "people.csv (2 people)" },
      { actor: "system", action: "finish-import", subject: "people.csv (2 people)" },
    ]);
    await expectCountsToAgree(database);
  });

  it("import nobody whom a later line opts out", async () => {
    const { check, imports, work, workOnce, listLines, submissions, suppressions } =
      createTestImports(database);
    // Pieces of three lines: one opt-out is in the piece of its sign-up, the other one is not.
    const id = await check(
      [
        "Email,Status",
        "near@example.com,subscribed",
        "Near@example.com,unsubscribed",
        "far@example.com,subscribed",
        "ada@example.com,subscribed",
        "far@example.com,subscribed",
        "far@example.com,unsubscribed",
        "near@example.com,subscribed",
      ].join("\n"),
    );
    expect((await listLines(id)).map(({ line, verdict, reason }) => [line, verdict, reason])).toEqual([
      [2, "suppressed", "status-below"],
      [3, "suppressed", "status"],
      [4, "suppressed", "status-below"],
      [5, "new", ""],
      [6, "duplicate", "repeated"],
      [7, "suppressed", "status"],
      [8, "duplicate", "repeated"],
    ]);
    const counts = { new: 1, known: 0, suppressed: 4, invalid: 0, duplicate: 2 };
    expect(await imports.find(id)).toMatchObject({ counts, checkedCount: 7 });
    await startImport(imports, id);
    await workOnce(id, 1);
    expect((await submissions()).map(({ email }) => email)).not.toContain("far@example.com");
    await work(id);
    expect((await submissions()).map(({ email }) => email)).toEqual(["ada@example.com"]);
    expect((await suppressions()).map(({ email_key }) => email_key)).toEqual([
      "far@example.com",
      "near@example.com",
    ]);
    expect(await imports.find(id)).toMatchObject({ counts, checkedCount: 7, storedCount: 1, listedCount: 2 });
  });

  const findPerson = (key: string) =>
    database.read.selectFrom("people").selectAll().where("email_key", "=", key).executeTakeFirst();

  it("take the consent from a column, and nobody without one", async () => {
    const { run, submissions, listLines } = createTestImports(database);
    const file =
      "Email;GDPR consent\na@example.com;yes\nb@example.com;no\nc@example.com;\nd@example.com;At the fair";
    const id = await run(file, { consent: "", mapping: { email: 0, consent: 1 } });
    expect((await submissions()).map(({ email, wording }) => [email, wording])).toEqual([
      ["a@example.com", "GDPR consent: yes"],
      ["d@example.com", "At the fair"],
    ]);
    expect((await listLines(id)).map(({ reason }) => reason)).toEqual(["", "no-consent", "no-consent", ""]);
  });

  it("count at most 200 sources of a day", async () => {
    const { run, submissions } = createTestImports(database);
    const lines = Array.from({ length: 210 }, (_, at) => `person${at}@example.com,2024-03-04,source ${at}`);
    await run(["Email,Signed up,Source", ...lines].join("\n"));
    const sources = new Set((await submissions()).map(({ source }) => source));
    expect(sources.size).toBe(201);
    expect(sources).toContain("other");
    await expectCountsToAgree(database);
  });

  it("notice who signed up or opted out since the dry run", async () => {
    const { check, imports, work, submissions } = createTestImports(database);
    const id = await check(makeFile(4));
    await storeSubmissions(database, [{ email: "person2@example.com", name: "Herself" }]);
    await suppress(database, "person3@example.com");
    await startImport(imports, id);
    await work(id);
    expect((await submissions()).filter(({ import_id }) => import_id !== null)).toHaveLength(2);
    const counts = { new: 2, known: 1, suppressed: 1, invalid: 0, duplicate: 0 };
    expect(await imports.find(id)).toMatchObject({ counts, checkedCount: 4, storedCount: 2 });
  });

  it.each(MOMENTS)("go on after a kill %s any of their writes, and store nobody twice", async (moment) => {
    const { map, imports, work, workOnce, submissions } = createTestImports(database);
    const id = await map(makeFile(7));
    // Each piece is one write.
    const dyingWork = async (limit: number) => {
      const { victim } = createMortalDatabase(database, { atWrite: 1, moment });
      await expect(workOnce(id, limit, victim)).rejects.toThrow("killed");
    };
    for (let kills = 0; kills < 2; kills += 1) await dyingWork(2);
    await work(id);
    await startImport(imports, id);
    for (let kills = 0; kills < 2; kills += 1) await dyingWork(2);
    await work(id);
    expect((await submissions()).map(({ email }) => email).toSorted()).toEqual(
      Array.from({ length: 7 }, (_, at) => `person${at + 1}@example.com`),
    );
    expect(await imports.find(id)).toMatchObject({ state: "finished", storedCount: 7 });
    await expectCountsToAgree(database);
  });

  it("leave out a line that fails, whatever they do, and hold up no other", async () => {
    const { map, imports, workOnAll, listLines, submissions } = createTestImports(database);
    const first = await map(makeFile(4));
    const second = await map("Email\ngrace@example.com");
    const failed: unknown[] = [];
    const work = () => workOnAll((fields) => void ("line" in fields && failed.push(fields.line)));
    /** Makes the database refuse the second of the rows of which this is true. */
    const allowOne = (table: "import_lines" | "submissions", where: string) =>
      database.write((trx) =>
        sql`create unique index on_purpose_${sql.raw(`${failed.length}`)} on ${sql.table(table)}
          ((case when ${sql.raw(where)} then 1 end))`.execute(trx),
      );

    await allowOne(
      "import_lines",
      "verdict = 'new' and email_key in ('person1@example.com', 'person2@example.com')",
    );
    await work();
    expect(failed).toEqual([3]);
    expect((await listLines(first)).map(({ reason }) => reason)).toEqual(["", "failed", "", ""]);
    expect(await imports.find(first)).toMatchObject({ state: "checked", counts: { new: 3, invalid: 1 } });
    expect(await imports.find(second)).toMatchObject({ state: "checked" });

    await allowOne("submissions", "email_key in ('person1@example.com', 'person3@example.com')");
    await startImport(imports, first);
    await startImport(imports, second);
    await work();
    expect(failed).toEqual([3, 4]);
    expect(await imports.find(first)).toMatchObject({
      state: "finished",
      storedCount: 2,
      counts: { new: 2, invalid: 2 },
    });
    expect(await imports.find(second)).toMatchObject({ state: "finished", storedCount: 1 });

    await allowOne("import_lines", "verdict = 'new' and submission_id is null and email_key like 'person%'");
    await imports.undo(first, operator);
    await imports.undo(second, operator);
    await work();
    expect(failed).toEqual([3, 4, 5]);
    expect(await imports.find(first)).toMatchObject({
      state: "undone",
      storedCount: 1,
      keptCount: 1,
      counts: { new: 2, invalid: 2 },
    });
    expect(await imports.find(second)).toMatchObject({ state: "undone", storedCount: 0 });
    expect((await submissions()).map(({ email }) => email)).toEqual(["person4@example.com"]);
    await expectCountsToAgree(database);
  });

  it("read no more than a piece of a file to leave out one of its lines", async () => {
    const { map, workOnAll, listLines } = createTestImports(database);
    const id = await map(makeFile(60));
    await database.write((trx) =>
      sql`create unique index on_purpose on import_lines
        ((case when verdict = 'new' and email_key in ('person1@example.com', 'person2@example.com') then 1 end))`.execute(
        trx,
      ),
    );
    let most = 0;
    const count: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        most = Math.max(most, result.rows.length);
        return result;
      },
    };
    const write: Database["write"] = (work) => database.write((trx) => work(trx.withPlugin(count)));
    await workOnAll(undefined, { ...database, write });
    expect((await listLines(id)).slice(0, 3).map(({ reason }) => reason)).toEqual(["", "failed", ""]);
    // Once, before its lines were done one by one.
    expect(most).toBe(25);
  });

  it("are done by two instances together", async () => {
    const { check, imports, work, submissions } = createTestImports(database);
    const id = await check(makeFile(20));
    await startImport(imports, id);
    await Promise.all([work(id), work(id), work(id, { limit: 2 })]);
    expect(await submissions()).toHaveLength(20);
    expect(await imports.find(id)).toMatchObject({ state: "finished", storedCount: 20 });
    await expectCountsToAgree(database);
  });

  it("can be cancelled between any two pieces, and undone", async () => {
    const { check, imports, work, workOnce, submissions } = createTestImports(database);
    const id = await check(makeFile(7));
    await startImport(imports, id);
    await workOnce(id, 3);
    expect(await imports.readRest(id)).toBeUndefined();
    expect(await imports.cancel(id, operator)).toEqual({ ok: true });
    expect(await imports.cancel(id, operator)).toEqual({ ok: false, error: "gone" });
    await work(id);
    expect(await submissions()).toHaveLength(3);
    const rest = await imports.readRest(id);
    const lines = [];
    for await (const some of rest!.batches) lines.push(...some.map(({ line }) => line));
    expect(lines).toEqual([5, 6, 7, 8]);
    expect(await imports.undo(id, operator)).toEqual({ ok: true });
    await work(id);
    expect(await submissions()).toEqual([]);
    expect(await database.read.selectFrom("people").selectAll().execute()).toEqual([]);
    expect(await imports.find(id)).toMatchObject({ state: "undone", storedCount: 0 });
    const actions = (await readAudit(database)).map(({ action }) => action);
    expect(actions).toEqual(["start-import", "cancel-import", "undo-import"]);
  });

  it("keep in the file of the rest what stands beyond the columns", async () => {
    const { check, imports } = createTestImports(database);
    const id = await check("Email;Name\ndoe@example.com;Doe;John\nDoe;John;doe@example.com;\nx;Ada;;\n");
    const cells = [];
    for await (const some of (await imports.readRest(id))!.batches)
      cells.push(...some.map((line) => line.cells));
    expect(cells).toEqual([
      ["doe@example.com", "Doe;John"],
      ["Doe", "John;doe@example.com;"],
      ["x", "Ada", "", ""],
    ]);
  });

  it("are undone as a whole within ten minutes, but for people who got an email", async () => {
    const { run, imports, work, submissions, suppressions, clock } = createTestImports(database);
    const id = await run(
      `${makeFile(4)}\ngone@example.com,Gone`.replace("Email,Name", "Email,Name,Status") + ",bounced",
    );
    expect(await suppressions()).toHaveLength(1);
    // Two of them get a campaign.
    await suppress(database, "person3@example.com", "added");
    await suppress(database, "person4@example.com", "added");
    const outreach = createTestOutreach(database);
    await outreach.confirmed();
    await outreach.campaignWorker().tick();
    clock.forward(minutes(10) - 1);
    expect(await imports.undo(id, operator)).toEqual({ ok: true });
    await work(id);
    expect((await submissions()).map(({ email }) => email)).toEqual([
      "person1@example.com",
      "person2@example.com",
    ]);
    expect((await suppressions()).map(({ email_key }) => email_key)).toEqual([
      "person3@example.com",
      "person4@example.com",
    ]);
    expect(await imports.find(id)).toMatchObject({
      state: "undone",
      storedCount: 2,
      keptCount: 2,
      listedCount: 0,
    });
    const kept = await imports.listLines(id, { verdict: "new", limit: 10 });
    expect(kept.lines.filter(({ reason }) => reason === "written-to").map(({ line }) => line)).toEqual([
      2, 3,
    ]);
    await expectCountsToAgree(database);
  });

  it("leave by an undo who is about to get an email, has joined, or got one at a corrected address", async () => {
    const { run, imports, work, submissions } = createTestImports(database);
    const { correct } = createTestCorrections(database);
    const outreach = createTestOutreach(database);
    const id = await run(makeFile(6));
    const getId = async (address: string) => (await findPerson(address))?.id ?? "";
    await storeInvitation(database, { person_id: await getId("person1@example.com"), state: "joined" });
    const campaign_id = await outreach.draft();
    const chosen = { campaign_id, place: 1, person_id: await getId("person2@example.com") };
    await database.write((trx) => trx.insertInto("campaign_people").values(chosen).execute());
    for (const number of [1, 2, 6]) await suppress(database, `person${number}@example.com`, "added");
    const correctTo = async (from: string, email: string) =>
      expect(await correct(await getId(from), { email })).toMatchObject({ ok: true });
    await correctTo("person3@example.com", "before@example.com");
    await correctTo("person4@example.com", "between@example.com");
    await outreach.confirmed();
    await outreach.campaignWorker().tick();
    await correctTo("between@example.com", "later@example.com");
    await correctTo("person5@example.com", "after@example.com");
    expect(await imports.undo(id, operator)).toEqual({ ok: true });
    await work(id);
    expect((await submissions()).map(({ email }) => email).toSorted()).toEqual([
      "after@example.com",
      "before@example.com",
      "later@example.com",
      "person1@example.com",
      "person2@example.com",
    ]);
    expect(await imports.find(id)).toMatchObject({ state: "undone", storedCount: 5, keptCount: 5 });
    await expectCountsToAgree(database);
  });

  it.each([
    ["copies its audience", false],
    ["is confirmed", true],
  ])("send no email to whom an undo removes while a campaign %s", async (_, isDraft) => {
    const { run, imports, work, submissions } = createTestImports(database);
    const outreach = createTestOutreach(database);
    const id = await run(makeFile(2));
    const draft = await outreach.draft();
    const reviewed = await outreach.review(draft);
    if (!isDraft) await outreach.confirm(draft, reviewed);
    await imports.undo(id, operator);
    let isCopied = false;
    // Holds up the undo after it has found out whom it leaves.
    const { holding, isHeld } = hold(
      (trx) => trx.selectFrom("submissions").select("id").forUpdate().execute(),
      async () => isCopied || (await countBlocked(database)) > 1,
    );
    await isHeld;
    const undoing = work(id);
    if (dialect === "postgres") await yieldUntil(async () => (await countBlocked(database)) > 0);
    const copying = outreach
      .confirm(draft, reviewed)
      .then(() => outreach.campaignWorker().tick())
      .finally(() => (isCopied = true));
    await Promise.all([holding, undoing, copying]);
    expect(await submissions()).toEqual([]);
    expect(outreach.mailer.received).toEqual([]);
  });

  it("cannot be undone after ten minutes", async () => {
    const { run, imports, clock } = createTestImports(database);
    const id = await run(makeFile(2));
    clock.forward(minutes(10));
    expect(await imports.undo(id, operator)).toEqual({ ok: false, error: "gone" });
    expect(await imports.find(id)).toMatchObject({ state: "finished", undoUntil: undefined });
  });

  it("are mirrored only when that was chosen, and after they can be undone", async () => {
    const { run, clock, workOnAll, imports, submissions } = createTestImports(database);
    const plain = await run("Email\na@example.com\nb@example.com");
    const mirrored = await run("Email\nc@example.com\nd@example.com", { isMirrored: true });
    clock.forward(minutes(10) - 1);
    await workOnAll();
    await queueMissing(database, "early-access");
    expect(await countMirrorRows()).toBe(0);
    clock.forward(1);
    await workOnAll();
    expect(await countMirrorRows()).toBe(2);
    await queueMissing(database, "early-access");
    expect(await countMirrorRows()).toBe(2);
    expect(await imports.find(plain)).toMatchObject({ settledAt: clock() });
    expect(await imports.find(mirrored)).toMatchObject({ settledAt: clock() });
    // What is deleted and restored goes where it went before.
    const list = createSubmissions({ database });
    const deletions = createDeletions({ database, submissions: list, clock, newId, mirror: mirrorQueue });
    const ids = (await submissions()).map((row) => row.id);
    await deletions.delete({ kind: "early-access", ids }, operator);
    const { id: deletion } = await database.read
      .selectFrom("deletions")
      .select("id")
      .executeTakeFirstOrThrow();
    await deletions.undo(deletion, operator);
    expect(await countMirrorRows()).toBe(2);
  });

  it("mirror who stays after an undo, when that was chosen", async () => {
    const { run, workOnAll, imports, submissions, clock } = createTestImports(database);
    const ids = [
      await run("Email\na@example.com\nb@example.com", { isMirrored: true }),
      await run("Email\nc@example.com"),
    ];
    for (const key of ["a@example.com", "c@example.com"]) {
      await storeInvitation(database, { person_id: (await findPerson(key))?.id ?? "", state: "joined" });
    }
    for (const id of ids) {
      expect(await imports.undo(id, operator)).toEqual({ ok: true });
      await workOnAll();
      expect(await imports.find(id)).toMatchObject({ state: "undone", keptCount: 1, settledAt: clock() });
    }
    expect((await submissions()).map(({ email, is_mirrored }) => [email, is_mirrored])).toEqual([
      ["a@example.com", 1],
      ["c@example.com", 0],
    ]);
    expect(await countMirrorRows()).toBe(1);
  });

  it("keep opt-outs for good, once they can no longer be undone", async () => {
    const { run, work, clock } = createTestImports(database);
    const id = await run("Email,Status\na@example.com,unsubscribed\nb@example.com,bounced");
    const list = () =>
      database.read.selectFrom("suppressions").select("opted_out").orderBy("email_key").execute();
    await work(id);
    expect(await list()).toEqual([{ opted_out: 0 }, { opted_out: 0 }]);
    clock.forward(minutes(10));
    await work(id);
    expect(await list()).toEqual([{ opted_out: 1 }, { opted_out: 0 }]);
  });

  it("keep an opt-out wherever it stands, also of an address that bounced", async () => {
    const { check, imports, listLines, work, clock } = createTestImports(database);
    await suppress(database, "listed@example.com", "bounced");
    await suppress(database, "kept@example.com", "bounced");
    // In pieces of three lines.
    const id = await check(
      [
        "Email,Status,Unsubscribed at",
        "near@example.com,bounced",
        "Near@example.com,unsubscribed",
        "before@example.com,unsubscribed",
        "far@example.com,bounced",
        "before@example.com,bounced",
        "listed@example.com,subscribed",
        "listed@example.com,unsubscribed",
        "far@example.com,unsubscribed",
        "kept@example.com,bounced",
        "later@example.com,unsubscribed",
        "both@example.com,bounced,2024-05-01",
      ].join("\n"),
    );
    expect((await listLines(id)).map(({ verdict }) => verdict)).toEqual(Array(11).fill("suppressed"));
    await startImport(imports, id);
    await work(id);
    expect(await imports.find(id)).toMatchObject({ state: "finished", listedCount: 5 });
    await suppress(database, "later@example.com", "bounced");
    clock.forward(minutes(10));
    await work(id);
    const optedOut = database.read.selectFrom("suppressions").select("email_key").where("opted_out", "=", 1);
    expect((await optedOut.orderBy("email_key").execute()).map(({ email_key }) => email_key)).toEqual([
      "before@example.com",
      "both@example.com",
      "far@example.com",
      "later@example.com",
      "listed@example.com",
      "near@example.com",
    ]);
  });

  it("keep an opt-out of a former address at the person's new one, unless it was released", async () => {
    const { run, work, clock } = createTestImports(database);
    const { correct } = createTestCorrections(database);
    const addresses = ["before", "after", "released"];
    const ids = await storeSubmissions(
      database,
      addresses.map((name) => ({ email: `${name}@gmial.example` })),
    );
    const correctTo = async (at: number) =>
      expect(await correct(ids[at] ?? "", { email: `${addresses[at]}@gmail.example` })).toMatchObject({
        ok: true,
      });
    await correctTo(0);
    await correctTo(2);
    const lines = addresses.map((name) => `${name}@gmial.example,unsubscribed`);
    const id = await run(["Email,Status", ...lines, "bounced@gmial.example,bounced"].join("\n"));
    await correctTo(1);
    await database.write((trx) =>
      trx.deleteFrom("suppressions").where("email_key", "=", "released@gmial.example").execute(),
    );
    clock.forward(minutes(10));
    await work(id);
    const optedOut = database.read.selectFrom("suppressions").select("email_key").where("opted_out", "=", 1);
    expect((await optedOut.orderBy("email_key").execute()).map(({ email_key }) => email_key)).toEqual([
      "after@gmail.example",
      "after@gmial.example",
      "before@gmail.example",
      "before@gmial.example",
    ]);
  });

  it("take no opt-out of an address that is released at the same moment", async () => {
    const { run, work, clock, suppressions } = createTestImports(database);
    const id = await run("Email,Status\nada@example.com,unsubscribed");
    clock.forward(minutes(10));
    const { holding, isHeld } = hold(
      (trx) => trx.deleteFrom("suppressions").where("email_key", "=", "ada@example.com").execute(),
      async () => (await countBlocked(database)) > 0,
    );
    await isHeld;
    await Promise.all([work(id), holding]);
    expect(await suppressions()).toEqual([]);
  });

  it("know somebody by the address that was corrected", async () => {
    const { check, imports, listLines, submissions, work } = createTestImports(database);
    const { correct } = createTestCorrections(database);
    const file = "Email\nkim@gmial.example\nada@example.com";
    const [kim] = await storeSubmissions(database, [{ email: "kim@gmial.example" }]);
    await correct(kim ?? "", { email: "kim@gmail.example" });
    const id = await check(file);
    await startImport(imports, id);
    await work(id);
    expect((await listLines(id)).map(({ verdict }) => verdict)).toEqual(["known", "new"]);
    expect((await submissions()).map(({ email }) => email)).toEqual(["ada@example.com", "kim@gmail.example"]);
  });

  it("take no opt-out that an undo has taken back", async () => {
    const { run, work, clock, imports, suppressions } = createTestImports(database);
    await suppress(database, "listed@example.com", "bounced");
    const id = await run(
      "Email,Status\na@example.com,bounced\na@example.com,unsubscribed\nlisted@example.com,unsubscribed",
    );
    await imports.undo(id, operator);
    await work(id);
    clock.forward(minutes(10));
    await work(id);
    expect(await imports.find(id)).toMatchObject({ state: "undone", listedCount: 0 });
    expect(await suppressions()).toEqual([
      { email_key: "listed@example.com", reason: "bounced", detail: "" },
    ]);
    const marks = await database.read.selectFrom("suppressions").select("opted_out").execute();
    expect(marks).toEqual([{ opted_out: 0 }]);
  });

  it("take back by an undo what a correction has carried on to the new address, and no more", async () => {
    const { run, work, clock, imports, suppressions } = createTestImports(database);
    const { correct, clock: correctionClock } = createTestCorrections(database);
    const [kim = "", lena = ""] = await storeSubmissions(database, [
      { email: "kim@gmial.example" },
      { email: "lena@gmial.example" },
    ]);
    await work(await run("Email,Status\nlena@gmail.example,bounced"));
    const [listed] = await suppressions();
    clock.forward(minutes(20));
    const id = await run("Email,Status\nkim@gmial.example,bounced\nlena@gmial.example,bounced");
    correctionClock.forward(minutes(21));
    await correct(kim, { email: "kim@gmail.example" });
    await correct(lena, { email: "lena@gmail.example" });
    expect(await suppressions()).toHaveLength(4);
    const readPosition = () =>
      database.read
        .selectFrom("submissions")
        .select("audience_position")
        .where("email_key", "=", "kim@gmail.example")
        .executeTakeFirstOrThrow();
    const { audience_position: before } = await readPosition();
    await imports.undo(id, operator);
    await work(id);
    expect(await suppressions()).toEqual([listed]);
    expect(await imports.find(id)).toMatchObject({ state: "undone", listedCount: 0 });
    expect((await readPosition()).audience_position).toBeGreaterThan(before);
  });

  it("check again with other settings, and are forgotten when nobody starts them", async () => {
    const { check, imports, work, listLines, clock } = createTestImports(database);
    const id = await check("Email,Other\na@example.com,x@example.com\nb,y@example.com");
    expect(await imports.find(id)).toMatchObject({ counts: { new: 1, invalid: 1 } });
    const settings = {
      kind: "updates-signup",
      mapping: { email: 1 },
      consent: CONSENT,
      dateOrder: "",
    } as const;
    await imports.check(id, { ...settings, isMirrored: false });
    await work(id);
    expect(await imports.find(id)).toMatchObject({ counts: { new: 2, invalid: 0 }, kind: "updates-signup" });
    await imports.sweep();
    expect(await listLines(id)).toHaveLength(2);
    clock.forward(days(1) + 1);
    await imports.sweep();
    expect(await imports.find(id)).toBeUndefined();
    expect(await database.read.selectFrom("import_lines").selectAll().execute()).toEqual([]);
  });

  it("keep their lines for a week after they are over, and themselves for good", async () => {
    const { run, work, imports, clock, submissions, listLines } = createTestImports(database);
    const id = await run(makeFile(450));
    clock.forward(days(7));
    await work(id, { limit: 500 });
    await imports.sweep();
    expect(await listLines(id)).toHaveLength(450);
    clock.forward(1);
    await imports.sweep();
    expect(await listLines(id)).toEqual([]);
    expect(await imports.list()).toMatchObject([{ id, storedCount: 450 }]);
    expect(await submissions()).toHaveLength(450);
    // Where nothing is left, a sweep only looks for uploads that nobody started.
    const write = vi.spyOn(database, "write");
    await imports.sweep();
    expect(write).toHaveBeenCalledTimes(1);
    write.mockRestore();
  });

  it("export and erase what a line says of a person", async () => {
    const { run, imports, clock, submissions } = createTestImports(database);
    const id = await run(
      [
        "Email,Name,Notes",
        "kim@example.com,Kim Lovelace,Engines",
        "grace@example.com,Grace,",
        "unknown,Kim,kim@example.com",
      ].join("\n"),
    );
    const people = createPeople({ database, clock, newId, personData: createPersonData(database) });
    const [first] = (await submissions()).filter(({ email }) => email.startsWith("kim"));
    expect(await people.export(first?.id ?? "", operator)).toMatchObject({
      forms: [{ wording: CONSENT, importedFrom: "people.csv" }],
      importedLines: [
        { file_name: "people.csv", line: 2, cells: ["kim@example.com", "Kim Lovelace", "Engines"] },
        { file_name: "people.csv", line: 4, cells: ["unknown", "Kim", "kim@example.com"] },
      ],
    });
    await people.erase(first?.id ?? "", operator);
    const lines = await database.read.selectFrom("import_lines").selectAll().execute();
    // "ada" might be found in an id.
    expect(JSON.stringify(lines)).not.toMatch(/kim|lovelace|engines/i);
    expect(await imports.find(id)).toMatchObject({ counts: { new: 2, invalid: 1 } });
    expect(await imports.undo(id, operator)).toEqual({ ok: true });
  });

  it("link to nobody who was erased since, and count nobody after their undo", async () => {
    const { run, imports, work, listLines, clock, submissions } = createTestImports(database);
    const id = await run(makeFile(2));
    const people = createPeople({ database, clock, newId, personData: createPersonData(database) });
    const [first, second] = await submissions();
    await people.erase(first?.id ?? "", operator);
    expect((await listLines(id)).map(({ reason, submissionId }) => [reason, submissionId])).toEqual([
      ["erased", null],
      ["", second?.id],
    ]);
    await imports.undo(id, operator);
    await work(id);
    expect(await imports.find(id)).toMatchObject({ state: "undone", storedCount: 0, keptCount: 0 });
    await expectCountsToAgree(database);
  });

  it.each(["before", "after"])("say that a line's person was erased %s the dry run", async (order) => {
    const { map, check, imports, work, listLines, clock, submissions } = createTestImports(database);
    const file = "Email\nkim@example.com\nada@example.com";
    const id = await (order === "after" ? check(file) : map(file));
    const [person] = await storeSubmissions(database, [{ email: "kim@example.com" }]);
    const people = createPeople({ database, clock, newId, personData: createPersonData(database) });
    await people.erase(person ?? "", operator);
    await work(id);
    await startImport(imports, id);
    await work(id);
    expect((await listLines(id)).map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ["invalid", "erased"],
      ["new", ""],
    ]);
    expect((await submissions()).map(({ email }) => email)).toEqual(["ada@example.com"]);
    expect(await imports.find(id)).toMatchObject({ counts: { new: 1, invalid: 1 }, checkedCount: 2 });
  });

  it("bring nothing back of a person who is erased while they work on their line", async () => {
    const { check, imports, work, clock } = createTestImports(database);
    const id = await check("Email,Status\nkim@example.com,\nstop@example.com,unsubscribed");
    const [person] = await storeSubmissions(database, [{ email: "kim@example.com" }]);
    await startImport(imports, id);
    const people = createPeople({ database, clock, newId, personData: createPersonData(database) });
    let isErased = false;
    // Holds up the import after it has read the line, and before it writes it.
    const { holding, isHeld } = hold(
      async (trx) => {
        const held = [{ address: "stop@example.com", detail: "", deliveryId: null }];
        await suppressAddresses(trx, newId, "bounced", held, clock());
      },
      async () => isErased || (await countBlocked(database)) > 1,
    );
    await isHeld;
    const working = work(id);
    if (dialect === "postgres") await yieldUntil(async () => (await countBlocked(database)) > 0);
    const erasing = people.erase(person ?? "", operator).finally(() => (isErased = true));
    await Promise.all([holding, working, erasing]);
    const lines = await database.read.selectFrom("import_lines").selectAll().execute();
    expect(JSON.stringify(lines)).not.toContain("kim");
    expect(await findPerson("kim@example.com")).toBeUndefined();
  });

  it("read a file in a chosen encoding", async () => {
    const { map, work, imports, submissions } = createTestImports(database);
    const id = await map(Buffer.from("Email,Name\nzoe@example.com,Zo\xeb \x80", "latin1"));
    expect(await imports.find(id)).toMatchObject({ isEncodingChosen: true, encoding: "windows-1252" });
    expect(await imports.preview(id, 10)).toEqual([["zoe@example.com", "Zoë €"]]);
    const mapping = { email: 0, name: 1 };
    const settings = {
      kind: "early-access",
      mapping,
      consent: CONSENT,
      dateOrder: "",
      isMirrored: false,
    } as const;
    await imports.chooseEncoding(id, "iso-8859-15");
    expect(await imports.preview(id, 10)).toEqual([["zoe@example.com", "Zoë \u0080"]]);
    await imports.chooseEncoding(id, "windows-1250");
    await imports.check(id, settings);
    await work(id);
    await startImport(imports, id);
    await work(id);
    expect(await submissions()).toMatchObject([{ name: "Zoë €" }]);
  });

  it("end with what is wrong with a hostile file", async () => {
    const { imports } = createTestImports(database);
    const upload = (file: string | Buffer) =>
      imports.upload(new File([file as string], "bad.csv"), { by: operator.by });
    expect(await upload("")).toEqual({ ok: false, problem: "empty" });
    expect(await upload("Email\n")).toEqual({ ok: false, problem: "no-lines" });
    expect(await upload("Email\na@example.com\nb\0@example.com")).toMatchObject({ problem: "nul", line: 3 });
    expect(await upload(`Email\na@example.com\n${"x".repeat(10_000_000)}`)).toMatchObject({
      problem: "long-line",
      line: 3,
    });
    expect(await upload(`Email\n"a@example.com\n${"x\n".repeat(100)}`)).toMatchObject({
      problem: "open-quote",
      line: 2,
    });
    expect(await upload(`Email${",x".repeat(999)}\n`)).toMatchObject({
      problem: "too-many-columns",
      line: 1,
    });
    expect(await imports.list()).toEqual([]);
    await imports.sweep();
    expect(await database.read.selectFrom("imports").selectAll().execute()).toEqual([]);
  });

  it("are done by the command, which says what is missing", async () => {
    const { submissions } = createTestImports(database);
    const file = join(place.environment.DATA_DIR, "old-list.csv");
    writeFileSync(
      file,
      "Joined,Adresse,Name\n03/04/2024,ada@example.com,Ada Lovelace\n05/06/2024,nobody,Nobody\n",
    );
    const run = (...more: string[]) => runNode(["scripts/import.ts", file, ...more], place.environment);
    const form = ["--form", "updates-signup", "--map", "signed_up_at=joined,email=Adresse"];
    const consent = ["--consent", CONSENT];
    expect(await run(...consent)).toMatchObject({ code: 1, output: expect.stringContaining("--form") });
    const withoutConsent = await run(...form);
    expect(withoutConsent).toMatchObject({
      code: 1,
      output: expect.stringContaining("where the consent comes from"),
    });
    const withoutOrder = await run(...form, ...consent);
    expect(withoutOrder).toMatchObject({ code: 1, output: expect.stringContaining("03/04/2026") });
    const dry = await run(...form, ...consent, "--date-format", "mdy", "--dry-run");
    expect(dry).toMatchObject({
      code: 0,
      output: expect.stringContaining("line 3: This is not an email address."),
    });
    expect(await submissions()).toEqual([]);
    const done = await run(...form, ...consent, "--date-format", "mdy");
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining("1 person imported") });
    expect(await submissions()).toMatchObject([
      {
        email: "ada@example.com",
        kind: "updates-signup",
        created_at: Date.UTC(2024, 2, 4),
        wording: CONSENT,
      },
    ]);
    const [start] = await readAudit(database);
    expect(start).toMatchObject({ action: "start-import", actor: "command" });
  });

  it("of the command are discarded when it names a column that the file does not have", async () => {
    const file = join(place.environment.DATA_DIR, "old-list.csv");
    writeFileSync(file, "Email\nada@example.com\n");
    const form = ["--form", "updates-signup", "--map", "email=E-mail"];
    expect(await runNode(["scripts/import.ts", file, ...form], place.environment)).toMatchObject({
      code: 1,
      output: expect.stringContaining("the file has no column E-mail. It has: Email."),
    });
    expect(await createTestImports(database).imports.list()).toEqual([]);
  });
});
