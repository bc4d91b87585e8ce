import { describe, expect, it } from "vitest";
import { hours, minutes } from "~/lib/durations";
import type { PersonFields } from "~/services/people/corrected-columns";
import { createNotes } from "~/services/people/notes.server";
import { noteConfirmation } from "~/services/people/people-rows.server";
import { newId } from "~/services/service-deps";
import { suppress as addSuppressions, unsubscribe } from "~/services/suppressions/suppressions.server";
import { readAudit } from "../factories/accounts";
import { createTestCorrections } from "../factories/corrections";
import { createTestOutreach, operator, suppress } from "../factories/outreach";
import { expectCountsToAgree, storeSubmissions } from "../factories/submissions";
import { createTestSuppressions } from "../factories/suppressions";
import { listEmails } from "../factories/transactional-emails";
import { accepted, deferred, scriptByAddress } from "../fakes/scripted-mailer";
import { describeOnDatabases } from "./use-database";

const TYPO = "lena@nordlciht.example";
const LENA = "lena@nordlicht.example";
const GRACE = "grace@navy.example";

describeOnDatabases("a correction of a person on %s", ({ database }) => {
  const setUp = () => createTestCorrections(database);
  const store = async (...submissions: Parameters<typeof storeSubmissions>[1]) =>
    (await storeSubmissions(database, submissions)) as [string, ...string[]];
  const listSubmissions = () =>
    database.read
      .selectFrom("submissions")
      .select(["id", "kind", "state", "name", "email", "email_key", "company", "role"])
      .orderBy("id")
      .execute();
  const listRows = async () => ({
    submissions: await listSubmissions(),
    people: await database.read.selectFrom("people").selectAll().orderBy("id").execute(),
    consents: await database.read.selectFrom("consents").selectAll().orderBy("submission_id").execute(),
    deliveries: await database.read.selectFrom("deliveries").selectAll().orderBy("id").execute(),
    suppressions: await database.read.selectFrom("suppressions").selectAll().orderBy("id").execute(),
    confirmations: await database.read.selectFrom("confirmations").selectAll().orderBy("id").execute(),
    notes: await database.read.selectFrom("person_notes").selectAll().orderBy("id").execute(),
  });
  const getSuppression = (key: string) =>
    database.read.selectFrom("suppressions").selectAll().where("email_key", "=", key).executeTakeFirst();

  it("changes name, company and role where the forms ask for them, and is audited with the old values", async () => {
    const { correct, getFields, find } = setUp();
    const [first] = await store(
      { email: LENA, name: "Lena", company: "Nordlciht", role: "developer" },
      { email: LENA, name: "Lena Vogt", kind: "updates-signup" },
      { email: LENA, name: "Spam", state: "quarantined", quarantine_reason: "honeypot" },
      { email: GRACE, name: "Grace Hopper", company: "Navy" },
    );
    const typed = { name: "Lena Voigt", company: "Nordlicht", role: "manager" };
    expect(await correct(first, typed)).toMatchObject({ ok: true, person: first, isMerge: false });
    expect(await getFields(first)).toEqual({ ...typed, email: LENA });
    expect(await listSubmissions()).toMatchObject([
      typed,
      { name: "Lena Voigt", company: "", role: "" },
      { name: "Spam" },
      { name: "Grace Hopper", company: "Navy" },
    ]);
    await expectCountsToAgree(database);
    expect((await readAudit(database)).at(-1)).toMatchObject({
      action: "correct-person",
      actor: operator.by,
      subject: `${LENA}: name was "Lena Vogt", company was "Nordlciht", role was "developer" (As told on the phone)`,
    });
    expect((await find(first)).corrections).toMatchObject([
      {
        fields: ["name", "company", "role"],
        changes: { name: ["Lena Vogt", "Lena Voigt"] },
        former_email: "",
      },
    ]);
  });

  it("changes nothing that no form of theirs asks, and nothing when nothing was typed", async () => {
    const { correct, corrections } = setUp();
    const [first] = await store({ email: LENA, kind: "updates-signup" });
    expect(await corrections.listColumns(first)).toEqual(["name", "email"]);
    expect(await correct(first, { company: "Nordlicht" })).toEqual({ ok: false, error: "unchanged" });
    expect(await correct(first, {})).toEqual({ ok: false, error: "unchanged" });
    const other = { shown: { name: "", email: "", company: "", role: "" }, reason: "x", mergeWith: "" };
    const unknown = await corrections.correct(newId(), { ...other, typed: other.shown }, operator);
    expect(unknown).toEqual({ ok: false, error: "unknown" });
  });

  it("offers no field that only a form in quarantine asks, beside one that awaits its confirmation", async () => {
    const { corrections } = setUp();
    const [first] = await store(
      { email: LENA, kind: "updates-signup", state: "unconfirmed" },
      { email: LENA, kind: "early-access", state: "quarantined", quarantine_reason: "honeypot" },
    );
    expect(await corrections.listColumns(first)).toEqual(["name", "email"]);
  });

  it("is refused, with what is there now, when a colleague was first", async () => {
    const { corrections, correct, getFields } = setUp();
    const [first] = await store({ email: LENA, name: "Lena", company: "Engines" });
    const shown = await getFields(first);
    await correct(first, { name: "Lena Voigt" });
    const rename = (shown: PersonFields, name: string) =>
      corrections.correct(first, { shown, typed: { ...shown, name }, reason: "x", mergeWith: "" }, operator);
    const stale = await rename(shown, "Magdalena");
    const current = { ...shown, name: "Lena Voigt" };
    expect(stale).toEqual({ ok: false, error: "stale", current });
    const both = await Promise.all(["One", "Two"].map((name) => rename(current, name)));
    expect(both.map((outcome) => outcome.ok).toSorted()).toEqual([false, true]);
  });

  it("changes an address in every state, and keeps the person and what is known by the old one", async () => {
    const { correct, find, corrections, peopleOn, listTablesNaming } = setUp();
    const [first, second] = await store(
      { email: TYPO },
      {
        email: TYPO,
        kind: "contact-form",
        message: "Hello",
        state: "quarantined",
        quarantine_reason: "honeypot",
      },
    );
    const outreach = createTestOutreach(database);
    await outreach.confirmed();
    await outreach.campaignWorker().tick();
    await createNotes({ database, clock: Date.now, newId }).add(first, "A note", operator);
    expect(await correct(second!, { email: LENA })).toMatchObject({ ok: true, person: first });
    await expectCountsToAgree(database);
    const person = await find(first);
    expect(person).toMatchObject({ id: first, address: LENA, domain: "nordlicht.example" });
    expect(person.formerAddresses).toEqual([TYPO]);
    expect(person.forms.map((form) => form.email)).toEqual([LENA, LENA]);
    expect(person.emails).toMatchObject([{ state: "sent", address: TYPO }]);
    expect([person.emailCount, person.notes.length]).toEqual([1, 1]);
    expect((await readAudit(database)).at(-1)?.subject).toContain(`${LENA}: address was "${TYPO}"`);

    const data: Record<string, unknown> = (await peopleOn().export(first, operator))!;
    expect(data).toMatchObject({
      address: LENA,
      formerAddresses: [{ address: TYPO, emails: [{ state: "sent" }] }],
    });
    expect(data.corrections).toMatchObject([{ former_email: TYPO, reason: "As told on the phone" }]);
    await corrections.sweep();
    expect(await peopleOn().erase(first, operator)).toMatchObject({ ok: true });
    expect(await listTablesNaming("nordlciht", "nordlicht")).toEqual(["audit"]);
  });

  it("of a former address that is somebody's again leaves their data alone", async () => {
    const { corrected, find, peopleOn } = setUp();
    const [first] = await store({ email: TYPO });
    await corrected(first, { email: LENA });
    const [second] = await store({ email: TYPO, name: "Somebody Else" });
    expect((await find(first)).formerAddresses).toEqual([]);
    await peopleOn().erase(first, operator);
    expect(await find(second)).toMatchObject({ name: "Somebody Else" });
  });

  it("lets emails that were not sent follow the address, and sends none twice", async () => {
    const { correct } = setUp();
    const [first] = await store({ email: TYPO }, { email: GRACE });
    const outreach = createTestOutreach(database, ({ to }) =>
      to.address === TYPO
        ? { kind: "refused", code: 550, detail: "550 no such user", part: "recipient" }
        : { kind: "accepted", detail: "250 ok" },
    );
    const failed = await outreach.confirmed({ title: "failed" });
    await outreach.campaignWorker().tick();
    await database.write((trx) => trx.deleteFrom("suppressions").execute());
    const waiting = await outreach.confirmed({ title: "waiting" });
    const worker = outreach.campaignWorker({ concurrency: 0 });
    await worker.tick();
    expect(await correct(first, { email: LENA })).toMatchObject({ ok: true });
    await outreach.campaignWorker().tick();
    expect(await outreach.states(failed)).toEqual({ [LENA]: "failed", [GRACE]: "sent" });
    expect(await outreach.states(waiting)).toEqual({ [LENA]: "sent", [GRACE]: "sent" });
    await outreach.getStats(failed);
    await outreach.outreach.retryFailed(failed, operator);
    await outreach.campaignWorker().tick();
    expect(await outreach.states(failed)).toEqual({ [LENA]: "sent", [GRACE]: "sent" });
    expect(outreach.mailer.received.filter((email) => email.to.address === LENA)).toHaveLength(2);
  });

  it("skips an email of a campaign that goes to the new address already", async () => {
    const { correct, find } = setUp();
    const [first, second] = await store({ email: TYPO }, { email: LENA });
    const outreach = createTestOutreach(database);
    const campaign = await outreach.confirmed();
    await outreach.campaignWorker({ concurrency: 0 }).tick();
    await correct(first, { email: LENA }, { mergeWith: second! });
    await outreach.campaignWorker().tick();
    expect(await outreach.states(campaign)).toEqual({ [TYPO]: "skipped", [LENA]: "sent" });
    expect(await outreach.getStats(campaign)).toMatchObject({ skippedByReason: { duplicate: 1 } });
    expect((await find(second!)).emails.map((email) => email.state).toSorted()).toEqual(["sent", "skipped"]);
  });

  it("skips an email of a campaign that the old address got already, until it is undone", async () => {
    const { correct, corrections } = setUp();
    const [first, second] = await store({ email: TYPO }, { email: LENA });
    const outreach = createTestOutreach(database, scriptByAddress({ [LENA]: deferred }));
    const campaign = await outreach.confirmed();
    await outreach.campaignWorker().tick();
    outreach.mailer.script = () => accepted;
    const merged = await correct(first, { email: LENA }, { mergeWith: second! });
    outreach.clock.forward(minutes(10));
    await outreach.campaignWorker().tick();
    expect(await outreach.states(campaign)).toEqual({ [TYPO]: "sent", [LENA]: "skipped" });
    expect(await outreach.getStats(campaign)).toMatchObject({ skippedByReason: { duplicate: 1 } });
    expect(await corrections.undo(merged.ok ? merged.id : "", operator)).toMatchObject({ ok: true });
    await outreach.campaignWorker().tick();
    expect(await outreach.states(campaign)).toEqual({ [TYPO]: "sent", [LENA]: "sent" });
  });

  it("skips an email of a campaign that an address before the last one got already", async () => {
    const { correct } = setUp();
    const [first, second] = await store({ email: TYPO }, { email: LENA });
    const outreach = createTestOutreach(database, scriptByAddress({ [LENA]: deferred }));
    const campaign = await outreach.confirmed();
    await outreach.campaignWorker().tick();
    outreach.mailer.script = () => accepted;
    expect(await correct(first, { email: "lena@between.example" })).toMatchObject({ ok: true });
    expect(await correct(first, { email: LENA }, { mergeWith: second! })).toMatchObject({ ok: true });
    outreach.clock.forward(minutes(10));
    await outreach.campaignWorker().tick();
    expect(await outreach.states(campaign)).toEqual({ [TYPO]: "sent", [LENA]: "skipped" });
  });

  it("waits while an email to the old address is being sent", async () => {
    const { correct } = setUp();
    const [first] = await store({ email: TYPO });
    const outreach = createTestOutreach(database);
    await outreach.confirmed();
    await outreach.campaignWorker().tick();
    const set = (state: "claimed" | "sent") =>
      database.write((trx) => trx.updateTable("deliveries").set({ state }).execute());
    await set("claimed");
    expect(await correct(first, { email: LENA })).toEqual({ ok: false, error: "email-in-progress" });
    expect(await correct(first, { name: "Lena" })).toMatchObject({ ok: true });
    await set("sent");
    expect(await correct(first, { email: LENA })).toMatchObject({ ok: true });
  });

  it("never loses an opt-out, and leaves a mailbox's refusal behind", async () => {
    const { correct } = setUp();
    const [refused, out, noted] = await store(
      { email: TYPO },
      { email: "out@example.com" },
      { email: "noted@example.com" },
    );
    await suppress(database, TYPO, "refused");
    await suppress(database, "out@example.com", "unsubscribed");
    await suppress(database, "out@example.com", "bounced");
    await suppress(database, "noted@example.com", "added");
    await correct(refused, { email: LENA });
    await correct(out!, { email: "out@example.org" });
    await correct(noted!, { email: "noted@example.org" });
    expect(await getSuppression(LENA)).toBeUndefined();
    expect(await getSuppression(TYPO)).toMatchObject({ reason: "refused" });
    expect(await getSuppression("out@example.com")).toMatchObject({ reason: "bounced", opted_out: 1 });
    expect(await getSuppression("out@example.org")).toMatchObject({ reason: "unsubscribed", opted_out: 1 });
    expect(await getSuppression("noted@example.org")).toMatchObject({ reason: "added", opted_out: 0 });
  });

  it("adds nobody to a campaign that was reviewed while their address was suppressed", async () => {
    const { correct } = setUp();
    const [first] = await store({ email: TYPO }, { email: GRACE });
    await suppress(database, TYPO, "refused");
    const outreach = createTestOutreach(database);
    const campaign = await outreach.draft();
    const reviewed = await outreach.review(campaign);
    await correct(first, { email: LENA });
    await outreach.confirm(campaign, reviewed);
    await outreach.campaignWorker().tick();
    expect(await outreach.states(campaign)).toEqual({ [GRACE]: "sent" });
  });

  it("applies later opt-outs by emails to the old address to the new one", async () => {
    const { correct, clock } = setUp();
    const [first, second] = await store({ email: TYPO }, { email: GRACE });
    const outreach = createTestOutreach(database);
    const campaign = await outreach.confirmed();
    await outreach.campaignWorker().tick();
    await correct(first, { email: LENA });
    await correct(second!, { email: "hopper@navy.example" });
    const [delivery] = await outreach.rows(campaign);
    await suppress(database, LENA, "bounced");
    await unsubscribe({ database, clock, newId }, delivery!.id);
    expect(await getSuppression(TYPO)).toMatchObject({ reason: "unsubscribed" });
    expect(await getSuppression(LENA)).toMatchObject({ reason: "bounced", opted_out: 1 });
    const complaint = { type: "complaint", address: GRACE };
    expect(await createTestSuppressions(database).report([complaint])).toMatchObject({ ok: true });
    expect(await getSuppression("hopper@navy.example")).toMatchObject({ reason: "complained", opted_out: 1 });
  });

  it("asks a new address that nobody confirmed for its confirmation, and leaves a confirmed one behind", async () => {
    const { correct, find, confirmations, clock } = setUp();
    const [open, done] = await store(
      { email: TYPO, kind: "updates-signup", state: "unconfirmed" },
      { email: GRACE, kind: "updates-signup" },
    );
    await database.write(async (trx) => {
      await confirmations.request(trx, { email: TYPO, email_key: TYPO }, clock());
      await confirmations.request(trx, { email: GRACE, email_key: GRACE }, clock());
      await trx
        .updateTable("confirmations")
        .set({ confirmed_at: 9 })
        .where("email_key", "=", GRACE)
        .execute();
    });
    await correct(open, { email: LENA });
    await correct(done!, { email: "hopper@navy.example" });
    expect(await find(open)).toMatchObject({ confirmation: { confirmed_at: null, address: LENA } });
    const moved = await find(done!);
    expect(moved.confirmation).toBeUndefined();
    expect(moved.confirmations).toMatchObject([{ address: GRACE, confirmed_at: 9 }]);
    const emails = database.read.selectFrom("transactional_emails").select("address").orderBy("id");
    expect((await emails.execute()).map(({ address }) => address)).toEqual([TYPO, GRACE, LENA]);
  });

  it("asks a new address about the same signup as the old one", async () => {
    const { correct, confirmations, clock } = setUp();
    const [open] = await store({ email: TYPO, kind: "early-access", state: "unconfirmed" });
    const asked = { email: TYPO, email_key: TYPO, about: "early-access" } as const;
    await database.write((trx) => confirmations.request(trx, asked, clock()));
    await correct(open, { email: LENA });
    const { data } = await database.read
      .selectFrom("transactional_emails")
      .select("data")
      .where("address", "=", LENA)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(data)).toMatchObject({ about: "early-access" });
  });

  it("merges two people once the operator agreed, and keeps what is known of both", async () => {
    const { correct, find, corrections } = setUp();
    const [first, second] = await store(
      { email: TYPO, name: "Lena", company: "Nordlicht" },
      { email: LENA, name: "Lena Voigt" },
      { email: LENA, kind: "contact-form", name: "Lena Voigt", message: "Hello" },
    );
    await suppress(database, TYPO, "complained");
    await createNotes({ database, clock: Date.now, newId }).add(first, "A note", operator);
    const asked = await correct(first, { email: LENA });
    expect(asked).toEqual({
      ok: false,
      error: "address-taken",
      person: { id: first, name: "Lena", email: TYPO, forms: 1 },
      other: { id: second, name: "Lena Voigt", email: LENA, forms: 2 },
    });
    expect(await correct(first, { email: LENA }, { mergeWith: newId() })).toMatchObject({ ok: false });
    const merged = await correct(first, { email: LENA }, { mergeWith: second! });
    expect(merged).toMatchObject({ ok: true, person: second, isMerge: true });
    await expectCountsToAgree(database);
    const person = await find(first);
    expect(person).toMatchObject({ id: second, company: "Nordlicht", formerAddresses: [TYPO] });
    expect(person.forms.filter((form) => form.wording === "I agree")).toHaveLength(3);
    expect([person.notes.length, person.corrections.length]).toEqual([1, 1]);
    expect(person.suppression).toMatchObject({ reason: "complained", opted_out: 1 });
    expect((await readAudit(database)).at(-1)).toMatchObject({ action: "merge-people" });
    expect(await corrections.undo(person.corrections[0]!.id, operator)).toMatchObject({ ok: true });
  });

  it("leaves the other person their own request when a merge is undone", async () => {
    const { correct, confirmations, corrections, clock } = setUp();
    const [first, second] = await store(
      { email: TYPO, kind: "updates-signup", state: "unconfirmed" },
      { email: LENA, kind: "updates-signup", state: "unconfirmed" },
    );
    await database.write(async (trx) => {
      await confirmations.request(trx, { email: TYPO, email_key: TYPO }, clock());
      await confirmations.request(trx, { email: LENA, email_key: LENA }, clock());
      await trx.updateTable("transactional_emails").set({ state: "sent", updated_at: 1 }).execute();
    });
    const readRequests = () =>
      database.read.selectFrom("confirmations").selectAll().orderBy("email_key").execute();
    const before = await readRequests();
    clock.forward(hours(2));
    const merged = await correct(first, { email: LENA }, { mergeWith: second! });
    expect(await readRequests()).not.toEqual(before);
    expect(await corrections.undo(merged.ok ? merged.id : "", operator)).toMatchObject({ ok: true });
    expect(await readRequests()).toEqual(before);
  });

  describe("that takes a person who was not asked for their confirmation yet into a confirmed one", () => {
    async function setUpMerge() {
      const world = setUp();
      const [first, second] = await store(
        { email: TYPO, kind: "updates-signup", state: "unconfirmed" },
        { email: LENA },
      );
      const { confirmations, clock } = world;
      await database.write(async (trx) => {
        await trx
          .insertInto("confirmations")
          .values({ id: newId(), address: LENA, email_key: LENA, requested_at: 1, confirmed_at: 2 })
          .execute();
        await confirmations.request(trx, { email: TYPO, email_key: TYPO }, clock());
      });
      const merge = () => world.corrected(first, { email: LENA }, { mergeWith: second! });
      const listRecipients = () => world.mailer.received.map(({ to }) => to.address);
      return { ...world, merge, listRecipients };
    }

    it("sends them no email, and sends it once after an undo", async () => {
      const { merge, send, corrections, listRecipients } = await setUpMerge();
      const id = await merge();
      await send();
      expect(listRecipients()).toEqual([]);
      expect(await corrections.undo(id, operator)).toMatchObject({ ok: true });
      await send();
      await send();
      expect(listRecipients()).toEqual([TYPO]);
    });

    it("restores an email that waits for its next attempt as it was", async () => {
      const { merge, send, corrections, clock, mailer, listRecipients } = await setUpMerge();
      mailer.script = () => deferred;
      await send();
      const before = await listEmails(database);
      expect(before).toMatchObject([{ address: TYPO, state: "retrying", attempts: 1 }]);
      clock.forward(minutes(5));
      const id = await merge();
      mailer.script = () => accepted;
      clock.forward(minutes(6));
      await send();
      expect(await corrections.undo(id, operator)).toMatchObject({ ok: true });
      expect(await listEmails(database)).toEqual(before);
      await send();
      expect(listRecipients()).toEqual([TYPO, TYPO]);
    });

    it("sends no second email after an undo", async () => {
      const { merge, send, corrections, listRecipients } = await setUpMerge();
      await send();
      const id = await merge();
      await send();
      expect(await corrections.undo(id, operator)).toMatchObject({ ok: true });
      await send();
      expect(listRecipients()).toEqual([TYPO]);
    });

    it("sends no email after an undo to who unsubscribed meanwhile", async () => {
      const { merge, send, corrections, clock, listRecipients } = await setUpMerge();
      await suppress(database, LENA);
      const id = await merge();
      clock.forward(1);
      const one = { address: TYPO, detail: "", deliveryId: null };
      await database.write((trx) => addSuppressions(trx, newId, "unsubscribed", [one], clock()));
      expect(await corrections.undo(id, operator)).toMatchObject({ ok: true });
      await send();
      expect(listRecipients()).toEqual([]);
    });
  });

  it("is undone exactly, a merge too", async () => {
    const { corrected, corrections, confirmations, clock } = setUp();
    const [first, second] = await store(
      { email: TYPO, name: "Lena", company: "Nordlicht" },
      { email: TYPO, kind: "updates-signup", state: "unconfirmed" },
      { email: GRACE, name: "Grace Hopper" },
    );
    await database.write((trx) => confirmations.request(trx, { email: TYPO, email_key: TYPO }, clock()));
    const outreach = createTestOutreach(database);
    await outreach.confirmed();
    await outreach.campaignWorker({ concurrency: 0 }).tick();
    await suppress(database, TYPO, "unsubscribed");
    await suppress(database, GRACE, "bounced");
    await createNotes({ database, clock: Date.now, newId }).add(first, "A note", operator);
    const before = await listRows();
    const [, , grace] = before.submissions;

    for (const [changes, options] of [
      [{ name: "Lena Voigt", company: "" }, {}],
      [{ email: LENA, name: "Lena Voigt" }, {}],
      [{ email: GRACE }, { mergeWith: grace!.id }],
    ] as const) {
      const id = await corrected(first, changes, options);
      expect(await listRows()).not.toEqual(before);
      expect(await corrections.undo(id, operator)).toEqual({ ok: true, person: first });
      expect(await listRows()).toEqual(before);
      await expectCountsToAgree(database);
      expect(await corrections.undo(id, operator), "a second time").toEqual({ ok: false, error: "over" });
    }
    expect((await readAudit(database)).at(-1)).toMatchObject({ action: "undo-correction", subject: TYPO });
    expect(second).toBeDefined();
  });

  it("is undone with the confirmation of who joined, a merge too", async () => {
    const { corrected, corrections } = setUp();
    const [first, second = ""] = await store({ email: TYPO }, { email: GRACE });
    // No request of theirs tells of it (joins.server.ts).
    await database.write((trx) => noteConfirmation(trx, TYPO, 9));
    const before = await listRows();
    for (const [email, mergeWith] of [
      [LENA, ""],
      [GRACE, second],
    ] as const) {
      const id = await corrected(first, { email }, { mergeWith });
      const confirmed = database.read.selectFrom("people").select("id").where("confirmed_at", "is not", null);
      expect(await confirmed.execute(), "nobody confirmed the new address").toEqual([]);
      expect(await corrections.undo(id, operator)).toMatchObject({ ok: true });
      expect(await listRows()).toEqual(before);
      await expectCountsToAgree(database);
    }
  });

  it.each([
    ["finished", "sending", "sent"],
    ["cancelled", "cancelled", "skipped"],
  ] as const)("of a merge is undone after a campaign is %s", async (ended, state, delivery) => {
    const { corrected, corrections, clock } = setUp();
    const [first, second] = await store({ email: TYPO }, { email: LENA });
    const world = createTestOutreach(database, scriptByAddress({ [TYPO]: deferred }));
    const campaign = await world.confirmed();
    await world.campaignWorker().tick();
    clock.forward(1);
    const id = await corrected(first, { email: LENA }, { mergeWith: second! });
    if (ended === "cancelled") await world.outreach.cancel(campaign, operator);
    await world.campaignWorker().tick();
    expect(await world.getStats(campaign)).toMatchObject({ state: ended, sent: 1, skipped: 1 });
    expect(await corrections.undo(id, operator)).toMatchObject({ ok: true });
    expect(await world.getStats(campaign)).toMatchObject({ state });
    world.mailer.script = () => accepted;
    world.clock.forward(minutes(10));
    await world.campaignWorker().tick();
    expect(await world.getStats(campaign)).toMatchObject({ state: ended, pending: 0 });
    expect(await world.states(campaign)).toEqual({ [TYPO]: delivery, [LENA]: "sent" });
  });

  it("cannot be undone after ten minutes, and then keeps the old address alone", async () => {
    const { corrected, corrections, clock, find, listTablesNaming } = setUp();
    const [first] = await store({ email: TYPO, name: "Wrong", company: "Nordlicht" });
    const id = await corrected(first, { email: LENA, name: "Lena" });
    clock.forward(minutes(10) - 1);
    await corrections.sweep();
    expect(await listTablesNaming("Wrong")).toEqual(["audit", "person_corrections"]);
    clock.forward(1);
    expect(await corrections.undo(id, operator)).toEqual({ ok: false, error: "over" });
    await corrections.sweep();
    expect(await listTablesNaming("Wrong")).toEqual(["audit"]);
    expect((await find(first)).corrections).toMatchObject([
      { fields: ["name", "email"], changes: {}, former_email: TYPO, isUndoable: false },
    ]);
  });

  it("cannot be undone once something newer depends on it", async () => {
    const { corrected, corrections } = setUp();
    const over = { ok: false, error: "over" };
    const [first] = await store({ email: TYPO, name: "Lena" });
    const renamed = await corrected(first, { name: "Lena Voigt" });
    const moved = await corrected(first, { email: LENA });
    expect(await corrections.undo(renamed, operator), "a later correction").toEqual(over);
    await store({ email: TYPO, name: "Somebody Else" });
    expect(await corrections.undo(moved, operator), "the old address is somebody's").toEqual(over);

    const [third] = await store({ email: "a@example.com" });
    const emailed = await corrected(third, { email: "b@example.com" });
    const outreach = createTestOutreach(database);
    await outreach.confirmed();
    await outreach.campaignWorker().tick();
    expect(await corrections.undo(emailed, operator), "an email to the new address").toEqual(over);
    for (const id of ["\0", newId()]) expect(await corrections.undo(id, operator)).toEqual(over);
  });

  it("refuses a person with more submissions than one transaction may change", async () => {
    const { correct } = createTestCorrections(database, { maxCorrected: 2 });
    const [first] = await store(...Array.from({ length: 3 }, () => ({ email: TYPO })));
    const [other] = await store(...Array.from({ length: 2 }, () => ({ email: GRACE })));
    expect(await correct(first, { name: "Lena" })).toEqual({ ok: false, error: "too-many" });
    expect(await correct(other, { email: "hopper@navy.example" })).toMatchObject({ ok: true });
  });
});
