import { expect, it } from "vitest";
import { minutes, seconds } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import { skipWaitingJobs } from "~/services/queue/groups.server";
import { releaseAbandonedWaves } from "~/services/waves/abandoned-waves.server";
import { waitUntilBlocked } from "../factories/blocked-writes";
import { createTestCorrections } from "../factories/corrections";
import { createMortalDatabase } from "../factories/mortal-database";
import {
  createTestOutreach,
  operator,
  people,
  setImmediateTimer,
  signUp,
  suppress,
} from "../factories/outreach";
import { createTestSuppressions } from "../factories/suppressions";
import { createTestWaves, getInvitations, getInvitationStates, storeInvitation } from "../factories/waves";
import {
  accepted,
  neverSettles,
  refused,
  scriptByAddress,
  unknown,
  type Script,
} from "../fakes/scripted-mailer";
import { yieldUntil } from "../wait-until";
import { describeOnDatabases } from "./use-database";

const TEXT = "Come in: {{invite_link}}";
const [ADA, GRACE, ALAN, EDSGER] = ["ada", "grace", "alan", "edsger"].map(
  (name) => `${name}@example.com`,
) as [string, string, string, string];

describeOnDatabases("a wave on %s", ({ database }) => {
  async function setUp(addresses: readonly string[] = [ADA, GRACE, ALAN, EDSGER], script?: Script) {
    await signUp(database, addresses);
    const outreach = createTestOutreach(database, script);
    const draft = (limit?: number) =>
      outreach.draft({
        message: TEXT,
        narrowing: limit === undefined ? "" : JSON.stringify({ order: "oldest", limit }),
      });
    async function confirmed(limit?: number): Promise<string> {
      const id = await draft(limit);
      expect(await outreach.confirm(id)).toEqual({ ok: true, already: false });
      return id;
    }
    const tick = () => outreach.campaignWorker().tick();
    return { ...outreach, draft, confirmed, tick };
  }
  const getStates = () => getInvitationStates(database);
  const getWave = async (id: string) => {
    const campaign = database.read.selectFrom("campaigns").select(["wave", "state"]).where("id", "=", id);
    return campaign.executeTakeFirstOrThrow();
  };

  /** Merges Ada into Grace, who has joined. */
  async function mergeIntoJoined() {
    const { corrected, corrections } = createTestCorrections(database);
    const people = await database.read.selectFrom("people").select(["id", "email"]).execute();
    const [ada, grace] = [ADA, GRACE].map((email) => people.find((one) => one.email === email)!.id);
    await database.write((trx) =>
      trx.updateTable("wave_invitations").set({ state: "joined" }).where("person_id", "=", grace!).execute(),
    );
    return { merge: await corrected(ada!, { email: GRACE }, { mergeWith: grace! }), corrections };
  }

  it("invites each recipient once, by a link of their own, and later ones take the others", async () => {
    const { confirmed, tick, mailer, clock, states } = await setUp();
    const first = await confirmed(2);
    expect(await getStates()).toEqual({ [ADA]: "reserved", [GRACE]: "reserved" });
    const second = await confirmed();
    await tick();
    expect(await states(first)).toEqual({ [ADA]: "sent", [GRACE]: "sent" });
    expect(await states(second)).toEqual({ [ALAN]: "sent", [EDSGER]: "sent" });
    expect([await getWave(first), await getWave(second)]).toMatchObject([{ wave: 1 }, { wave: 2 }]);
    const rows = await getInvitations(database);
    for (const email of mailer.received) {
      expect(rows[email.to.address]).toMatchObject({ state: "invited", invited_at: clock() });
      expect(email.text).toContain(`https://example.com/i/${rows[email.to.address]!.id}_1`);
    }
  });

  it("is previewed as its first recipient gets it, also once that person is invited", async () => {
    const { draft, confirm, previews, tick } = await setUp([ADA, GRACE]);
    const [first, second] = [await draft(1), await draft(1)];
    const listReaders = async () => {
      const emails = await Promise.all([first, second].map((id) => previews.previewEmail(id)));
      return emails.map((email) => email?.first.to);
    };
    const [ada, grace] = [ADA, GRACE].map((address) => ({ name: `Name of ${address}`, address }));
    expect(await listReaders()).toEqual([ada, ada]);
    await confirm(first);
    expect(await listReaders()).toEqual([ada, grace]);
    await tick();
    expect(await listReaders()).toEqual([ada, grace]);
  });

  it("is previewed as its own recipient once it is cancelled, or as nobody where it had none yet", async () => {
    const { draft, confirm, previews, outreach, campaignWorker, tick } = await setUp([ADA, GRACE]);
    const [first, second] = [await draft(1), await draft(1)];
    const getReader = async (id: string) => (await previews.previewEmail(id))?.first.to;
    await confirm(first);
    await campaignWorker({ concurrency: 0 }).tick();
    await confirm(second);
    await outreach.cancel(first, operator);
    await outreach.cancel(second, operator);
    await tick();
    expect(await getReader(first)).toEqual({ name: `Name of ${ADA}`, address: ADA });
    expect(await getReader(second)).toEqual({ name: "", address: "hello@example.com" });
  });

  it("is asked about again when it would be another number of people", async () => {
    const { draft, review, confirm } = await setUp();
    const [first, second] = [await draft(3), await draft(3)];
    const [reviewed, alsoReviewed] = [await review(first), await review(second)];
    expect([reviewed.counted, alsoReviewed.counted]).toEqual([3, 3]);
    await confirm(first, reviewed);
    expect(await confirm(second, alsoReviewed)).toEqual({ ok: false, error: "audience-changed" });
    expect((await review(second)).counted).toBe(1);
    expect(Object.keys(await getStates())).toHaveLength(3);
    expect(await confirm(second)).toEqual({ ok: true, already: false });
    const last = await draft();
    expect(await confirm(last)).toEqual({ ok: false, error: "no-recipients" });
  });

  // R22
  it("shares nobody with another one that is confirmed at the same moment", async () => {
    const { draft, review, confirm, states, tick } = await setUp(people(30));
    const drafts = [await draft(20), await draft(20)];
    const reviewed = await Promise.all(drafts.map((id) => review(id)));
    const outcomes = await Promise.all(drafts.map((id, at) => confirm(id, reviewed[at])));
    const winners = drafts.filter((_, at) => outcomes[at]!.ok);
    expect(winners.length).toBeLessThanOrEqual(1);
    for (const id of drafts.filter((each) => !winners.includes(each))) {
      expect(await confirm(id)).toEqual({ ok: true, already: false });
    }
    await tick();
    const sent = (await Promise.all(drafts.map(states))).flatMap((each) => Object.keys(each));
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent.length).toBeGreaterThanOrEqual(20);
    const waves = await Promise.all(drafts.map(getWave));
    expect(waves.map(({ wave }) => wave).toSorted()).toEqual([1, 2]);
  });

  it("that was interrupted while it was confirmed keeps nobody", async () => {
    const { draft, review, clock } = await setUp();
    const id = await draft(2);
    const ids = await database.read.selectFrom("people").select("id").orderBy("id").limit(2).execute();
    for (const person of ids) {
      await storeInvitation(database, {
        person_id: person.id,
        campaign_id: id,
        state: "reserved",
        reserved_at: clock(),
      });
    }
    // It still chooses the oldest, another one takes nobody of them.
    expect((await review(id)).counted).toBe(2);
    expect((await review(await draft())).counted).toBe(2);
    clock.forward(minutes(14));
    await releaseAbandonedWaves(database, clock);
    expect(Object.keys(await getStates())).toHaveLength(2);
    clock.forward(minutes(1));
    await releaseAbandonedWaves(database, clock);
    expect(await getStates()).toEqual({});
    expect((await review(await draft())).counted).toBe(4);
  });

  it("that was interrupted, and is confirmed without its link or gone, keeps nobody", async () => {
    const { draft, confirm, confirmed, outreach, tick, clock } = await setUp([ADA, GRACE, ALAN]);
    const invited = await confirmed(1);
    const people = await database.read.selectFrom("people").select("id").orderBy("id").execute();
    const group = await draft();
    await database.write((trx) =>
      trx.updateTable("campaigns").set({ message: "Hello" }).where("id", "=", group).execute(),
    );
    for (const [at, campaign_id] of [group, newId()].entries()) {
      const person_id = people[at + 1]!.id;
      await storeInvitation(database, { person_id, campaign_id, state: "reserved", reserved_at: clock() });
    }
    expect(await confirm(group)).toEqual({ ok: true, already: false });
    clock.forward(minutes(15));
    await releaseAbandonedWaves(database, clock);
    // One that is being sent keeps its own.
    expect(await getStates()).toEqual({ [ADA]: "reserved" });
    await outreach.cancel(invited, operator);
    await tick();
    expect(await getStates()).toEqual({});
  });

  it("that is confirmed while its abandoned reservations are returned keeps its new ones", async () => {
    const { draft, confirm, clock } = await setUp([ADA]);
    const id = await draft();
    const [ada] = await database.read.selectFrom("people").select("id").execute();
    await storeInvitation(database, {
      person_id: ada!.id,
      campaign_id: id,
      state: "reserved",
      reserved_at: clock(),
    });
    clock.forward(minutes(15));
    let isConfirmed = false;
    const write: typeof database.write = async (work) => {
      if (!isConfirmed) {
        isConfirmed = true;
        expect(await confirm(id)).toEqual({ ok: true, already: false });
      }
      return database.write(work);
    };
    await releaseAbandonedWaves({ ...database, write }, clock);
    expect([isConfirmed, await getStates()]).toEqual([true, { [ADA]: "reserved" }]);
  });

  it("that is over gets nobody back by the undoing of a merge", async () => {
    const { confirmed, tick } = await setUp([ADA, GRACE]);
    const id = await confirmed();
    const { merge, corrections } = await mergeIntoJoined();
    await tick();
    await tick();
    expect((await getWave(id)).state).toBe("finished");
    expect(await corrections.undo(merge, operator)).toMatchObject({ ok: true });
    expect(await getStates()).toEqual({ [GRACE]: "joined" });
  });

  it("that finished goes on for whom the undoing of a merge brings back", async () => {
    const { confirmed, campaignWorker, tick, states } = await setUp([ADA, GRACE]);
    const id = await confirmed();
    await campaignWorker({ concurrency: 0 }).tick();
    const { merge, corrections } = await mergeIntoJoined();
    await tick();
    await tick();
    expect((await getWave(id)).state).toBe("finished");
    expect(await corrections.undo(merge, operator)).toMatchObject({ ok: true });
    await tick();
    expect((await getWave(id)).state).toBe("finished");
    expect(await states(id)).toEqual({ [ADA]: "sent", [GRACE]: "skipped" });
    expect(await getStates()).toEqual({ [ADA]: "invited", [GRACE]: "joined" });
  });

  it("that is confirmed again after an interruption invites exactly its people", async () => {
    const { draft, confirm, tick, states, clock } = await setUp();
    const id = await draft(2);
    const [grace] = await database.read
      .selectFrom("people")
      .select("id")
      .where("email_key", "=", GRACE)
      .execute();
    await storeInvitation(database, {
      person_id: grace!.id,
      campaign_id: id,
      state: "reserved",
      reserved_at: clock(),
    });
    expect(await confirm(id)).toEqual({ ok: true, already: false });
    await tick();
    expect(await states(id)).toEqual({ [ADA]: "sent", [GRACE]: "sent" });
  });

  it("returns those whose email was not sent, and counts one that may have arrived as invited", async () => {
    const script = scriptByAddress({ [ADA]: refused, [GRACE]: unknown });
    const { confirmed, tick, mailer, outreach } = await setUp([ADA, GRACE, ALAN], script);
    await suppress(database, ALAN);
    const id = await confirmed();
    expect(await getStates()).toEqual({ [ADA]: "reserved", [GRACE]: "reserved" });
    await tick();
    expect(await getStates()).toEqual({ [GRACE]: "invited" });
    // A failed one that is tried again is reserved again.
    mailer.script = () => accepted;
    await database.write((trx) => trx.deleteFrom("suppressions").execute());
    await outreach.resume(id, operator);
    await outreach.retryFailed(id, operator);
    expect(await getStates()).toEqual({ [ADA]: "reserved", [GRACE]: "invited" });
    await tick();
    expect(await getStates()).toEqual({ [ADA]: "invited", [GRACE]: "invited" });
  });

  it("emails nobody twice whom another wave took meanwhile, nor who joined", async () => {
    const script = scriptByAddress({ [ADA]: refused });
    const { confirmed, tick, mailer, outreach, states, clock } = await setUp([ADA, GRACE], script);
    const first = await confirmed();
    await tick();
    await database.write((trx) => trx.deleteFrom("suppressions").execute());
    mailer.script = () => accepted;
    const second = await confirmed();
    await outreach.retryFailed(first, operator);
    await createTestWaves(database, clock).joins.record([{ email: ADA }]);
    await outreach.resume(first, operator);
    await tick();
    expect([await states(first), await states(second)]).toEqual([
      { [ADA]: "skipped", [GRACE]: "sent" },
      { [ADA]: "skipped" },
    ]);
    expect(await getStates()).toEqual({ [ADA]: "joined", [GRACE]: "invited" });
  });

  it("that is cancelled returns what was not sent", async () => {
    const { confirmed, outreach, campaignWorker, mailer } = await setUp(people(5), () => neverSettles);
    const id = await confirmed();
    const { victim, kill } = createMortalDatabase(database);
    const sending = campaignWorker({ concurrency: 2, database: victim, setTimer: setImmediateTimer }).tick();
    await yieldUntil(() => mailer.received.length === 2);
    await outreach.cancel(id, operator);
    const worker = campaignWorker();
    await worker.tick();
    // Those in flight may arrive.
    expect(await getStates()).toEqual({
      "person1@example.com": "reserved",
      "person2@example.com": "reserved",
    });
    kill();
    await expect(sending).rejects.toThrow("killed");
  });

  it("that is cancelled leaves alone an email that another instance is claiming just then", async () => {
    const { confirmed, campaignWorker, outreach, states } = await setUp([ADA]);
    const id = await confirmed();
    await campaignWorker({ concurrency: 0 }).tick();
    await outreach.cancel(id, operator);
    const jobs = { table: "deliveries", column: "campaign_id", id };
    let skipping: Promise<boolean> | undefined;
    await database.write(async (trx) => {
      await trx.updateTable("deliveries").set({ state: "claimed" }).execute();
      skipping = database.write((other) => skipWaitingJobs(other, jobs, { detail: "", now: 1 }));
      await waitUntilBlocked(database, skipping);
    });
    expect(await skipping).toBe(false);
    expect(await states(id)).toEqual({ [ADA]: "claimed" });
  });

  it("repeats after a crash only what was in flight, with the same link", async () => {
    const { confirmed, campaignWorker, mailer, clock } = await setUp(people(5), () => neverSettles);
    await confirmed();
    const { victim, kill } = createMortalDatabase(database);
    const crashing = campaignWorker({ concurrency: 2, database: victim, setTimer: setImmediateTimer }).tick();
    await yieldUntil(() => mailer.received.length === 2);
    kill();
    await expect(crashing).rejects.toThrow("killed");
    mailer.script = () => accepted;
    mailer.proofs.set(mailer.received[0]!.messageId, true);
    clock.forward(seconds(4) + 1);
    await campaignWorker().tick();
    expect(new Set(mailer.received.map((email) => email.text)).size).toBe(5);
    expect(mailer.received).toHaveLength(6);
    expect(Object.values(await getStates())).toEqual(Array(5).fill("invited"));
  });

  it("that is edited before its start returns everybody", async () => {
    const { draft, confirm, outreach, tick, clock } = await setUp();
    const id = await draft();
    await confirm(id, undefined, { beginAt: clock() + minutes(60), whenMissed: "wait" });
    await tick();
    expect(Object.keys(await getStates())).toHaveLength(4);
    expect(await outreach.edit(id, operator)).toEqual({ ok: true });
    await tick();
    expect(await getStates()).toEqual({});
    expect(await getWave(id)).toEqual({ wave: null, state: "draft" });
  });

  const bounce = (address: string, messageId: string) => ({
    type: "bounce",
    permanent: true,
    address,
    messageId,
    reason: "550 5.1.1 no such user",
  });

  it("counts a late bounce as undeliverable, of its email and of one sent again", async () => {
    const { confirmed, tick, mailer, clock } = await setUp([ADA, GRACE]);
    const { report } = createTestSuppressions(database);
    await confirmed();
    await tick();
    const ofAda = mailer.received.find((email) => email.to.address === ADA)!;
    await report([bounce(ADA, ofAda.messageId)]);
    expect(await getStates()).toEqual({ [ADA]: "undeliverable", [GRACE]: "invited" });

    const waves = createTestWaves(database, clock);
    const { person_id, issue } = (await getInvitations(database))[GRACE]!;
    await waves.ofPeople.resend(person_id, issue, operator);
    await waves.emails.worker.tick();
    await report([bounce(GRACE, waves.mailer.received[0]!.messageId)]);
    expect(await getStates()).toEqual({ [ADA]: "undeliverable", [GRACE]: "undeliverable" });
  });

  it("counts a bounce that comes before the result of its email as undeliverable", async () => {
    const { report } = createTestSuppressions(database);
    const { confirmed, tick, states, clock } = await setUp([ADA], async ({ to, messageId }) => {
      await report([bounce(to.address, messageId)]);
      return accepted;
    });
    const id = await confirmed();
    await tick();
    expect(await states(id)).toEqual({ [ADA]: "sent" });
    expect((await getInvitations(database))[ADA]).toMatchObject({
      state: "undeliverable",
      invited_at: clock(),
    });
  });

  it("counts a bounce that comes before the result of an email sent again as undeliverable", async () => {
    const { confirmed, tick, clock } = await setUp([ADA]);
    const { report } = createTestSuppressions(database);
    await confirmed();
    await tick();
    const waves = createTestWaves(database, clock);
    waves.mailer.script = async ({ to, messageId }) => {
      await report([bounce(to.address, messageId)]);
      return accepted;
    };
    const { person_id, issue } = (await getInvitations(database))[ADA]!;
    await waves.ofPeople.resend(person_id, issue, operator);
    await waves.emails.worker.tick();
    expect(waves.mailer.received).toHaveLength(1);
    expect(await getStates()).toEqual({ [ADA]: "undeliverable" });
  });

  it("follows a corrected address, and a merge leaves one email", async () => {
    const { confirmed, tick, states } = await setUp([ADA, GRACE]);
    const { corrected } = createTestCorrections(database);
    const ids = Object.fromEntries(
      (await database.read.selectFrom("people").select(["id", "email"]).execute()).map((row) => [
        row.email,
        row.id,
      ]),
    );
    const id = await confirmed();
    await createTestOutreach(database).campaignWorker({ concurrency: 0 }).tick();
    await corrected(ids[ADA]!, { email: GRACE }, { mergeWith: ids[GRACE]! });
    await tick();
    expect(await states(id)).toEqual({ [ADA]: "skipped", [GRACE]: "sent" });
    expect(await getStates()).toEqual({ [GRACE]: "invited" });
  });
});
