import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours, minutes } from "~/lib/durations";
import { createUserManagement } from "~/services/accounts/user-management.server";
import { newId } from "~/services/ids.server";
import { dialects } from "../databases";
import { origin, openSession } from "../factories/accounts";
import { findAccount, ADA, PROTECTED, SUPERADMIN, createTestUserManagement } from "../factories/users";
import { useDatabase } from "./use-database";

describe.each(dialects)("user management on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  const setUp = () => createTestUserManagement(database);
  const row = (email: string) => findAccount(database, email);
  const audited = async (action: string) =>
    (
      await database.read
        .selectFrom("audit")
        .select(["actor", "subject", "outcome", "network", "request_id"])
        .where("action", "=", action)
        .orderBy("id")
        .execute()
    ).map((entry) => [entry.actor, entry.subject, entry.outcome, entry.network, entry.request_id]);
  const by = (subject: string, outcome: "ok" | "refused") => [
    SUPERADMIN.email,
    subject,
    outcome,
    origin.network,
    origin.requestId,
  ];
  const makeSuperadmin = (email: string) =>
    database.write((trx) =>
      trx
        .updateTable("accounts")
        .set({ role: "superadmin", password_is_temporary: 0, password_expires_at: null })
        .where("email", "=", email)
        .execute(),
    );

  it("adds an admin with 8 random characters and A1!, good for 24 hours, kept as a hash only", async () => {
    const { users, who, clock, accounts } = await setUp();
    const added = await users.addAccount(who, { ...ADA, email: " Ada@Example.COM " }, origin);
    expect(added).toEqual({
      ok: true,
      ...ADA,
      temporaryPassword: expect.stringMatching(/^[A-HJ-NP-Za-km-np-z2-9]{8}A1!$/),
      expiresAt: clock() + hours(24),
    });
    const password = (added as { temporaryPassword: string }).temporaryPassword;
    expect(await row(ADA.email)).toMatchObject({
      full_name: ADA.fullName,
      role: "admin",
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      password_is_temporary: 1,
      password_expires_at: clock() + hours(24),
      created_at: clock(),
      last_login_at: null,
    });
    expect(JSON.stringify(await row(ADA.email))).not.toContain(password);
    expect(await accounts.logIn({ email: ADA.email, password }, origin)).toMatchObject({
      ok: true,
      passwordIsTemporary: true,
    });
    expect(await audited("add-account")).toEqual([by(ADA.email, "ok")]);
  });

  it("makes another temporary password for everyone", async () => {
    const { add } = await setUp();
    const made = new Set<string>();
    for (let nth = 1; nth <= 5; nth += 1)
      made.add((await add({ ...ADA, email: `${nth}@example.com` })).password);
    expect(made.size).toBe(5);
  });

  it("gives an address that is added twice at the same moment to one, and says why to the other", async () => {
    const { users, who } = await setUp();
    const outcomes = await Promise.all(
      ["First", "Second", "Third"].map((fullName) => users.addAccount(who, { ...ADA, fullName }, origin)),
    );
    const winner = outcomes.find((one) => one.ok);
    expect(outcomes.filter((one) => !one.ok)).toEqual([
      { ok: false, error: "email-taken" },
      { ok: false, error: "email-taken" },
    ]);
    expect((await row(ADA.email))?.full_name).toBe((winner as { fullName: string }).fullName);
    expect((await audited("add-account")).map((entry) => entry[2]).sort()).toEqual([
      "ok",
      "refused",
      "refused",
    ]);
  });

  it("removes an admin and every session of theirs at once (C6)", async () => {
    const { users, who, add, accounts, sessions } = await setUp();
    const ada = await add(ADA);
    const session = await openSession(accounts, ada);
    expect(await sessions.find(session)).toMatchObject({ email: ADA.email });
    expect(await users.removeAccount(who, ada.id, origin)).toEqual({ ok: true });
    expect(await sessions.find(session)).toBeUndefined();
    expect(await row(ADA.email)).toBeUndefined();
    expect(await accounts.logIn(ada, origin)).toEqual({ ok: false, error: "invalid" });
    expect(await audited("remove-account")).toEqual([by(ADA.email, "ok")]);
  });

  it("an address that was removed can be added again, and is another account", async () => {
    const { users, who, add } = await setUp();
    const first = await add(ADA);
    await users.removeAccount(who, first.id, origin);
    expect((await add(ADA)).id).not.toBe(first.id);
  });

  it("removes an account once, however often and at whatever moment it is asked to", async () => {
    const { users, who, add } = await setUp();
    const { id } = await add(ADA);
    const outcomes = await Promise.all([1, 2, 3].map(() => users.removeAccount(who, id, origin)));
    expect(outcomes.filter((one) => one.ok)).toHaveLength(1);
    expect(outcomes.filter((one) => !one.ok)).toEqual([
      { ok: false, error: "unknown-account" },
      { ok: false, error: "unknown-account" },
    ]);
    expect(await audited("remove-account")).toEqual([by(ADA.email, "ok")]);
  });

  it.each(["", "x", "00000000-0000-7000-8000-000000000000", "\0"])(
    "knows no account by the id %j",
    async (id) => {
      const { users, who } = await setUp();
      const unknown = { ok: false, error: "unknown-account" };
      expect(await users.removeAccount(who, id, origin)).toEqual(unknown);
      expect(await users.reissueTemporaryPassword(who, id, origin)).toEqual(unknown);
      expect(await users.find(who, id)).toBeUndefined();
    },
  );

  it("neither removes oneself, a superadmin or a protected address, nor takes their password away (C10)", async () => {
    const { users, who, add } = await setUp();
    const second = await add(ADA);
    await makeSuperadmin(ADA.email);
    const owner = await add(PROTECTED);
    const before = await database.read.selectFrom("accounts").selectAll().orderBy("id").execute();
    for (const [id, error] of [
      [who.accountId, "yourself"],
      [second.id, "superadmin"],
      [owner.id, "protected"],
    ] as const) {
      expect(await users.removeAccount(who, id, origin)).toEqual({ ok: false, error });
      expect(await users.reissueTemporaryPassword(who, id, origin)).toEqual({ ok: false, error });
      expect(await users.find(who, id)).toMatchObject({ protection: error });
    }
    expect(await database.read.selectFrom("accounts").selectAll().orderBy("id").execute()).toEqual(before);
    const refused = [SUPERADMIN.email, ADA.email, PROTECTED.email].map((email) => by(email, "refused"));
    expect(await audited("remove-account")).toEqual(refused);
    expect(await audited("reissue-password")).toEqual(refused);
  });

  it("two superadmins who remove each other at the same moment both stay (C10)", async () => {
    const { users, who, add, sessions, accounts } = await setUp();
    const ada = await add(ADA);
    const other = (await sessions.find(await openSession(accounts, ada)))!;
    await makeSuperadmin(ADA.email);
    const outcomes = await Promise.all([
      ...[1, 2, 3].map(() => users.removeAccount(who, ada.id, origin)),
      ...[1, 2, 3].map(() => users.removeAccount(other, who.accountId, origin)),
    ]);
    expect(new Set(outcomes.map((one) => !one.ok && one.error))).toEqual(new Set(["superadmin"]));
    expect(await database.read.selectFrom("accounts").select("id").execute()).toHaveLength(2);
  });

  it.each([
    ["an admin", { role: "admin" as const }],
    ["nobody any more", undefined],
  ])("does nothing for a superadmin who meanwhile is %s (C9)", async (_, demoted) => {
    const { users, who, add } = await setUp();
    const { id, email } = await add(ADA);
    await add({ ...ADA, email: "another@example.com" });
    await makeSuperadmin("another@example.com");
    await database.write(async (trx) => {
      if (demoted) await trx.updateTable("accounts").set(demoted).where("id", "=", who.accountId).execute();
      else await trx.deleteFrom("accounts").where("id", "=", who.accountId).execute();
    });
    const before = await database.read.selectFrom("accounts").selectAll().orderBy("id").execute();
    const unauthorized = { ok: false, error: "unauthorized" };
    const grace = { email: "grace@example.com", fullName: "Grace Hopper" };
    expect(await users.addAccount(who, grace, origin)).toEqual(unauthorized);
    expect(await users.removeAccount(who, id, origin)).toEqual(unauthorized);
    expect(await users.reissueTemporaryPassword(who, id, origin)).toEqual(unauthorized);
    expect(await users.removeAccount(who, "no id\0", origin)).toEqual(unauthorized);
    expect(await database.read.selectFrom("accounts").selectAll().orderBy("id").execute()).toEqual(before);
    expect((await audited("add-account")).at(-1)).toEqual(by(grace.email, "refused"));
    expect(await audited("remove-account")).toEqual([
      by(email, "refused"),
      by("an unknown account", "refused"),
    ]);
    expect(await audited("reissue-password")).toEqual([by(email, "refused")]);
  });

  it("a superadmin demoted at the same moment either still acted or did nothing, and nothing in between", async () => {
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

  it("gives an admin who forgot their password a temporary one, and ends their sessions (C6)", async () => {
    const { users, who, add, accounts, sessions, clock } = await setUp();
    const ada = await add(ADA);
    const first = (await sessions.find(await openSession(accounts, ada)))!;
    const own = "a password of my own";
    await accounts.changePassword(first, { current: ada.password, next: own }, origin);
    const open = await openSession(accounts, { email: ada.email, password: own });
    clock.forward(minutes(1));
    expect(await sessions.find(open)).toBeDefined();

    const reissued = await users.reissueTemporaryPassword(who, ada.id, origin);
    expect(reissued).toMatchObject({ ok: true, ...ADA, expiresAt: clock() + hours(24) });
    expect(await sessions.find(open)).toBeUndefined();
    expect((await accounts.logIn({ email: ada.email, password: own }, origin)).ok).toBe(false);
    const { temporaryPassword: password } = reissued as { temporaryPassword: string };
    expect(await accounts.logIn({ email: ada.email, password }, origin)).toMatchObject({
      ok: true,
      passwordIsTemporary: true,
    });
    expect(await audited("reissue-password")).toEqual([by(ADA.email, "ok")]);
  });

  it("lists everyone, newest first, with how far they have come", async () => {
    const { users, who, add, accounts, sessions, clock } = await setUp();
    const state = async (email: string) =>
      (await users.list(who, { limit: 10 })).find((account) => account.email === email)?.state;
    const ada = await add(ADA);
    const expiresAt = clock() + hours(24);
    expect(await users.list(who, { limit: 10 })).toMatchObject([
      { ...ADA, role: "admin", createdAt: clock(), lastLoginAt: null, protection: undefined },
      { email: SUPERADMIN.email, role: "superadmin", protection: "yourself", state: { kind: "active" } },
    ]);
    clock.forward(hours(24) - 1);
    expect(await state(ada.email)).toEqual({ kind: "waiting", expiresAt });
    clock.forward(1);
    expect(await state(ada.email)).toEqual({ kind: "expired" });

    const { temporaryPassword } = (await users.reissueTemporaryPassword(who, ada.id, origin)) as {
      temporaryPassword: string;
    };
    expect(await state(ada.email)).toEqual({ kind: "waiting", expiresAt: clock() + hours(24) });
    const session = await openSession(accounts, { email: ada.email, password: temporaryPassword });
    expect(await state(ada.email)).toEqual({ kind: "waiting", expiresAt: clock() + hours(24) });
    const person = (await sessions.find(session))!;
    await accounts.changePassword(person, { current: temporaryPassword, next: "my own one" }, origin);
    expect(await state(ada.email)).toEqual({ kind: "active" });
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

  it("no account appears half: when the audit cannot be written, nothing is added (C36)", async () => {
    const deps = await setUp();
    await deps.add({ ...ADA, email: "another@example.com" });
    const taken = (await database.read.selectFrom("audit").select("id").executeTakeFirstOrThrow()).id;
    // The second id of the action is its audit entry's.
    const ids = [newId(), taken];
    const newIdOrTaken = () => ids.shift() ?? taken;
    const clashing = createUserManagement({ ...deps, protectedAccounts: [], newId: newIdOrTaken });
    await expect(clashing.addAccount(deps.who, ADA, origin)).rejects.toThrow();
    expect(await row(ADA.email)).toBeUndefined();
    await deps.add(ADA);
  });
});
