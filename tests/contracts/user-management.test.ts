import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { hours, minutes } from "~/lib/durations";
import { createUserManagement } from "~/services/accounts/user-management.server";
import { createApiTokens } from "~/services/api-tokens/api-tokens.server";
import { newId } from "~/services/service-deps";
import {
  ADA,
  createTestUserManagement,
  findAccount,
  findPerson,
  openSession,
  origin,
  PROTECTED,
  readAudit,
  SUPERADMIN,
} from "../factories/accounts";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("user management on %s", ({ database }) => {
  const setUp = () => createTestUserManagement(database);
  const row = (email: string) => findAccount(database, email);
  const rows = () => database.read.selectFrom("accounts").selectAll().orderBy("id").execute();
  const audited = async (wanted: string) =>
    (await readAudit(database)).flatMap(({ action, ...entry }) => (action === wanted ? [entry] : []));
  const caller = { actor: SUPERADMIN.email, network: origin.network, request_id: origin.requestId };
  const by = (subject: string, outcome: "ok" | "refused") => ({ ...caller, subject, outcome });
  const unknown = { ok: false, error: "unknown-account" };
  const unauthorized = { ok: false, error: "unauthorized" };
  const makeSuperadmin = (email: string) =>
    database.write((trx) =>
      trx
        .updateTable("accounts")
        .set({ role: "superadmin", password_is_temporary: 0, password_expires_at: null })
        .where("email", "=", email)
        .execute(),
    );

  it("adds an admin with a temporary password for 24 hours", async () => {
    const { users, who, clock, signIn, add } = await setUp();
    const added = await users.addAccount(who, { ...ADA, email: " Ada@Example.COM " }, origin);
    if (!added.ok) throw new Error(added.error);
    expect(added).toEqual({
      ok: true,
      ...ADA,
      temporaryPassword: expect.stringMatching(/^[A-HJ-NP-Za-km-np-z2-9]{8}A1!$/),
      expiresAt: clock() + hours(24),
    });
    const password = added.temporaryPassword;
    const password_hash = expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const temporary = { password_hash, password_is_temporary: 1, password_expires_at: clock() + hours(24) };
    const account = { full_name: ADA.fullName, role: "admin", created_at: clock(), last_login_at: null };
    expect(await row(ADA.email)).toMatchObject({ ...account, ...temporary });
    expect(JSON.stringify(await row(ADA.email))).not.toContain(password);
    expect(await signIn({ email: ADA.email, password })).toMatchObject({ passwordIsTemporary: true });
    expect(await audited("add-account")).toEqual([by(ADA.email, "ok")]);
    expect((await add(PROTECTED)).password).not.toBe(password);
  });

  it("adds and resets accounts with given temporary passwords", async () => {
    const { users, who, accounts, signIn, sessions, clock } = await setUp();
    const password = "a first password";
    const expected = { ok: true, temporaryPassword: password, expiresAt: clock() + hours(24) };
    expect(await users.addAccount(who, { ...ADA, password }, origin)).toMatchObject(expected);
    const session = await openSession({ accounts, sessions }, { email: ADA.email, password });
    const newPassword = "a second password";
    const reset = (email: string) => users.resetPassword(who, { email, newPassword }, origin);
    expect(await reset("ADA@example.com")).toMatchObject({ ok: true, temporaryPassword: newPassword });
    expect(await findPerson(sessions, session)).toBeUndefined();
    const again = await signIn({ email: ADA.email, password: newPassword });
    expect(again).toMatchObject({ passwordIsTemporary: true });
    expect(await reset("nobody@example.com")).toEqual(unknown);
    expect(await reset(SUPERADMIN.email)).toEqual({ ok: false, error: "yourself" });
  });

  it("adds an address once when it is added three times concurrently", async () => {
    const { users, who } = await setUp();
    const outcomes = await Promise.all(
      ["First", "Second", "Third"].map((fullName) => users.addAccount(who, { ...ADA, fullName }, origin)),
    );
    const added = outcomes.flatMap((one) => (one.ok ? one.fullName : []));
    expect(added).toEqual([(await row(ADA.email))?.full_name]);
    const taken = { ok: false, error: "email-taken" };
    expect(outcomes.filter((one) => !one.ok)).toEqual([taken, taken]);
    const recorded = (await audited("add-account")).map(({ outcome }) => outcome);
    expect(recorded.sort()).toEqual(["ok", "refused", "refused"]);
  });

  // C6
  it("removes an admin and all their sessions", async () => {
    const { users, who, add, accounts, sessions } = await setUp();
    const ada = await add(ADA);
    const session = await openSession({ accounts, sessions }, ada);
    expect(await findPerson(sessions, session)).toMatchObject({ email: ADA.email });
    expect(await users.removeAccount(who, ada.id, origin)).toEqual({ ok: true });
    expect(await findPerson(sessions, session)).toBeUndefined();
    expect(await row(ADA.email)).toBeUndefined();
    expect(await accounts.logIn(ada, origin)).toEqual({ ok: false, error: "invalid" });
    expect(await audited("remove-account")).toEqual([by(ADA.email, "ok")]);
    expect((await add(ADA)).id).not.toBe(ada.id);
  });

  it("removes an account once, even when asked three times concurrently", async () => {
    const { users, who, add } = await setUp();
    const { id } = await add(ADA);
    const outcomes = await Promise.all([1, 2, 3].map(() => users.removeAccount(who, id, origin)));
    expect(outcomes.filter((one) => one.ok)).toHaveLength(1);
    expect(outcomes.filter((one) => !one.ok)).toEqual([unknown, unknown]);
    expect(await audited("remove-account")).toEqual([by(ADA.email, "ok")]);
  });

  it.each(["", "x", "00000000-0000-7000-8000-000000000000", "\0"])(
    "finds no account by the id %j",
    async (id) => {
      const { users, who } = await setUp();
      expect(await users.removeAccount(who, id, origin)).toEqual(unknown);
      expect(await users.reissueTemporaryPassword(who, id, origin)).toEqual(unknown);
      expect(await users.find(who, id)).toBeUndefined();
    },
  );

  // C10
  it("removes neither oneself, a superadmin nor a protected address", async () => {
    const { users, who, add } = await setUp();
    const second = await add(ADA);
    await makeSuperadmin(ADA.email);
    const owner = await add(PROTECTED);
    const before = await rows();
    for (const [id, error] of [
      [who.accountId, "yourself"],
      [second.id, "superadmin"],
      [owner.id, "protected"],
    ] as const) {
      expect(await users.removeAccount(who, id, origin)).toEqual({ ok: false, error });
      expect(await users.reissueTemporaryPassword(who, id, origin)).toEqual({ ok: false, error });
      expect(await users.find(who, id)).toMatchObject({ protection: error });
    }
    expect(await rows()).toEqual(before);
    const refused = [SUPERADMIN.email, ADA.email, PROTECTED.email].map((email) => by(email, "refused"));
    expect(await audited("remove-account")).toEqual(refused);
    expect(await audited("reissue-password")).toEqual(refused);
  });

  // C10
  it("removes neither of two superadmins who remove each other concurrently", async () => {
    const { users, who, add, signIn } = await setUp();
    const ada = await add(ADA);
    const other = await signIn(ada);
    await makeSuperadmin(ADA.email);
    const attempts = [1, 2, 3];
    const outcomes = await Promise.all([
      ...attempts.map(() => users.removeAccount(who, ada.id, origin)),
      ...attempts.map(() => users.removeAccount(other, who.accountId, origin)),
    ]);
    expect(new Set(outcomes.map((one) => !one.ok && one.error))).toEqual(new Set(["superadmin"]));
    expect(await database.read.selectFrom("accounts").select("id").execute()).toHaveLength(2);
  });

  // C9
  it.each([
    ["an admin", { role: "admin" as const }],
    ["nobody any more", undefined],
  ])("refuses a superadmin who meanwhile is %s", async (_, demoted) => {
    const { users, who, add } = await setUp();
    const { id, email } = await add(ADA);
    await add({ ...ADA, email: "another@example.com" });
    await makeSuperadmin("another@example.com");
    await database.write(async (trx) => {
      if (demoted) await trx.updateTable("accounts").set(demoted).where("id", "=", who.accountId).execute();
      else await trx.deleteFrom("accounts").where("id", "=", who.accountId).execute();
    });
    const before = await rows();
    const grace = { email: "grace@example.com", fullName: "Grace Hopper" };
    expect(await users.addAccount(who, grace, origin)).toEqual(unauthorized);
    expect(await users.removeAccount(who, id, origin)).toEqual(unauthorized);
    expect(await users.reissueTemporaryPassword(who, id, origin)).toEqual(unauthorized);
    expect(await users.removeAccount(who, "no id\0", origin)).toEqual(unauthorized);
    expect(await rows()).toEqual(before);
    expect((await audited("add-account")).at(-1)).toEqual(by(grace.email, "refused"));
    expect(await audited("remove-account")).toEqual([
      by(email, "refused"),
      by("an unknown account", "refused"),
    ]);
    expect(await audited("reissue-password")).toEqual([by(email, "refused")]);
  });

  // C9
  it("makes an admin a superadmin and back, at once and with the session they have", async () => {
    const { users, who, add, accounts, sessions } = await setUp();
    const ada = await add(ADA);
    const session = await openSession({ accounts, sessions }, ada);
    expect(await users.changeRole(who, ada.id, "superadmin", origin)).toEqual({ ok: true });
    const promoted = (await findPerson(sessions, session))!;
    expect(promoted).toMatchObject({ role: "superadmin" });
    const unchanged = { ok: false, error: "unchanged" };
    expect(await users.changeRole(who, ada.id, "superadmin", origin)).toEqual(unchanged);
    expect(await users.changeRole(who, ada.id, "admin", origin)).toEqual({ ok: true });
    expect(await findPerson(sessions, session)).toMatchObject({ role: "admin" });
    expect(await users.changeRole(promoted, who.accountId, "admin", origin)).toEqual(unauthorized);
    expect(await audited("promote-account")).toEqual([by(ADA.email, "ok"), by(ADA.email, "refused")]);
    expect((await audited("demote-account"))[0]).toEqual(by(ADA.email, "ok"));
  });

  // C10
  it("changes the role of neither oneself nor a protected address", async () => {
    const { users, who, add } = await setUp();
    const owner = await add(PROTECTED);
    const before = await rows();
    for (const [id, error] of [
      [who.accountId, "yourself"],
      [owner.id, "protected"],
    ] as const) {
      expect(await users.changeRole(who, id, "admin", origin)).toEqual({ ok: false, error });
      expect(await users.changeRole(who, id, "superadmin", origin)).toEqual({ ok: false, error });
      expect(await users.find(who, id)).toMatchObject({ roleProtection: error });
    }
    expect(await users.changeRole(who, "no id\0", "admin", origin)).toEqual(unknown);
    expect(await rows()).toEqual(before);
  });

  // C10
  it("leaves a superadmin when two demote each other concurrently", async () => {
    const { users, who, add, signIn } = await setUp();
    const ada = await add(ADA);
    const other = await signIn(ada);
    await users.changeRole(who, ada.id, "superadmin", origin);
    const outcomes = await Promise.all([
      users.changeRole(who, ada.id, "admin", origin),
      users.changeRole(other, who.accountId, "admin", origin),
    ]);
    expect(outcomes.filter((one) => one.ok)).toHaveLength(1);
    expect(outcomes.filter((one) => !one.ok)).toEqual([unauthorized]);
    const left = (await rows()).filter(({ role }) => role === "superadmin");
    expect(left).toHaveLength(1);
  });

  // C11
  it("ends the tokens of a demoted superadmin, also after a later promotion", async () => {
    const { users, who, add, signIn, ...deps } = await setUp();
    const ada = await add(ADA);
    const tokens = createApiTokens({ ...deps, randomBytes });
    const create = async (name: string) => {
      const operator = await signIn(ada);
      const made = await tokens.create(
        operator,
        { name, scopes: ["email:send"], expiresAt: undefined },
        origin,
      );
      if (!made.ok) throw new Error(made.error);
      return made.token;
    };
    const asAdmin = await create("as admin");
    await users.changeRole(who, ada.id, "superadmin", origin);
    const asSuperadmin = await create("as superadmin");
    await users.changeRole(who, ada.id, "admin", origin);
    await users.changeRole(who, ada.id, "superadmin", origin);
    expect(await tokens.isActive(asSuperadmin)).toBe(false);
    expect(await tokens.isActive(asAdmin)).toBe(true);
  });

  it("runs what a demoted superadmin asked completely or not at all", async () => {
    const { users, who, add } = await setUp();
    const { id } = await add(ADA);
    const [outcome] = await Promise.all([
      users.removeAccount(who, id, origin),
      database.write((trx) =>
        trx.updateTable("accounts").set({ role: "admin" }).where("id", "=", who.accountId).execute(),
      ),
    ]);
    expect((await row(ADA.email)) === undefined).toBe(outcome.ok);
    if (!outcome.ok) expect(outcome.error).toBe("unauthorized");
  });

  // C6
  it("reissues a temporary password to an admin, and ends their sessions", async () => {
    const { users, who, add, signIn, accounts, sessions, clock } = await setUp();
    const ada = await add(ADA);
    const first = await signIn(ada);
    const own = "a password of my own";
    await accounts.changePassword(first, { current: ada.password, next: own }, origin);
    const open = await openSession({ accounts, sessions }, { email: ada.email, password: own });
    clock.forward(minutes(1));
    expect(await findPerson(sessions, open)).toBeDefined();

    const reissued = await users.reissueTemporaryPassword(who, ada.id, origin);
    if (!reissued.ok) throw new Error(reissued.error);
    expect(reissued).toMatchObject({ ...ADA, expiresAt: clock() + hours(24) });
    expect(await findPerson(sessions, open)).toBeUndefined();
    expect((await accounts.logIn({ email: ada.email, password: own }, origin)).ok).toBe(false);
    const again = await signIn({ email: ada.email, password: reissued.temporaryPassword });
    expect(again).toMatchObject({ passwordIsTemporary: true });
    expect(await audited("reissue-password")).toEqual([by(ADA.email, "ok")]);
  });

  it("lists all accounts, newest first, with their states", async () => {
    const { users, who, add, signIn, accounts, clock } = await setUp();
    const ada = await add(ADA);
    const getState = async () =>
      (await users.list(who, { limit: 10 })).find(({ email }) => email === ada.email)?.state;
    const expiresAt = clock() + hours(24);
    expect(await users.list(who, { limit: 10 })).toMatchObject([
      { ...ADA, role: "admin", createdAt: clock(), lastLoginAt: null, protection: undefined },
      { email: SUPERADMIN.email, role: "superadmin", protection: "yourself", state: { kind: "active" } },
    ]);
    clock.forward(hours(24) - 1);
    expect(await getState()).toEqual({ kind: "waiting", expiresAt });
    clock.forward(1);
    expect(await getState()).toEqual({ kind: "expired" });

    const reissued = await users.reissueTemporaryPassword(who, ada.id, origin);
    if (!reissued.ok) throw new Error(reissued.error);
    const password = reissued.temporaryPassword;
    const waiting = { kind: "waiting", expiresAt: clock() + hours(24) };
    expect(await getState()).toEqual(waiting);
    const operator = await signIn({ email: ada.email, password });
    expect(await getState()).toEqual(waiting);
    await accounts.changePassword(operator, { current: password, next: "my own one" }, origin);
    expect(await getState()).toEqual({ kind: "active" });
  });

  it("lists page by page", async () => {
    const { users, who, add } = await setUp();
    for (const email of ["a@example.com", "b@example.com"]) await add({ email, fullName: "Somebody" });
    const first = await users.list(who, { limit: 2 });
    const second = await users.list(who, { limit: 2, before: first.at(-1)!.id });
    expect([first, second].map((page) => page.map((account) => account.email))).toEqual([
      ["b@example.com", "a@example.com"],
      [SUPERADMIN.email],
    ]);
    expect(await users.list(who, { limit: 2, before: "no id" })).toEqual(first);
  });

  // C36
  it("adds no account when its audit entry cannot be stored", async () => {
    const deps = await setUp();
    const newIds = [newId()].values();
    const users = createUserManagement({
      ...deps,
      protectedAccounts: [],
      newId: () => newIds.next().value ?? expect.fail("no id for the audit entry"),
    });
    await expect(users.addAccount(deps.who, ADA, origin)).rejects.toThrow("no id for the audit entry");
    expect(await row(ADA.email)).toBeUndefined();
    await deps.add(ADA);
  });
});
