import type { Updateable } from "kysely";
import { expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import type { WaveInvitationsTable } from "~/db/tables/waves";
import { days, hours, minutes } from "~/lib/durations";
import { skipAutomaticEmails } from "~/services/mail/transactional/skip-automatic.server";
import { isSuppressed, unsubscribe } from "~/services/suppressions/suppressions.server";
import { createWaveReminderKind } from "~/services/waves/wave-email.server";
import { createWaveReminders, skipDueReminders } from "~/services/waves/wave-reminders.server";
import { newId } from "~/services/service-deps";
import { createWavePlans } from "~/services/waves/wave-plans.server";
import { createTestCorrections } from "../factories/corrections";
import { createTestOutreach, operator, people, signUp, suppress } from "../factories/outreach";
import { createTestEmails, listEmails, sender } from "../factories/transactional-emails";
import { ScriptedMailer } from "../fakes/scripted-mailer";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("reminders of a wave on %s", ({ database }) => {
  /** Sends a wave to four people, whose reminder is due after a week. */
  async function setUp({ inviteDays = 0, remindMs = days(7), count = 4 } = {}) {
    await signUp(database, people(count));
    const world = createTestOutreach(database);
    const { clock, outreach } = world;
    const id = await world.draft({
      title: "Come in",
      message: "Here: {{invite_link}}",
      narrowing: JSON.stringify({ order: "oldest", limit: count }),
    });
    const reviewed = await world.review(id);
    await outreach.confirm({ campaignId: id, reviewed, remindMs }, operator);
    await world.campaignWorker().tick();

    const mailer = new ScriptedMailer();
    const kind = createWaveReminderKind({
      database,
      clock,
      sender,
      toTitle: (title) => `Reminder: ${title}`,
      inviteDays,
      compose: (content) => (delivery) => ({
        messageId: delivery.messageId,
        from: delivery.sender,
        to: { name: delivery.recipient.name, address: delivery.recipient.address },
        subject: content.title,
        text: `${content.message} ${delivery.inviteUrl}`,
        html: "",
        headers: {},
      }),
      unsubscribeUrl: (emailId) => `https://example.com/unsubscribe/${emailId}`,
      inviteUrl: (link) => `https://example.com/i/${link.id}_${link.issue}`,
    });
    const emails = createTestEmails(database, clock, { mailer, kinds: [kind] });
    const createReminders = (on: Database) =>
      createWaveReminders({ database: on, clock, emails, kind, wake: () => undefined, inviteDays });
    const reminders = createReminders(database);
    /** Lets a time pass, and returns whom reminders were sent to meanwhile. */
    async function after(ms: number): Promise<string[]> {
      const before = mailer.received.length;
      clock.forward(ms);
      await reminders.runDue();
      await emails.worker.tick();
      return mailer.recipients.slice(before).toSorted();
    }
    const change = (address: string, changes: Updateable<WaveInvitationsTable>) =>
      database.write((trx) =>
        trx
          .updateTable("wave_invitations")
          .set(changes)
          .where("person_id", "in", trx.selectFrom("people").select("id").where("email_key", "=", address))
          .execute(),
      );
    return { ...world, id, mailer, createReminders, reminders, emails, after, change };
  }
  const [one, two, three, four] = people(4) as [string, string, string, string];

  it("go once, after the chosen time, with the text and the link of the wave", async () => {
    const { after, mailer } = await setUp();
    expect(await after(days(7) - 1)).toEqual([]);
    expect(await after(1)).toEqual(people(4));
    expect(mailer.received[0]).toMatchObject({ subject: "Reminder: Come in" });
    expect(mailer.received[0]!.text).toMatch(/^Here: \{\{invite_link\}\} https:\/\/example\.com\/i\/.+_1$/);
    expect(await after(days(30))).toEqual([]);
  });

  it("unsubscribe their reader for good", async () => {
    const { after, emails, clock } = await setUp({ count: 1 });
    expect(await after(days(7))).toEqual([one]);
    const [reminder] = await listEmails(database);
    clock.forward(days(3650));
    await emails.sweep();
    expect(await unsubscribe({ database, clock, newId }, reminder!.id)).toEqual({ ok: true, address: one });
    expect(await isSuppressed(database, one)).toBe(true);
  });

  it("write nothing while none is due", async () => {
    const { after, clock, createReminders, change } = await setUp();
    let writes = 0;
    const reminders = createReminders({
      ...database,
      write(work) {
        writes += 1;
        return database.write(work);
      },
    });
    clock.forward(days(7) - 1);
    expect(await reminders.runDue()).toBe(0);
    await change(one, { revoked_at: 1 });
    for (const address of [two, three]) await change(address, { state: "joined" });
    expect(await after(1)).toEqual([four]);
    expect(await reminders.runDue()).toBe(0);
    expect(writes).toBe(0);
    // PostgreSQL reads so small a table as a whole.
    if (database.dialect === "postgres") return;
    const plans = await getPlans(database, (watched) => createReminders(watched).runDue());
    expect(plans.join("\n")).toContain("wave_invitations_unreminded (campaign_id=? AND invited_at");
  });

  it("leave out who joined, was revoked, came back or unsubscribed", async () => {
    const { after, change } = await setUp();
    await change(one, { state: "joined" });
    await change(two, { revoked_at: 1 });
    await change(three, { state: "undeliverable" });
    expect(await after(days(7))).toEqual([four]);
  });

  it("leave out who joins or unsubscribes before they are sent", async () => {
    const { reminders, emails, clock, change, mailer } = await setUp();
    clock.forward(days(7));
    expect(await reminders.runDue()).toBe(4);
    await change(one, { state: "joined" });
    await suppress(database, two);
    await emails.worker.tick();
    expect(mailer.recipients.toSorted()).toEqual([three, four]);
  });

  it("leave out whose link expires before they are sent", async () => {
    const { reminders, after, clock, change } = await setUp({ inviteDays: 8 });
    clock.forward(days(7));
    expect(await reminders.runDue()).toBe(4);
    await change(four, { invited_at: clock() - days(7) + 1 });
    expect(await after(days(1))).toEqual([four]);
    expect((await listEmails(database)).map(({ address, detail }) => [address, detail])).toContainEqual([
      one,
      "expired",
    ]);
  });

  it("that wait go to a corrected address, and back after its undo, a merge too", async () => {
    const { reminders, after, clock } = await setUp({ count: 2 });
    const { corrected, corrections, clock: correctionClock } = createTestCorrections(database);
    const findId = async (address: string) =>
      (await database.read.selectFrom("people").select("id").where("email_key", "=", address).execute())[0]!
        .id;
    const [first, second] = [await findId(one), await findId(two)];
    for (const each of [clock, correctionClock]) each.forward(days(7));
    expect(await reminders.runDue()).toBe(2);
    for (const [email, mergeWith] of [
      ["new@example.com", ""],
      [two, second],
    ] as const) {
      const id = await corrected(first, { email }, { mergeWith });
      expect(await reminders.runDue()).toBe(1);
      expect(await corrections.undo(id, operator)).toMatchObject({ ok: true });
    }
    expect(await after(0)).toEqual([one, two]);
  });

  it("are sent once to a corrected address, and none to the one before", async () => {
    const { reminders, after, clock } = await setUp({ count: 2 });
    const { corrected } = createTestCorrections(database);
    clock.forward(days(7));
    expect(await reminders.runDue()).toBe(2);
    const person = await database.read
      .selectFrom("people")
      .select("id")
      .where("email_key", "=", one)
      .executeTakeFirstOrThrow();
    await corrected(person.id, { email: "new@example.com" });
    expect(await after(0)).toEqual(["new@example.com", two].toSorted());
    expect(await after(days(30))).toEqual([]);
  });

  it("that are queued or due when a backup is restored do not go, later ones do", async () => {
    const { reminders, clock, after, change } = await setUp();
    clock.forward(days(7));
    await change(two, { invited_at: clock() });
    await change(three, { revoked_at: 1 });
    expect(await reminders.runDue()).toBe(2);
    await change(four, { reminded_at: null });
    await database.write(async (trx) => {
      await skipAutomaticEmails(trx, clock());
      await skipDueReminders(trx, clock());
    });
    expect(await after(0)).toEqual([]);
    // Who is sent a new link.
    await change(three, { revoked_at: null, invited_at: clock() });
    expect(await after(days(7))).toEqual([two, three]);
  });

  it("go to nobody whose link has expired", async () => {
    const { after } = await setUp({ inviteDays: 5 });
    expect(await after(days(7))).toEqual([]);
  });

  it("go to nobody of a wave without one", async () => {
    const { after } = await setUp({ remindMs: 0 });
    expect(await after(days(60))).toEqual([]);
  });

  it("are queued once by two instances, in pieces", async () => {
    const { reminders, emails, clock, mailer } = await setUp({ count: 230 });
    clock.forward(days(7));
    await Promise.all([reminders.runDue(), reminders.runDue()]);
    await emails.worker.tick();
    expect(mailer.recipients).toHaveLength(230);
    expect(new Set(mailer.recipients).size).toBe(230);
  });

  it("of a repeated wave come after each of its runs", async () => {
    await signUp(database, people(2));
    const { outreach, clock, ...world } = createTestOutreach(database);
    const campaignId = await world.draft({
      message: "{{invite_link}}",
      narrowing: JSON.stringify({ order: "oldest", limit: 1 }),
    });
    const reviewed = await world.review(campaignId);
    const repeating = { repeats: "day", timeZone: "UTC" } as const;
    await outreach.confirm({ campaignId, reviewed, repeating, remindMs: days(3) }, operator);
    await world.campaignWorker().tick();
    clock.forward(days(1) + hours(1) + minutes(1));
    await createWavePlans({ database, clock, newId, outreach }).runDue();
    const kept = await database.read
      .selectFrom("campaigns")
      .select("remind_ms")
      .where("wave", "=", 2)
      .execute();
    expect(kept).toEqual([{ remind_ms: days(3) }]);
  });
});
