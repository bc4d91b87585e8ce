import { sql } from "kysely";
import { hash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { composeEmailChangedEmail, composeEmailChangeEmail } from "~/emails/compose-transactional";
import { days, hours } from "~/lib/durations";
import { createAccountReset } from "~/services/accounts/reset-account.server";
import { insertAccount } from "~/services/accounts/user-management.server";
import { createEmailChangedKind, EMAIL_CHANGE } from "~/services/email-changes/email-change-emails";
import { emailChangePersonData } from "~/services/email-changes/email-change-person-data.server";
import { createEmailChanges } from "~/services/email-changes/email-changes.server";
import { withdrawPendingEmailChanges } from "~/services/email-changes/withdraw-pending.server";
import { createNotes, listNotes } from "~/services/people/notes.server";
import { newId } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import {
  ADA,
  createTestUserManagement,
  findAccount,
  findPerson,
  origin,
  PROTECTED,
  readAudit,
  SUPERADMIN,
} from "../factories/accounts";
import { brand } from "../factories/brand";
import { storeSubmissions } from "../factories/submissions";
import { createTestEmails, listEmails, sender } from "../factories/transactional-emails";
import { accepted, ScriptedMailer, type Script } from "../fakes/scripted-mailer";
import { waitUntil } from "../wait-until";
import { describeOnDatabases } from "./use-database";

const URL_START = "https://example.com/confirm-email/";
const NEW = "ada.lovelace@example.com";

describeOnDatabases("changes of one's own address on %s", ({ database, dialect }) => {
  async function setUp(script: Script = () => accepted) {
    const parts = await createTestUserManagement(database);
    const mailer = new ScriptedMailer(script);
    const changedKind = createEmailChangedKind({
      sender,
      compose: (email) => composeEmailChangedEmail({ ...email, brandName: brand.name }),
    });
    const kinds = [EMAIL_CHANGE, changedKind];
    const emails = createTestEmails(database, parts.clock, { mailer, kinds });
    let token = "";
    const changes = createEmailChanges({
      ...parts,
      protectedAccounts: [PROTECTED.email],
      randomBytes,
      emails,
      changedKind,
      sender,
      compose: (email) => composeEmailChangeEmail({ ...email, brandName: brand.name }),
      toUrl: (created) => URL_START + (token = created),
    });
    const added = await parts.add(ADA);
    const ada = await parts.signIn(added);
    const { password } = added;
    const ask = (email = NEW, operator: SignedIn = ada, own = password) =>
      changes.request(operator, { email, password: own }, origin);
    /** Asks for a change; resolves with the token of its link. */
    const getToken = async (...asked: Parameters<typeof ask>) => {
      const outcome = await ask(...asked);
      if (!outcome.ok) throw new Error(outcome.error);
      return token;
    };
    const stateOf = async (link: string) => (await changes.getLink(link, origin)).state;
    return { ...parts, mailer, emails, changes, ada, password, ask, getToken, stateOf };
  }
  const isWaitingForLock = async () => {
    const waiting = sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `;
    return (await waiting.execute(database.read)).rows.length > 0;
  };
  const rows = () => database.read.selectFrom("email_changes").selectAll().orderBy("id").execute();

  // C11, C24
  it("sends a link to the new address, and stores only its hash", async () => {
    const { getToken, mailer, changes, ada, clock } = await setUp();
    const token = await getToken("Ada.Lovelace@example.com");
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(mailer.received).toMatchObject([{ to: { address: NEW } }]);
    expect(mailer.received[0]?.text).toContain(URL_START + token);
    expect(await rows()).toMatchObject([{ email: NEW, token_hash: hash("sha256", token) }]);
    const stored = [await rows(), await listEmails(database), await readAudit(database)];
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(await changes.getPending(ada)).toEqual({
      email: NEW,
      expiresAt: clock() + hours(24),
      delivery: { kind: "accepted", detail: expect.any(String) },
    });
    expect(await findAccount(database, ADA.email)).toBeDefined();
  });

  it("changes the address once the link is confirmed, and tells the old one", async () => {
    const { getToken, stateOf, changes, mailer, emails, ada, sessions, session, signIn, password } =
      await setUp();
    const token = await getToken();
    await stateOf(token);
    expect(await findAccount(database, NEW)).toBeUndefined();
    const outcomes = await Promise.all([1, 2, 3].map(() => changes.confirm(token, origin)));
    expect(outcomes.filter((one) => one.ok)).toHaveLength(1);
    expect(outcomes.filter((one) => !one.ok)).toEqual(Array(2).fill({ ok: false, error: "used" }));
    expect(await stateOf(token)).toBe("used");
    expect(await findAccount(database, ADA.email)).toBeUndefined();
    expect(await findAccount(database, NEW)).toMatchObject({ id: ada.accountId });
    expect(await changes.getPending(ada)).toBeUndefined();
    expect(await signIn({ email: NEW, password })).toMatchObject({ accountId: ada.accountId, email: NEW });

    await emails.worker.tick();
    expect(mailer.received).toHaveLength(2);
    expect(mailer.received[1]).toMatchObject({ to: { address: ADA.email } });
    // It does not tell where the account went: the old mailbox may be somebody else's by now.
    expect(JSON.stringify(mailer.received[1])).not.toContain(NEW);
    expect(await readAudit(database)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ actor: ADA.email, action: "request-email-change", subject: NEW }),
        expect.objectContaining({ actor: ADA.email, action: "change-email", subject: NEW, outcome: "ok" }),
      ]),
    );
    expect(await findPerson(sessions, await session())).toMatchObject({ email: SUPERADMIN.email });
  });

  it("leaves the account's sessions, which have the new address", async () => {
    const { getToken, changes, sessions, ada } = await setUp();
    await changes.confirm(await getToken(), origin);
    const [own] = await sessions.list(ada);
    expect(own).toMatchObject({ isThisOne: true });
  });

  it("leaves the account's notes to it, and none to whoever has the old address", async () => {
    const { getToken, changes, clock, signIn, password } = await setUp();
    const [person = ""] = await storeSubmissions(database, [{ email: "grace@example.com" }]);
    const notes = createNotes({ database, clock, newId });
    await notes.add(person, "Met in Turin.", { ...origin, by: ADA.email });
    await notes.add(person, "Wants a demo.", { ...origin, by: SUPERADMIN.email });
    await changes.confirm(await getToken(), origin);
    const [others, own] = await listNotes(database.read, person, 2);
    expect([others?.author, own?.author]).toEqual([SUPERADMIN.email, NEW]);
    const of = { role: "admin", email: ADA.email } as const;
    expect(await notes.remove(own!.id, of, { ...origin, by: ADA.email })).toBe(false);
    const ada = await signIn({ email: NEW, password });
    expect(await notes.remove(own!.id, ada, { ...origin, by: NEW })).toBe(true);
  });

  it("asks for the password, and counts wrong ones as a login does", async () => {
    const { ask, ada } = await setUp();
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await ask(NEW, ada, "wrong")).toEqual({ ok: false, error: "wrong-password" });
    }
    expect(await ask()).toMatchObject({ ok: false, error: "throttled" });
    expect(await rows()).toEqual([]);
    const refusal = { actor: ADA.email, action: "request-email-change", outcome: "refused" };
    expect(await readAudit(database)).toContainEqual(expect.objectContaining(refusal));
  });

  it.each([
    ["its own", ADA.email.toUpperCase(), "unchanged"],
    ["somebody else's", "SuperAdmin@example.com", "taken"],
    ["a protected one", PROTECTED.email, "protected"],
  ])("refuses an address that is %s", async (_, email, error) => {
    const { ask } = await setUp();
    expect(await ask(email)).toEqual({ ok: false, error });
    expect(await rows()).toEqual([]);
  });

  it("leaves a protected account its address", async () => {
    const { add, signIn, ask, changes } = await setUp();
    const owner = await add(PROTECTED);
    const operator = await signIn(owner);
    expect(changes.isProtected(operator.email)).toBe(true);
    expect(await ask(NEW, operator, owner.password)).toEqual({ ok: false, error: "protected" });
  });

  it("gives an address that two accounts want to one of them", async () => {
    const { getToken, stateOf, changes, who } = await setUp();
    const tokens = [await getToken(), await getToken(NEW, who, SUPERADMIN.password)];
    const outcomes = await Promise.all(tokens.map((token) => changes.confirm(token, origin)));
    expect(outcomes.filter((one) => one.ok)).toHaveLength(1);
    expect(outcomes.filter((one) => !one.ok)).toEqual([{ ok: false, error: "taken" }]);
    expect((await Promise.all(tokens.map(stateOf))).sort()).toEqual(["taken", "used"]);
  });

  it("leaves an address to the account that is just being created for it", async () => {
    const { getToken, stateOf, changes, clock } = await setUp();
    const token = await getToken();
    const [created, released] = [1, 2].map(() => Promise.withResolvers<undefined>());
    const creating = database.write(async (trx) => {
      const password = { password_hash: "", password_is_temporary: 0, password_expires_at: null } as const;
      const account = { email: NEW, full_name: "Augusta", role: "admin", ...password } as const;
      await insertAccount(trx, { clock, newId }, account);
      created!.resolve(undefined);
      await released!.promise;
    });
    await created!.promise;
    const confirming = changes.confirm(token, origin);
    // On SQLite it waits for the whole write, on PostgreSQL for the address.
    if (dialect === "postgres") await waitUntil(isWaitingForLock);
    released!.resolve(undefined);
    await creating;
    expect(await confirming).toEqual({ ok: false, error: "taken" });
    expect(await stateOf(token)).toBe("taken");
    expect(await findAccount(database, ADA.email)).toBeDefined();
  });

  it("replaces a pending change, and withdraws it once", async () => {
    const { getToken, stateOf, changes, ada } = await setUp();
    const first = await getToken();
    const second = await getToken("ada.two@example.com");
    expect([await stateOf(first), await stateOf(second)]).toEqual(["withdrawn", "open"]);
    const outcomes = await Promise.all([1, 2].map(() => changes.withdraw(ada, origin)));
    expect(outcomes.toSorted()).toEqual([false, true]);
    expect(await changes.getPending(ada)).toBeUndefined();
    expect(await changes.confirm(second, origin)).toEqual({ ok: false, error: "withdrawn" });
    const entry = { action: "withdraw-email-change", subject: "ada.two@example.com" };
    expect(await readAudit(database)).toContainEqual(expect.objectContaining(entry));
  });

  it("ends a pending change when the password is replaced, and with a restore", async () => {
    const { getToken, stateOf, accounts, ada, password, clock, ...parts } = await setUp();
    const change = { current: password, next: "a password of Ada's own" };
    const first = await getToken();
    expect(await accounts.changePassword(ada, change, origin)).toMatchObject({ ok: true });
    const second = await getToken(NEW, ada, change.next);
    await createAccountReset({ ...parts, clock }).resetPassword(ADA.email);
    const third = await getToken(NEW, parts.who, SUPERADMIN.password);
    await database.write((trx) => withdrawPendingEmailChanges(trx, clock()));
    expect(await Promise.all([first, second, third].map(stateOf))).toEqual(Array(3).fill("withdrawn"));
  });

  it("says that a link is over, to the millisecond", async () => {
    const { getToken, stateOf, changes, ada, clock } = await setUp();
    const token = await getToken();
    clock.forward(hours(24) - 1);
    expect(await stateOf(token)).toBe("open");
    clock.forward(1);
    expect(await stateOf(token)).toBe("expired");
    expect(await changes.confirm(token, origin)).toEqual({ ok: false, error: "expired" });
    expect(await changes.getPending(ada)).toBeUndefined();
    clock.forward(days(30));
    await changes.sweep();
    expect([await rows(), await stateOf(token)]).toEqual([[], "unknown"]);
  });

  it("tells what became of the email", async () => {
    const { ask, changes, ada } = await setUp(() => ({
      kind: "refused",
      code: 550,
      detail: "550 No such user",
    }));
    const delivery = { kind: "refused", detail: "550 No such user" };
    expect(await ask()).toEqual({ ok: true, delivery });
    expect(await changes.getPending(ada)).toMatchObject({ delivery });
  });

  // C27
  it("sends an account five links an hour", async () => {
    const { ask, clock } = await setUp();
    for (let n = 1; n <= 5; n += 1) expect((await ask(`ada-${n}@example.com`)).ok).toBe(true);
    expect(await ask()).toEqual({ ok: false, error: "throttled", retryAfterSeconds: 3600 });
    clock.forward(hours(1));
    expect((await ask()).ok).toBe(true);
  });

  // C27
  it("limits guesses of a network", async () => {
    const { changes, stateOf, getToken } = await setUp();
    const guess = () => stateOf(randomBytes(32).toString("base64url"));
    for (let n = 1; n <= 50; n += 1) expect(await guess()).toBe("unknown");
    expect(await guess()).toBe("throttled");
    expect(await changes.confirm(await getToken(), origin)).toMatchObject({ ok: false, error: "throttled" });
    expect(await stateOf("no token")).toBe("unknown");
    const entry = { actor: "visitor", action: "throttle-email-change", outcome: "refused" };
    expect(await readAudit(database)).toContainEqual(expect.objectContaining(entry));
  });

  it("goes with its account, and with the erasure of whoever has the new address", async () => {
    const { getToken, stateOf, users, who, ada } = await setUp();
    const token = await getToken();
    const exported = await emailChangePersonData.export?.(database.read, NEW);
    expect(exported).toMatchObject([{ email: NEW, confirmed_at: null }]);
    await database.write((trx) => emailChangePersonData.erase!(trx, NEW, 0));
    expect([await rows(), await stateOf(token)]).toEqual([[], "unknown"]);
    await getToken();
    expect(await users.removeAccount(who, ada.accountId, origin)).toEqual({ ok: true });
    expect(await rows()).toEqual([]);
  });
});
