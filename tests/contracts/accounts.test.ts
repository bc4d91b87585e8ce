import { hash } from "@node-rs/argon2";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Updateable } from "kysely";
import type { AccountsTable } from "~/db/tables/accounts";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { createAccounts } from "~/services/accounts/accounts.server";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import { createAccountReset } from "~/services/accounts/reset-account.server";
import { refundPasswordAttempt, consumePasswordAttempt } from "~/services/accounts/passwords.server";
import { measureLongestBlock } from "../factories/cpu-time";
import {
  createAccountDeps,
  createSuperadmin,
  findAccount,
  findPerson,
  hasher,
  insertAccount,
  origin,
  readAudit,
  SUPERADMIN,
} from "../factories/accounts";
import { waitUntil } from "../wait-until";
import { describeOnDatabases } from "./use-database";

type AccountsDeps = Parameters<typeof createAccounts>[0];

describeOnDatabases("accounts and sessions on %s", ({ database }) => {
  const setUp = (password?: string) => createSuperadmin(database, password);
  const change = (columns: Updateable<AccountsTable>) =>
    database.write((trx) => trx.updateTable("accounts").set(columns).execute());
  const stored = () => database.read.selectFrom("accounts").selectAll().executeTakeFirstOrThrow();
  const invalid = { ok: false, error: "invalid" };
  const createAccountsThatVerify = (deps: AccountsDeps, verify: PasswordHasher["verify"]) =>
    createAccounts({ ...deps, hasher: { hash: (password) => hasher.hash(password), verify } });

  const wanted = { email: SUPERADMIN.email, password: undefined };

  it("makes one superadmin when several instances start at once", async () => {
    const deps = createAccountDeps(database);
    const results = await Promise.all([1, 2, 3].map(() => ensureSuperadmin(deps, wanted)));
    const made = results.flatMap((result) => (result.kind === "made" ? result : []));
    expect(made).toMatchObject([
      { email: SUPERADMIN.email, temporaryPassword: expect.stringMatching(/^[\w-]{16}$/) },
    ]);
    expect(results.filter((result) => result.kind === "waiting")).toHaveLength(2);
    const credentials = { email: SUPERADMIN.email, password: made[0]?.temporaryPassword ?? "" };
    expect(await createAccounts(deps).logIn(credentials, origin)).toMatchObject({ ok: true });
    expect(await stored()).toMatchObject({ password_is_temporary: 1 });
  });

  it("makes an account that was imported before the first start the superadmin", async () => {
    const deps = createAccountDeps(database);
    await insertAccount(database, { email: SUPERADMIN.email });
    const results = await Promise.all([1, 2].map(() => ensureSuperadmin(deps, wanted)));
    expect(results.map(({ kind }) => kind).sort()).toEqual(["made", "waiting"]);
    const password = results
      .map((result) => (result.kind === "made" ? result.temporaryPassword : ""))
      .join("");
    const credentials = { email: SUPERADMIN.email, password };
    expect(await createAccounts(deps).logIn(credentials, origin)).toMatchObject({ ok: true });
    expect(await stored()).toMatchObject({ role: "superadmin", password_is_temporary: 1 });
    expect(await readAudit(database)).toContainEqual(
      expect.objectContaining({ action: "create-superadmin", subject: SUPERADMIN.email }),
    );
  });

  it("shows times in the zone that a person chose, and in UTC until then", async () => {
    const { accounts, sessions, session } = await setUp();
    const id = await session();
    const operator = (await findPerson(sessions, id))!;
    expect(operator).toMatchObject({ timeZone: "UTC", hasChosenTimeZone: false });
    expect(await accounts.chooseTimeZone(operator, "Mars/Base")).toBe(false);
    expect(await stored()).toMatchObject({ time_zone: null });
    expect(await accounts.chooseTimeZone(operator, "Asia/Tokyo")).toBe(true);
    expect(await findPerson(sessions, id)).toMatchObject({ timeZone: "Asia/Tokyo", hasChosenTimeZone: true });
    // Of a machine that knows another zone.
    await change({ time_zone: "Mars/Base" });
    expect(await findPerson(sessions, id)).toMatchObject({ timeZone: "UTC", hasChosenTimeZone: true });
  });

  it("changes a person's name, and records it once", async () => {
    const { accounts, sessions, session } = await setUp();
    const id = await session();
    const rename = async () => accounts.changeName((await findPerson(sessions, id))!, "Ada Byron", origin);
    await rename();
    await rename();
    expect(await findPerson(sessions, id)).toMatchObject({ fullName: "Ada Byron" });
    const entries = (await readAudit(database)).filter(({ action }) => action === "change-name");
    expect(entries).toMatchObject([{ actor: SUPERADMIN.email, subject: "Ada Byron", outcome: "ok" }]);
  });

  it("keeps the printed password valid until one is configured", async () => {
    const deps = createAccountDeps(database);
    const made = await ensureSuperadmin(deps, wanted);
    const password = made.kind === "made" ? (made.temporaryPassword ?? "") : "";
    const accounts = createAccounts(deps);
    for (let starts = 1; starts <= 2; starts += 1) {
      expect(await ensureSuperadmin(deps, wanted)).toEqual({ kind: "waiting", email: SUPERADMIN.email });
      expect(await accounts.logIn({ email: SUPERADMIN.email, password }, origin)).toMatchObject({ ok: true });
      deps.clock.forward(days(3));
    }
    expect(await ensureSuperadmin(deps, SUPERADMIN)).toEqual({ kind: "replaced", email: SUPERADMIN.email });
    expect((await accounts.logIn({ email: SUPERADMIN.email, password }, origin)).ok).toBe(false);
    expect(await accounts.logIn(SUPERADMIN, origin)).toMatchObject({ ok: true });
    expect(await ensureSuperadmin(deps, wanted)).toEqual({ kind: "ready" });
  });

  it("says that a configured password is ignored once its owner chose another", async () => {
    const { accounts, signIn, ...deps } = await setUp();
    const late = { ...SUPERADMIN, password: "too late now" };
    const ignored = { kind: "ignored", email: SUPERADMIN.email, reason: "chosen" };
    const who = await signIn();
    expect(await ensureSuperadmin(deps, SUPERADMIN)).toEqual({ kind: "ready" });
    const passwords = { current: SUPERADMIN.password, next: "a new one" };
    expect(await accounts.changePassword(who, passwords, origin)).toMatchObject({ ok: true });
    for (const configured of [SUPERADMIN, late]) {
      expect(await ensureSuperadmin(deps, configured)).toEqual(ignored);
    }
    expect(await ensureSuperadmin(deps, wanted)).toEqual({ kind: "ready" });
    const own = { email: SUPERADMIN.email, password: "a new one" };
    expect(await accounts.logIn(own, origin)).toMatchObject({ ok: true });
  });

  it("does not replace a reset password by a configured one", async () => {
    const { signIn, ...deps } = await setUp();
    await signIn();
    const reset = await createAccountReset(deps).resetPassword(SUPERADMIN.email);
    const ignored = { kind: "ignored", email: SUPERADMIN.email, reason: "reset" };
    expect(await ensureSuperadmin(deps, SUPERADMIN)).toEqual(ignored);
    expect(await ensureSuperadmin(deps, wanted)).toEqual({ kind: "ready" });
    const password = reset.ok ? reset.temporaryPassword : "";
    expect(await signIn({ email: SUPERADMIN.email, password })).toMatchObject({ passwordIsTemporary: true });
  });

  it("replaces no password of a second superadmin who has not logged in yet", async () => {
    const { signIn, ...deps } = await setUp();
    await signIn();
    const id = await insertAccount(database, { email: "ada@example.com", role: "superadmin" });
    const password_hash = await hasher.hash("chosen by Ada");
    await database.write((trx) =>
      trx.updateTable("accounts").set({ password_hash }).where("id", "=", id).execute(),
    );
    const configured = { ...SUPERADMIN, password: "another one" };
    expect(await ensureSuperadmin(deps, configured)).toMatchObject({ kind: "ignored" });
    expect(await findAccount(database, "ada@example.com")).toMatchObject({ password_hash });
  });

  it("replaces a superadmin's password only until they have their own", async () => {
    const { logIn, session, ...deps } = await setUp("the lost one");
    await ensureSuperadmin(deps, { email: SUPERADMIN.email, password: "used up in vain" });
    expect((await logIn({ password: "the lost one" })).ok).toBe(false);
    await change({ password_is_temporary: 1 });
    expect((await logIn({ password: "used up in vain" })).ok).toBe(true);
    await ensureSuperadmin(deps, SUPERADMIN);
    expect(await database.read.selectFrom("sessions").selectAll().execute()).toEqual([]);
    await session();
    await ensureSuperadmin(deps, { email: SUPERADMIN.email, password: "too late now" });
    expect((await logIn({ password: "too late now" })).ok).toBe(false);
  });

  // C1
  it("stores passwords as argon2id with the agreed settings", async () => {
    vi.stubEnv("TEST_HASHING", "real");
    onTestFinished(() => void vi.unstubAllEnvs());
    await setUp();
    expect((await stored()).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  // C1
  it("hashes a password with older settings again at login", async () => {
    const { logIn } = await setUp();
    const older = await hash("correct horse", { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await change({ password_hash: older });
    expect((await logIn()).ok).toBe(true);
    expect((await stored()).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await logIn()).ok).toBe(true);
  });

  it("lets two logins in at once whose password was hashed with older settings", async () => {
    const deps = await setUp();
    const older = await hash("correct horse", { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await change({ password_hash: older });
    const verified: Promise<unknown>[] = [];
    const accounts = createAccountsThatVerify(deps, async (...input) => {
      const verdict = hasher.verify(...input);
      verified.push(verdict);
      await waitUntil(() => verified.length >= 2);
      await Promise.all(verified);
      return verdict;
    });
    const logins = await Promise.all([1, 2].map(() => accounts.logIn(SUPERADMIN, origin)));
    expect(logins).toMatchObject([{ ok: true }, { ok: true }]);
  });

  // C1
  it.each([
    ["64 characters", "a".repeat(64)],
    ["128 characters", "é".repeat(128)],
    ["emoji", "🐎🔋📎 👩‍👩‍👧‍👦"],
  ])("accepts a password of %s and refuses it with a space added", async (_, password) => {
    const { logIn } = await setUp(password);
    expect((await logIn({ password })).ok).toBe(true);
    expect(await logIn({ password: `${password} ` })).toEqual(invalid);
  });

  it("matches the address whatever its case, and the password exactly", async () => {
    const { logIn } = await setUp();
    expect((await logIn({ email: " SuperAdmin@Example.COM " })).ok).toBe(true);
    expect(await logIn({ password: "Correct horse" })).toEqual(invalid);
    expect(await logIn({ email: "nobody@example.com" })).toEqual(invalid);
  });

  // C3
  it.each([
    ["a known account", SUPERADMIN.email],
    ["an unknown address", "nobody@example.com"],
  ])("throttles the sixth wrong password for %s, but only from its network", async (_, email) => {
    const { logIn, clock } = await setUp();
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await logIn({ email, password: "wrong" })).toEqual(invalid);
    }
    const throttled = { ok: false, error: "throttled", retryAfterSeconds: 900 };
    expect(await logIn({ email, password: "correct horse" })).toEqual(throttled);
    expect((await logIn({ address: "198.51.100.7" })).ok).toBe(true);
    clock.forward(minutes(15) + seconds(1));
    expect((await logIn({ email, password: "wrong" })).ok).toBe(false);
    expect((await logIn()).ok).toBe(true);
  });

  // C40
  it("counts an attempt before it checks the password", async () => {
    const deps = await setUp();
    const counts: number[] = [];
    const accounts = createAccountsThatVerify(deps, async (...input) => {
      const attempts = await database.read.selectFrom("attempts").select("count").execute();
      counts.push(Math.max(...attempts.map(({ count }) => count)));
      return hasher.verify(...input);
    });
    for (const email of [SUPERADMIN.email, "nobody@example.com"]) {
      counts.length = 0;
      await database.write((trx) => trx.deleteFrom("attempts").execute());
      for (let tries = 1; tries <= 8; tries += 1) await accounts.logIn({ email, password: "wrong" }, origin);
      expect(counts).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it("does not count successful logins against their network", async () => {
    const { session } = await setUp();
    for (let logins = 1; logins <= 51; logins += 1) await session();
  });

  // C3
  it("counts concurrent attempts", async () => {
    const { logIn } = await setUp();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => logIn({ password: "wrong" })));
    expect(outcomes.filter((one) => !one.ok && one.error === "invalid")).toHaveLength(5);
  });

  it("counts and refunds attempts concurrently without a deadlock", async () => {
    const { address } = origin;
    const parts = createAccountDeps(database);
    const visitors = Array.from({ length: 20 }, async () => {
      for (let round = 0; round < 20; round += 1) {
        await consumePasswordAttempt(parts, { email: SUPERADMIN.email, actor: "visitor" }, origin);
        await database.write((trx) => refundPasswordAttempt(trx, SUPERADMIN.email, address));
      }
    });
    await Promise.all(visitors);
  });

  // C6
  it("ends a session at the millisecond its 30 minutes or 12 hours are over", async () => {
    const { session, sessions, clock } = await setUp();
    const began = clock();
    const [used, idle] = [await session(), await session()];
    clock.forward(minutes(30) - 1);
    expect(await findPerson(sessions, used)).toBeDefined();
    clock.forward(1);
    expect(await findPerson(sessions, idle)).toBeUndefined();

    for (let minute = 50; minute < 720; minute += 20) {
      clock.forward(began + minutes(minute) - clock());
      expect(await findPerson(sessions, used)).toBeDefined();
    }
    clock.forward(began + hours(12) - 1 - clock());
    expect(await findPerson(sessions, used)).toBeDefined();
    clock.forward(1);
    expect(await findPerson(sessions, used)).toBeUndefined();
  });

  // C37
  it("refuses 64 KiB of combining marks without blocking", async () => {
    const { accounts, signIn } = await setUp();
    const who = await signIn();
    const passwords = { current: `a${"\u0301\u0316".repeat(16_384)}`, next: "a new one" };
    const { ms, value } = await measureLongestBlock(() => accounts.changePassword(who, passwords, origin));
    expect(value).toEqual({ ok: false, error: "wrong-password" });
    // Putting the marks in order takes 500 ms and more.
    expect(ms).toBeLessThan(250);
  });

  // C6
  it("changes a password, ends the account's other sessions and goes on with a new one", async () => {
    const { accounts, session, sessions, logIn } = await setUp();
    const [here, elsewhere] = [await session(), await session()];
    const who = (await findPerson(sessions, here))!;
    const { password } = SUPERADMIN;
    const changePassword = (current: string, next: string) =>
      accounts.changePassword(who, { current, next }, origin);
    expect(await changePassword("wrong", "a new one")).toEqual({ ok: false, error: "wrong-password" });
    expect(await changePassword(password, password)).toEqual({ ok: false, error: "same-password" });
    const outcome = await changePassword(password, "a new one");
    if (!outcome.ok) throw new Error(outcome.error);
    expect(await findPerson(sessions, elsewhere)).toBeUndefined();
    expect(await findPerson(sessions, here)).toBeUndefined();
    const next = (await sessions.create({ account: outcome.account, origin }))!;
    expect(await findPerson(sessions, next)).toMatchObject({ passwordIsTemporary: false });
    expect((await logIn()).ok).toBe(false);
    expect((await logIn({ password: "a new one" })).ok).toBe(true);
  });

  it("counts no attempt where the new password is the right current one", async () => {
    const { accounts, signIn, logIn } = await setUp();
    const who = await signIn();
    const same = { current: SUPERADMIN.password, next: SUPERADMIN.password };
    for (let times = 1; times <= 6; times += 1) {
      expect(await accounts.changePassword(who, same, origin)).toMatchObject({ error: "same-password" });
    }
    expect(await logIn()).toMatchObject({ ok: true });
  });

  it("starts no session with a password that was replaced while it was verified", async () => {
    const deps = await setUp();
    const slow = createAccountsThatVerify(deps, async (...input) => {
      const verdict = await hasher.verify(...input);
      await change({ password_hash: await hasher.hash("another one") });
      return verdict;
    });
    const who = await deps.signIn();
    expect(await slow.logIn(SUPERADMIN, origin)).toEqual(invalid);
    const passwords = { current: "another one", next: "a new one" };
    expect(await slow.changePassword(who, passwords, origin)).toEqual({ ok: false, error: "signed-out" });
    expect((await deps.logIn({ password: "another one" })).ok).toBe(true);
  });

  // C6
  it.each([
    ["was replaced", () => change({ password_hash: "another" })],
    ["is gone with its account", () => database.write((trx) => trx.deleteFrom("accounts").execute())],
  ])("starts no session with a verified password that %s since", async (_, replace) => {
    const { logIn, sessions } = await setUp();
    const outcome = await logIn();
    if (!outcome.ok || outcome.login.needsCode) throw new Error("the login failed");
    await replace();
    expect(await sessions.create({ account: outcome.login, origin })).toBeUndefined();
    expect(await database.read.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  it("changes no password of a removed account", async () => {
    const { accounts, signIn, ...deps } = await setUp();
    const who = await signIn();
    await database.write((trx) => trx.deleteFrom("accounts").execute());
    await ensureSuperadmin(deps, SUPERADMIN);
    const passwords = { current: "correct horse", next: "a new one" };
    expect(await accounts.changePassword(who, passwords, origin)).toEqual({ ok: false, error: "signed-out" });
  });

  describe("a temporary password", () => {
    async function withTemporaryPassword(expiresInMs: number | null = hours(24)) {
      const parts = await setUp();
      const password_expires_at = expiresInMs === null ? null : parts.clock() + expiresInMs;
      await change({ password_is_temporary: 1, password_expires_at });
      return parts;
    }

    it("logs in until its last millisecond, and is then refused like a wrong password", async () => {
      const { logIn, clock } = await withTemporaryPassword();
      clock.forward(hours(24) - 1);
      expect(await logIn()).toMatchObject({ ok: true });
      clock.forward(1);
      expect(await logIn()).toEqual(invalid);
    });

    it.each([
      ["with an expiry", hours(24)],
      ["without one, as the first superadmin's", null],
    ])("%s logs in again until its owner has chosen a password of their own", async (_, expiresInMs) => {
      const { logIn, accounts, signIn, clock } = await withTemporaryPassword(expiresInMs);
      await signIn();
      clock.forward(hours(23));
      const who = await signIn();
      expect(who.passwordIsTemporary).toBe(true);
      const passwords = { current: SUPERADMIN.password, next: "a new one" };
      expect(await accounts.changePassword(who, passwords, origin)).toMatchObject({ ok: true });
      expect(await logIn()).toEqual(invalid);
      const own = await signIn({ ...SUPERADMIN, password: "a new one" });
      expect(own.passwordIsTemporary).toBe(false);
    });
  });
});

// C40
it("password checks of others are neither refused nor delayed", async () => {
  vi.stubEnv("TEST_HASHING", "real");
  onTestFinished(() => void vi.unstubAllEnvs());
  const order: string[] = [];
  const recordCheck = async (network: string) => {
    const verdict = await hasher.verify(undefined, "x", network);
    if (verdict !== "busy") order.push(network);
    return verdict;
  };
  for (const networks of [1, 50]) {
    order.length = 0;
    const flood = Array.from({ length: 200 }, (_, each) => recordCheck(`198.51.100.${each % networks}`));
    const elsewhere = ["203.0.113.9", "203.0.113.10"].map(recordCheck);
    expect(await Promise.all(elsewhere)).toEqual(["mismatch", "mismatch"]);
    await Promise.all(flood);
    // Those that ran already, one of each network, and the two themselves.
    expect(order.indexOf("203.0.113.10")).toBeLessThanOrEqual(2 + networks + 2);
  }
});
