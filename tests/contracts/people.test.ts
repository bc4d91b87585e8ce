import SqliteFile from "better-sqlite3";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { toTimeline } from "~/http/person-timeline.server";
import { DELIVERY_STATES } from "~/services/mail/delivery/delivery-result";
import { sweepDocuments } from "~/services/search/search-index.server";
import { newId } from "~/services/service-deps";
import { suppress, unsubscribe } from "~/services/suppressions/suppressions.server";
import { readAudit } from "../factories/accounts";
import { ADA, KEY, NAME, createTestPeople } from "../factories/people";
import { createMortalDatabase } from "../factories/mortal-database";
import { operator, createTestOutreach, people } from "../factories/outreach";
import { expectCountsToAgree, storeSubmissions } from "../factories/submissions";
import { createTestSuppressions } from "../factories/suppressions";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("a person on %s", ({ database, place, dialect }) => {
  const getFolder = () => join(place.environment.DATA_DIR, "outbox");
  const setUp = () => createTestPeople(database, getFolder());

  it("is found with all data of their address, by any of their submissions", async () => {
    const { peopleOn, storeEverything, fillOutbox } = setUp();
    const { forms } = await storeEverything();
    await fillOutbox();
    const people = peopleOn();
    for (const id of forms.slice(0, 5)) {
      const person = (await people.find(id, { limit: 50 }))!;
      expect(person.forms.map((form) => form.id)).toEqual(forms.slice(0, 5).toReversed());
      expect(person.forms.filter((form) => form.wording === "I agree")).toHaveLength(5);
      expect(person.emails.map(({ title, state }) => [title, state])).toEqual([
        ["refused", "failed"],
        ["lost", "uncertain"],
        ["waits", "retrying"],
        ["arrives", "sent"],
      ]);
      expect(person.emails.at(-1)?.returned).toMatchObject({ kind: "delayed" });
      expect(person).toMatchObject({ deliveryCount: 4, hasMoreForms: false });
      // One was sent, and the uncertain one may have arrived.
      expect([person.emailCount, person.otherEmailCount]).toEqual([2, 1]);
      expect(person.confirmation).toMatchObject({ requested_at: 5, confirmed_at: null });
      expect(person.suppression).toMatchObject({ reason: "refused", opted_out: 0 });
      expect(person.reports).toMatchObject([{ type: "complaint", reason: "spam" }]);
      expect(person.outbox).toMatchObject([{ subject: "Hello" }]);
    }
    const some = await people.find(forms[0]!, { limit: 2 });
    expect(some).toMatchObject({ hasMoreForms: true, deliveryCount: 4, emailCount: 2 });
    expect([some?.forms.length, some?.emails.length]).toEqual([2, 2]);
    for (const id of ["\0", "x", newId()]) expect(await people.find(id, { limit: 50 })).toBeUndefined();
  });

  it("is found, exported and erased before an update has added them to the people", async () => {
    const { peopleOn, storeEverything, listTablesNaming } = setUp();
    const { first } = await storeEverything();
    await database.write(async (trx) => {
      await trx.deleteFrom("people").execute();
      await trx.deleteFrom("people_documents").execute();
    });
    expect(await peopleOn().find(first, { limit: 50 })).toMatchObject({ id: first, address: ADA });
    expect(await peopleOn().export(first, operator)).toMatchObject({ address: ADA });
    expect(await peopleOn().erase(first, operator)).toMatchObject({ ok: true, submissions: 5 });
    expect(await listTablesNaming(KEY, NAME)).toEqual(["audit"]);
  });

  it("is exported completely, and the export is recorded", async () => {
    const { peopleOn, storeEverything } = setUp();
    const { first } = await storeEverything();
    const before = (await readAudit(database)).length;
    const data: Record<string, unknown> = (await peopleOn().export(first, operator))!;
    expect(data.address, "as typed last").toBe("ADA@example.com");
    expect(data.forms).toHaveLength(5);
    expect(data.emails).toHaveLength(4);
    expect(data.emails).toContainEqual(
      expect.objectContaining({ title: "arrives", company: "Engines", role: "developer" }),
    );
    expect(data.reports, "also about an email that was forwarded").toMatchObject([
      { type: "complaint", address: ADA },
      { type: "bounce", address: "forwarded@example.org" },
    ]);
    expect(data.transactionalEmails).toMatchObject([{ kind: "confirmation", state: "sent" }]);
    expect(JSON.stringify(data)).not.toMatch(/grace/i);
    const added = (await readAudit(database)).slice(before);
    expect(added).toMatchObject([{ action: "export-person", subject: "ADA@example.com" }]);
    expect(await peopleOn().export(newId(), operator)).toBeUndefined();
    expect((await readAudit(database)).length).toBe(before + 1);
  });

  it("is found without forms when they are erased meanwhile", async () => {
    const { peopleOn, storeEverything } = setUp();
    const { first } = await storeEverything();
    let erasure: Promise<unknown> | undefined;
    const read = database.read.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        erasure ??= peopleOn().erase(first, operator);
        expect(await erasure).toMatchObject({ ok: true });
        return result;
      },
    });
    const person = await peopleOn({ ...database, read }).find(first, { limit: 50 });
    expect(person).toMatchObject({ address: "ADA@example.com", forms: [], emails: [] });
  });

  // C36
  it("is erased from every table, and every count and total still agrees", async () => {
    const { peopleOn, listTablesNaming, getDelivery, ...deps } = setUp();
    const { first, campaigns, getStats } = await deps.storeEverything();
    const outbox = await deps.fillOutbox();
    await database.write((trx) =>
      trx
        .updateTable("campaigns")
        .set({ hold_detail: `550-${ADA}: TLS required`, test_address: ADA })
        .where("id", "=", campaigns[3]!)
        .execute(),
    );
    const [email] = await outbox();
    expect(await listTablesNaming(KEY, NAME)).toEqual([
      "attempts",
      "bounces",
      "campaigns",
      "confirmations",
      "consents",
      "deliveries",
      "inquiry_documents",
      "outbox_emails",
      "people",
      "people_documents",
      "submission_documents",
      "submissions",
      "suppressions",
      "transactional_emails",
    ]);
    const ids = new Set((await Promise.all(campaigns.map(getDelivery))).map((row) => row.message_id));

    expect(await peopleOn().erase(first, operator)).toMatchObject({ ok: true, submissions: 5 });

    expect(await listTablesNaming(KEY, NAME, "forwarded@example.org")).toEqual([]);
    expect(await database.read.selectFrom("submission_fingerprints").selectAll().execute()).toEqual([]);
    expect(await database.read.selectFrom("deletions").selectAll().execute()).toEqual([]);
    expect(await outbox()).toMatchObject([{ to_address: "grace@example.com" }]);
    await expect(access(join(getFolder(), email!.file))).rejects.toThrow("ENOENT");
    await expectCountsToAgree(database);
    const states = [];
    for (const campaign of campaigns) {
      const { selected, sent, skipped, pending, uncertain, failed } = await getStats(campaign);
      states.push([selected, sent, skipped, pending, uncertain, failed]);
    }
    expect(states).toEqual([
      [2, 2, 0, 0, 0, 0],
      [2, 0, 1, 1, 0, 0],
      [2, 0, 1, 0, 1, 0],
      [2, 1, 1, 0, 0, 0],
    ]);
    const erased = database.read.selectFrom("deliveries").selectAll().where("address", "=", "erased");
    expect(new Set((await erased.execute()).map((row) => row.message_id))).toEqual(ids);
    const { hold_detail } = await database.read
      .selectFrom("campaigns")
      .select("hold_detail")
      .where("id", "=", campaigns[3]!)
      .executeTakeFirstOrThrow();
    expect(hold_detail).toBe("550-erased: TLS required");
    const entry = { action: "erase-person", subject: "5 submissions" };
    expect((await readAudit(database)).at(-1)).toMatchObject(entry);
    if (dialect === "sqlite") expect(await listPagesWith(KEY, "byron")).toEqual([]);
  });

  /** Lists the pages of the SQLite file, freed or not, that hold a word in any case, after a checkpoint. */
  async function listPagesWith(...words: string[]): Promise<number[]> {
    await database.write((trx) =>
      trx.insertInto("attempts").values({ key: "x", count: 1, resets_at: 1 }).execute(),
    );
    const file = new SqliteFile(join(place.environment.DATA_DIR, "frontdesk.db"));
    file.pragma("wal_checkpoint(truncate)");
    file.close();
    const text = (await readFile(join(place.environment.DATA_DIR, "frontdesk.db"), "latin1")).toLowerCase();
    const pages = Array.from({ length: text.length / 4096 }, (_, at) =>
      text.slice(at * 4096, (at + 1) * 4096),
    );
    return pages.flatMap((page, at) => (words.some((word) => page.includes(word)) ? [at + 1] : []));
  }

  it("stays on the suppression list after an erasure only as an opt-out", async () => {
    const { clock, peopleOn, listTablesNaming, getDelivery } = setUp();
    const [first] = await storeSubmissions(database, [{ email: ADA }]);
    const { confirmed, campaignWorker } = createTestOutreach(database);
    const campaign = await confirmed();
    await campaignWorker().tick();
    const row = await getDelivery(campaign);
    await unsubscribe({ database, clock, newId }, row.id);
    const bounced = { address: ADA, detail: `of ${NAME}`, deliveryId: row.id };
    await database.write((trx) => suppress(trx, newId, "bounced", [bounced], 9));
    await peopleOn().erase(first!, operator);
    expect(await listTablesNaming(KEY, NAME)).toEqual(["suppressions"]);
    expect(await database.read.selectFrom("suppressions").selectAll().execute()).toMatchObject([
      { email_key: KEY, reason: "unsubscribed", opted_out: 1, detail: "", delivery_id: null },
    ]);
    // A later click on the link of the email suppresses nobody.
    expect(await unsubscribe({ database, clock, newId }, row.id)).toMatchObject({ ok: true });
    expect(await database.read.selectFrom("suppressions").select("email_key").execute()).toHaveLength(1);
  });

  it("is not recorded again by a later bounce report or an old unsubscribe link", async () => {
    const { clock, peopleOn, listTablesNaming, storeEverything, getDelivery } = setUp();
    const { first, campaigns } = await storeEverything();
    const { id, message_id } = await getDelivery(campaigns[0]!);
    const emails = database.read.selectFrom("transactional_emails").select("message_id");
    const email = await emails.executeTakeFirstOrThrow();
    await peopleOn().erase(first, operator);
    const bounce = { type: "bounce", permanent: true, messageId: message_id, reason: `no ${KEY}` };
    const outcome = await createTestSuppressions(database).report([{ ...bounce, address: ADA }]);
    expect(outcome).toMatchObject({ ok: true, recorded: 1, suppressed: 0 });
    const complaint = { type: "complaint", address: ADA, messageId: email.message_id, reason: `by ${NAME}` };
    const later = await createTestSuppressions(database).report([complaint]);
    expect(later).toMatchObject({ ok: true, recorded: 1, suppressed: 0 });
    expect(await unsubscribe({ database, clock, newId }, id)).toMatchObject({ ok: true });
    expect(await listTablesNaming(KEY, NAME)).toEqual([]);
    expect(await database.read.selectFrom("suppressions").selectAll().execute()).toEqual([]);
  });

  it("is not erased while an email to them is being sent, but afterwards", async () => {
    const { peopleOn, listTablesNaming, storeEverything } = setUp();
    const { first, campaigns } = await storeEverything();
    const setState = (state: "claimed" | "sent", lease_owner: string) =>
      database.write((trx) =>
        trx
          .updateTable("deliveries")
          .set({ state, lease_owner })
          .where("campaign_id", "=", campaigns[0]!)
          .where("email_key", "=", KEY)
          .execute(),
      );
    await setState("claimed", "one/1");
    const before = await listTablesNaming(KEY);
    expect(await peopleOn().erase(first, operator)).toEqual({ ok: false, error: "email-in-progress" });
    expect(await listTablesNaming(KEY)).toEqual(before);
    await setState("sent", "");
    expect(await peopleOn().erase(first, operator)).toMatchObject({ ok: true });
  });

  it("is erased once by concurrent requests, and a repeated request changes nothing", async () => {
    const { peopleOn, listTablesNaming, storeEverything } = setUp();
    const { forms, first } = await storeEverything();
    const people = peopleOn();
    const outcomes = await Promise.all(
      [first, first, forms[1]!, forms[3]!].map((id) => people.erase(id, operator)),
    );
    const erased = outcomes.map((outcome) => (outcome.ok ? outcome.submissions : 0));
    expect(erased.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(await listTablesNaming(KEY, NAME)).toEqual([]);
    await expectCountsToAgree(database);
    const before = await readAudit(database);
    expect(await people.erase(first, operator)).toEqual({ ok: false, error: "unknown" });
    expect(await people.erase("\0", operator)).toEqual({ ok: false, error: "unknown" });
    expect(await readAudit(database)).toEqual(before);
  });

  it("can be erased again after an interruption", async () => {
    const { peopleOn, listTablesNaming } = setUp();
    const many = Array.from({ length: 700 }, () => ({ email: ADA }));
    const [first] = await storeSubmissions(database, many);
    const { victim } = createMortalDatabase(database, { atWrite: 1, moment: "after" });
    await expect(peopleOn(victim).erase(first!, operator)).rejects.toThrow();
    await expectCountsToAgree(database);
    expect(await readAudit(database)).toMatchObject([{ action: "erase-person", subject: "500 submissions" }]);
    expect((await peopleOn().find(first!, { limit: 500 }))?.forms).toHaveLength(200);
    expect(await peopleOn().erase(first!, operator)).toMatchObject({ submissions: 200 });
    await expectCountsToAgree(database);
    await sweepDocuments(database);
    expect(await listTablesNaming(KEY, NAME)).toEqual([]);
  });

  it("is shown with every email once, and one that the outbox keeps with its result", async () => {
    const { peopleOn, storeEverything, fillOutbox } = setUp();
    const { first } = await storeEverything();
    await fillOutbox();
    const person = (await peopleOn().find(first, { limit: 50 }))!;
    expect(person.otherEmails).toMatchObject([{ kind: "confirmation", state: "sent" }]);
    await database.write(async (trx) => {
      const { message_id } = person.otherEmails[0]!;
      await trx.updateTable("outbox_emails").set({ message_id }).where("to_address", "=", ADA).execute();
    });
    const shown = (await peopleOn().find(first, { limit: 50 }))!;
    const entries = toTimeline({ ...shown, notes: [] }, { undoableSince: 0, rulesOn: [] });
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted((a, b) => b - a));
    const kinds = Object.groupBy(entries, ({ type }) => type);
    expect(Object.fromEntries(Object.entries(kinds).map(([kind, some]) => [kind, some.length]))).toEqual({
      form: 5,
      "campaign-email": 4,
      email: 1,
      report: 1,
      suppression: 1,
    });
    expect(kinds.email).toMatchObject([{ storedId: shown.outbox[0]!.id, former: undefined }]);
  });

  it("who unsubscribed was sent what was sent before, and nothing that was skipped since", async () => {
    const { clock, peopleOn, getDelivery } = setUp();
    const [id = ""] = await storeSubmissions(database, [{ email: ADA }, { email: "grace@example.com" }]);
    const outreach = createTestOutreach(database);
    const send = async () => {
      const campaign = await outreach.confirmed();
      await outreach.campaignWorker().tick();
      return getDelivery(campaign);
    };
    await unsubscribe({ database, clock, newId }, (await send()).id);
    for (let n = 0; n < 3; n += 1) await send();
    const person = (await peopleOn().find(id, { limit: 50 }))!;
    expect(person.emails.map(({ state }) => state)).toEqual(["skipped", "skipped", "skipped", "sent"]);
    expect(person).toMatchObject({ emailCount: 1, deliveryCount: 4 });
  });

  it("was sent the other emails that left, and not those that wait, failed or were skipped", async () => {
    const { peopleOn, storeEverything } = setUp();
    const { first } = await storeEverything();
    const [email] = await database.read.selectFrom("transactional_emails").selectAll().execute();
    const rows = DELIVERY_STATES.map((state) => {
      const id = newId();
      return { ...email!, id, kind: "api" as const, unique_key: id, message_id: id, state };
    });
    await database.write((trx) => trx.insertInto("transactional_emails").values(rows).execute());
    const person = (await peopleOn().find(first, { limit: 50 }))!;
    expect([person.otherEmails.length, person.otherEmailCount]).toEqual([1 + DELIVERY_STATES.length, 3]);
  });

  it("with thousands of emails is shown with the newest of each kind, by indexes", async () => {
    const { peopleOn, storeEverything } = setUp();
    const { first } = await storeEverything();
    const [email] = await database.read.selectFrom("transactional_emails").selectAll().execute();
    const ids = Array.from({ length: 3000 }, newId);
    await database.write(async (trx) => {
      for (let at = 0; at < ids.length; at += 500) {
        const some = ids.slice(at, at + 500);
        await trx
          .insertInto("transactional_emails")
          .values(some.map((id) => ({ ...email!, id, kind: "api", unique_key: id, message_id: id })))
          .execute();
        const stored = { to_address: ADA, subject: "Hello", file: "x", created_at: 5 };
        await trx
          .insertInto("outbox_emails")
          .values(some.map((id) => ({ ...stored, id, message_id: id })))
          .execute();
      }
    });
    if (dialect === "postgres") await sql`analyze`.execute(database.read);
    const person = (await peopleOn().find(first, { limit: 50 }))!;
    expect([person.otherEmails.length, person.outbox.length, person.hasMore]).toEqual([50, 50, true]);
    expect(person.otherEmailCount).toBe(50);
    expect(person.outbox[0]?.id).toBe(ids.at(-1));
    const plans = await getPlans(database, (watched) => peopleOn(watched).find(first, { limit: 50 }));
    const slow = plans.filter((line) =>
      /Seq Scan on (transactional|outbox)_emails|SCAN (transactional|outbox)_emails/.test(line),
    );
    expect(slow, plans.join("\n")).toEqual([]);
  });

  // R27
  it("is looked up by indexes alone among many", async () => {
    const { peopleOn, storeEverything, getDelivery } = setUp();
    const { first, campaigns } = await storeEverything();
    const others = people(1200);
    await storeSubmissions(
      database,
      others.map((email) => ({ email })),
    );
    const row = await getDelivery(campaigns[0]!);
    const rows = others.map((address) => {
      const id = newId();
      return { ...row, id, message_id: id, address, email_key: address };
    });
    await database.write((trx) => trx.insertInto("deliveries").values(rows).execute());
    if (dialect === "postgres") await sql`analyze`.execute(database.read);
    const plans = await getPlans(database, (watched) => peopleOn(watched).find(first, { limit: 50 }));
    // Planners scan tables of a few rows.
    const scans = plans.filter((line) =>
      /Seq Scan on (submissions|deliveries)|SCAN (submissions|deliveries|bounces|outbox)/.test(line),
    );
    expect(scans, plans.join("\n")).toEqual([]);
  });
});
