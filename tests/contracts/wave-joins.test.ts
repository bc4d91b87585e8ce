import type { KyselyPlugin, QueryId } from "kysely";
import { expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, minutes, seconds } from "~/lib/durations";
import { createPeople } from "~/services/people/people.server";
import { newId } from "~/services/service-deps";
import { isSuppressed, unsubscribe } from "~/services/suppressions/suppressions.server";
import { readAudit } from "../factories/accounts";
import { createOvertakenDatabase } from "../factories/blocked-writes";
import { createTestCorrections } from "../factories/corrections";
import { operator, suppress } from "../factories/outreach";
import { createPersonData } from "../factories/people";
import { createTestClock } from "../factories/time";
import { storeSubmissions } from "../factories/submissions";
import { listEmails } from "../factories/transactional-emails";
import { watchWrites } from "../factories/watched-writes";
import { createTestWaves, getInvitations, storeInvitation } from "../factories/waves";
import { describeOnDatabases } from "./use-database";

const ADA = "ada@example.com";
const GRACE = "grace@example.com";
const CALLER = { address: "203.0.113.7", network: "203.0.113.0", requestId: "request-1" };

/** Runs `work` after the first insert. */
function createInsertPlugin(work: () => Promise<unknown>): KyselyPlugin {
  let first: QueryId | undefined;
  return {
    transformQuery({ node, queryId }) {
      if (node.kind === "InsertQueryNode") first ??= queryId;
      return node;
    },
    async transformResult({ queryId, result }) {
      if (queryId === first) await work();
      return result;
    },
  };
}

describeOnDatabases("an invitation on %s", ({ database }) => {
  type Differing = Partial<Parameters<typeof storeInvitation>[1]>;

  /** Stores Ada, who was invited an hour ago, and Grace, whom nobody invited. */
  async function setUp({
    settings,
    ...invitation
  }: Differing & { settings?: { days?: number; isBound?: boolean } } = {}) {
    const clock = createTestClock();
    const watched = watchWrites(database);
    const waves = createTestWaves(watched.database, clock, { settings: settings ?? {} });
    const [ada, grace] = (await storeSubmissions(database, [
      { email: ADA, name: "Ada Lovelace" },
      { email: GRACE },
    ])) as [string, string];
    const campaign = await storeWave();
    await storeInvitation(database, {
      person_id: ada,
      campaign_id: campaign,
      invited_at: clock() - minutes(60),
      ...invitation,
    });
    const code = await waves.getCode(ADA);
    /** Opens a link, and waits until that is noted. */
    const open = async (of = code, differing: { address?: string; isNavigation?: boolean } = {}) => {
      const opened = await waves.links.open(of, {
        address: "198.51.100.1",
        isNavigation: true,
        ...differing,
      });
      await watched.written();
      return opened;
    };
    const join = async (...joins: Parameters<typeof waves.joins.record>[0]) => waves.joins.record(joins);
    return { ...waves, clock, ada, grace, code, open, join };
  }

  async function storeWave(): Promise<string> {
    const row = {
      id: "01900000-0000-7000-8000-000000000001",
      state: "finished" as const,
      audience: "early-access" as const,
      title: "You are in",
      message: "Come in: {{invite_link}}",
      template_id: null,
      test_address: "",
      created_by: "",
      created_at: 1,
      touched_at: 1,
      confirmed_at: 1,
      finished_at: 1,
      hold_until: null,
      wave: 3,
    };
    await database.write((trx) => trx.insertInto("campaigns").values(row).execute());
    return row.id;
  }

  const getAda = async () => (await getInvitations(database))[ADA];

  it("leads to the application each time it is opened, and uses nothing up", async () => {
    const { open, code, links } = await setUp();
    const url = `https://app.example.com/join?code=${code}`;
    expect(await open()).toEqual({ url });
    expect(await open()).toEqual({ url });
    expect(await links.verify(code)).toEqual({
      state: "valid",
      invited: { email: ADA, name: "Ada Lovelace", wave: 3, expiresAt: null },
    });
    expect(await getAda()).toMatchObject({ state: "invited", issue: 1 });
  });

  it("leads to the application while the database takes no writes", async () => {
    const { clock, code } = await setUp();
    const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    // Of the two, a locked one does not answer.
    const { promise: locked } = Promise.withResolvers<never>();
    for (const write of [() => Promise.reject(full), () => locked]) {
      const { links } = createTestWaves({ ...database, read: database.read, write }, clock);
      expect(await links.open(code, { address: "198.51.100.1", isNavigation: true })).toHaveProperty("url");
    }
  });

  it("counts as opened by what looks like a person's click only", async () => {
    const { open, clock } = await setUp({ invited_at: createTestClock()() - seconds(59) });
    await open();
    expect((await getAda())?.opened_at).toBeNull();
    clock.forward(seconds(1));
    await open(undefined, { isNavigation: false });
    expect((await getAda())?.opened_at).toBeNull();
    await open();
    const openedAt = clock();
    clock.forward(minutes(5));
    await open();
    expect(await getAda()).toMatchObject({ state: "invited", opened_at: openedAt });
  });

  it("counts as unopened in a burst of three from one network, and again after it", async () => {
    const { open, getCode, clock } = await setUp();
    const others = await storeSubmissions(database, [{ email: "b@example.com" }, { email: "c@example.com" }]);
    for (const person_id of others) {
      await storeInvitation(database, { person_id, campaign_id: null, invited_at: 1 });
    }
    const codes = [await getCode(ADA), await getCode("b@example.com"), await getCode("c@example.com")];
    const listOpened = async () =>
      Object.values(await getInvitations(database)).filter((row) => row.opened_at !== null).length;
    for (const code of codes.slice(0, 2)) await open(code);
    expect(await listOpened()).toBe(2);
    await open(codes[2]);
    expect(await listOpened()).toBe(0);
    await open(codes[2], { address: "192.0.2.1" });
    expect(await listOpened()).toBe(1);
    clock.forward(minutes(2));
    await open();
    expect(await listOpened()).toBe(2);
  });

  it("that is opened again and again in a burst writes nothing", async () => {
    const { getCode, clock } = await setUp();
    const addresses = ["b@example.com", "c@example.com"];
    for (const person_id of await storeSubmissions(
      database,
      addresses.map((email) => ({ email })),
    )) {
      await storeInvitation(database, { person_id, campaign_id: null, invited_at: 1 });
    }
    const codes = await Promise.all([ADA, ...addresses].map((address) => getCode(address)));
    let writes = 0;
    const write: typeof database.write = (work) => {
      writes += 1;
      return database.write(work);
    };
    const { links } = createTestWaves({ ...database, write }, clock);
    const openAll = async () => {
      for (const code of codes) await links.open(code, { address: "198.51.100.1", isNavigation: true });
    };
    await openAll();
    expect(writes).toBe(3);
    await openAll();
    expect(writes).toBe(3);
  });

  it("that is revoked, replaced, expired, joined or forged leads nowhere", async () => {
    const { open, code, ofPeople, ada, clock, links, join, getCode } = await setUp({ settings: { days: 7 } });
    expect(await open(`${code}x`)).toEqual({ state: "unknown" });
    expect(await links.verify("test")).toEqual({ state: "unknown" });
    await ofPeople.revoke(ada, operator);
    expect(await open()).toEqual({ state: "revoked" });
    expect((await links.verify(code)).state).toBe("revoked");
    expect(await ofPeople.resend(ada, 1, operator)).toEqual({ ok: true });
    expect(await open()).toEqual({ state: "revoked" });
    const renewed = await getCode(ADA);
    expect(await open(renewed)).toHaveProperty("url");
    clock.forward(days(7));
    expect(await open(renewed)).toEqual({ state: "expired" });
    expect(await join({ code: renewed })).toEqual([{ ok: false, error: "expired" }]);
    expect(await join({ email: ADA })).toMatchObject([{ ok: true, isNew: true, wave: 3 }]);
    expect(await open(renewed)).toEqual({ state: "joined" });
    expect(await open()).toEqual({ state: "joined" });
  });

  it("that expired can be asked for anew, which an operator sees, as often as a network may", async () => {
    const { links, code, clock } = await setUp({ settings: { days: 1 } });
    expect(await links.ask(code, CALLER)).toEqual({ state: "valid" });
    clock.forward(days(1));
    expect(await links.ask(code, CALLER)).toEqual({ state: "asked" });
    const askedAt = clock();
    clock.forward(seconds(1));
    expect(await links.ask(code, CALLER)).toEqual({ state: "asked" });
    expect(await getAda()).toMatchObject({ asked_at: askedAt, state: "invited", issue: 1 });
    expect((await readAudit(database)).filter(({ action }) => action === "ask-for-invitation")).toMatchObject(
      [{ actor: "visitor", subject: ADA }],
    );
    for (let n = 0; n < 48; n += 1) await links.ask(code, CALLER);
    expect(await links.ask(code, CALLER)).toMatchObject({ state: "throttled" });
  });

  it("that is sent again while it is asked for anew is not asked for any more", async () => {
    const settings = { days: 1 };
    const { links, ada, code, clock } = await setUp({ settings });
    clock.forward(days(1));
    let asking: ReturnType<typeof links.ask> | undefined;
    const overtaken = createOvertakenDatabase(database, () => (asking = links.ask(code, CALLER)));
    const { ofPeople } = createTestWaves(overtaken, clock, { settings });
    expect(await ofPeople.resend(ada, 1, operator)).toEqual({ ok: true });
    await asking;
    expect(await getAda()).toMatchObject({ issue: 2, asked_at: null });
    expect((await readAudit(database)).map(({ action }) => action)).toEqual(["resend-wave-invitation"]);
  });

  it("is joined once: the same report again is no other, another account is", async () => {
    const { join, code, clock } = await setUp();
    const joined = { ok: true, email: ADA, wave: 3, joinedAt: clock() };
    const both = await Promise.all([join({ code, email: ADA }), join({ code, email: ADA })]);
    expect(
      both.flat().toSorted((a, b) => Number("isNew" in b && b.isNew) - Number("isNew" in a && a.isNew)),
    ).toEqual([
      { ...joined, isNew: true },
      { ...joined, isNew: false },
    ]);
    expect(await join({ code }, { email: "ADA@example.com" })).toEqual(
      Array(2).fill({ ...joined, isNew: false }),
    );
    expect(await join({ code, email: GRACE })).toEqual([{ ok: false, error: "already_joined" }]);
    expect(await getAda()).toMatchObject({ state: "joined", joined_email: "", confirmed_at: clock() });
  });

  it("is joined once, also when the person's address is corrected afterwards", async () => {
    const { join, code, ada } = await setUp();
    expect(await join({ code, email: ADA })).toMatchObject([{ ok: true, isNew: true }]);
    const { correct } = createTestCorrections(database);
    const corrected = "ada@example.org";
    expect(await correct(ada, { email: corrected })).toMatchObject({ ok: true });
    const known = { ok: true, isNew: false, email: corrected, wave: 3 };
    expect(await join({ code, email: ADA }, { code, email: corrected }, { code })).toMatchObject(
      Array(3).fill(known),
    );
    expect(await join({ code, email: GRACE })).toEqual([{ ok: false, error: "already_joined" }]);
    expect((await getInvitations(database))[corrected]).toMatchObject({ joined_email: "" });
  });

  it("is joined by no account with an address that was corrected before", async () => {
    const { join, code, ada, clock } = await setUp();
    const { correct } = createTestCorrections(database);
    const corrected = "ada@example.org";
    await correct(ada, { email: corrected });
    clock.forward(1);
    expect(await join({ code, email: corrected })).toMatchObject([{ ok: true, isNew: true }]);
    expect(await join({ code, email: ADA })).toEqual([{ ok: false, error: "already_joined" }]);
    expect(await join({ code, email: corrected })).toMatchObject([{ ok: true, isNew: false }]);
  });

  it("records another address, which confirms nothing", async () => {
    const { join, code } = await setUp();
    expect(await join({ code, email: "Other@Example.com" })).toMatchObject([
      { ok: true, isNew: true, email: ADA },
    ]);
    expect(await getAda()).toMatchObject({ joined_email: "other@example.com", confirmed_at: null });
    expect(await join({ code, email: "other@example.com" })).toMatchObject([{ ok: true, isNew: false }]);
    expect(await join({ code, email: ADA })).toEqual([{ ok: false, error: "already_joined" }]);
  });

  it("by its code alone counts as joined with the invited address", async () => {
    const { join, code } = await setUp();
    expect(await join({ code }, { code }, { code, email: ADA }, { code, email: GRACE })).toMatchObject([
      { ok: true, isNew: true },
      { ok: true, isNew: false },
      { ok: true, isNew: false },
      { ok: false, error: "already_joined" },
    ]);
  });

  it("that is bound lets its own address in only", async () => {
    const { join, code } = await setUp({ settings: { isBound: true } });
    expect(await join({ code }, { code, email: GRACE }, { code, email: ADA })).toMatchObject([
      { ok: false, error: "address_needed" },
      { ok: false, error: "other_address" },
      { ok: true, isNew: true },
    ]);
  });

  it("is not needed to join, and nobody is made up", async () => {
    const { join, clock } = await setUp();
    expect(
      await join({ email: GRACE }, { email: GRACE }, { email: "nobody@example.com" }, { code: "x.y" }),
    ).toEqual([
      { ok: true, isNew: true, email: GRACE, wave: null, joinedAt: clock() },
      { ok: true, isNew: false, email: GRACE, wave: null, joinedAt: clock() },
      { ok: false, error: "unknown_address" },
      { ok: false, error: "unknown_code" },
    ]);
    const rows = await getInvitations(database);
    expect(rows[GRACE]).toMatchObject({ state: "joined", campaign_id: null, confirmed_at: null });
    expect(Object.keys(rows)).toHaveLength(2);
  });

  it.each([
    ["confirms the address that was invited", "invited", true],
    ["confirms no address that the invitation came back from", "undeliverable", false],
  ] as const)("of somebody who joins by their address %s", async (_, state, isConfirmed) => {
    const { join, clock } = await setUp({ state });
    expect(await join({ email: ADA })).toMatchObject([{ ok: true, isNew: true, wave: 3 }]);
    expect(await getAda()).toMatchObject({ state: "joined", confirmed_at: isConfirmed ? clock() : null });
  });

  it("of somebody reserved who joined by themselves is no wave's any more", async () => {
    const { join } = await setUp({ state: "reserved", invited_at: null });
    expect(await join({ email: ADA })).toMatchObject([{ ok: true, isNew: true, wave: null }]);
    expect(await getAda()).toMatchObject({ state: "joined", campaign_id: null });
  });

  it("of somebody whose reservation is returned while they are reported is none", async () => {
    const { clock, grace, code } = await setUp();
    await storeInvitation(database, { person_id: grace, state: "reserved" });
    // As when its wave is cancelled on another instance.
    const returning: Database = {
      ...database,
      write: (work) =>
        database.write(async (trx) => {
          const remove = () => trx.deleteFrom("wave_invitations").where("person_id", "=", grace).execute();
          return work(trx.withPlugin(createInsertPlugin(remove)));
        }),
    };
    const { joins } = createTestWaves(returning, clock);
    expect(await joins.record([{ email: GRACE }, { code }])).toMatchObject([
      { ok: true, isNew: true, email: GRACE, wave: null },
      { ok: true, isNew: true, email: ADA, wave: 3 },
    ]);
    expect((await getInvitations(database))[GRACE]).toMatchObject({ state: "joined", campaign_id: null });
  });

  it("that is sent again while its person is erased leaves no email to them", async () => {
    const { ada, clock } = await setUp();
    const people = createPeople({ database, clock, newId, personData: createPersonData(database) });
    let erasing: ReturnType<typeof people.erase> | undefined;
    const overtaken = createOvertakenDatabase(database, () => (erasing = people.erase(ada, operator)));
    expect(await createTestWaves(overtaken, clock).ofPeople.resend(ada, 1, operator)).toEqual({ ok: true });
    expect(await erasing).toMatchObject({ ok: true });
    expect(await listEmails(database)).toMatchObject([{ state: "skipped", address: "erased" }]);
  });

  it("is sent again with the text of its wave and a new link, once", async () => {
    const { ofPeople, ada, grace, emails, mailer, clock, getCode, open } = await setUp({
      state: "undeliverable",
    });
    expect(await ofPeople.resend(grace, 1, operator)).toEqual({ ok: false, error: "not-invited" });
    const outcomes = await Promise.all([
      ofPeople.resend(ada, 1, operator),
      ofPeople.resend(ada, 1, operator),
    ]);
    expect(outcomes.toSorted((a, b) => Number(b.ok) - Number(a.ok))).toEqual([
      { ok: true },
      { ok: false, error: "stale" },
    ]);
    clock.forward(minutes(3));
    await emails.worker.tick();
    const code = await getCode(ADA);
    expect(mailer.received).toMatchObject([
      { subject: "You are in", to: { address: ADA }, text: expect.stringContaining(`/i/${code}`) },
    ]);
    expect(await getAda()).toMatchObject({ state: "invited", issue: 2, invited_at: clock() });
    expect(await open(code)).toHaveProperty("url");
    expect((await readAudit(database)).map(({ action }) => action)).toEqual(["resend-wave-invitation"]);
  });

  it("that was sent again unsubscribes its reader for good", async () => {
    const { ofPeople, ada, emails, clock } = await setUp();
    await ofPeople.resend(ada, 1, operator);
    await emails.worker.tick();
    const [email] = await listEmails(database);
    clock.forward(days(3650));
    await emails.sweep();
    expect(await unsubscribe({ database, clock, newId }, email!.id)).toEqual({ ok: true, address: ADA });
    expect(await isSuppressed(database, ADA)).toBe(true);
  });

  it("that was sent again goes to no address that the person has no longer", async () => {
    const { ofPeople, ada, emails, mailer } = await setUp();
    const { corrected, corrections } = createTestCorrections(database);
    await ofPeople.resend(ada, 1, operator);
    const correction = await corrected(ada, { email: "ada@example.org" });
    await emails.worker.tick();
    await ofPeople.resend(ada, 2, operator);
    expect(await corrections.undo(correction, operator)).toMatchObject({ ok: true });
    await emails.worker.tick();
    expect(mailer.received).toEqual([]);
  });

  it("is neither sent again to who is suppressed or joined, nor once it was revoked", async () => {
    const { ofPeople, ada, emails, mailer, join } = await setUp();
    await ofPeople.resend(ada, 1, operator);
    await ofPeople.revoke(ada, operator);
    await emails.worker.tick();
    expect(mailer.received).toEqual([]);
    await suppress(database, ADA);
    expect(await ofPeople.resend(ada, 2, operator)).toEqual({ ok: false, error: "suppressed" });
    await join({ email: ADA });
    expect(await ofPeople.resend(ada, 2, operator)).toEqual({ ok: false, error: "joined" });
    expect(await ofPeople.revoke(ada, operator)).toEqual({ ok: false, error: "joined" });
  });
});
