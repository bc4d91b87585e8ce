import { hash } from "@node-rs/argon2";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Database } from "~/db/database.server";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { createAccounts } from "~/services/accounts/accounts.server";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import { refundPasswordAttempt, consumePasswordAttempt } from "~/services/accounts/passwords.server";
import { dialects } from "../databases";
import { measureLongestBlock } from "../factories/cpu-time";
import { createAccountDeps, hasher, origin, SUPERADMIN_EMAIL, createSuperadmin } from "../factories/accounts";
import { useDatabase } from "./use-database";

describe.each(dialects)("accounts and sessions on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  const setUp = (password?: string) => createSuperadmin(database, password);
  const stored = () => database.read.selectFrom("accounts").selectAll().executeTakeFirstOrThrow();

  it("makes one superadmin with a random temporary password when several instances start at once", async () => {
    const deps = createAccountDeps(database);
    const made = await Promise.all(
      [1, 2, 3].map(() => ensureSuperadmin(deps, { email: SUPERADMIN_EMAIL, password: undefined })),
    );
    const winners = made.filter((one) => one.kind === "made");
    expect(winners).toHaveLength(1);
    expect(made.filter((one) => one.kind === "waiting")).toHaveLength(2);
    expect(winners[0]).toMatchObject({
      email: SUPERADMIN_EMAIL,
      temporaryPassword: expect.stringMatching(/^[\w-]{16}$/),
    });
    const outcome = await createAccounts(deps).logIn(
      { email: SUPERADMIN_EMAIL, password: (winners[0] as { temporaryPassword: string }).temporaryPassword },
      origin,
    );
    expect(outcome).toMatchObject({ ok: true, passwordIsTemporary: true });
  });

  it("starts again without touching the temporary password that was printed, and says that it still counts", async () => {
    const deps = createAccountDeps(database);
    const wanted = { email: SUPERADMIN_EMAIL, password: undefined };
    const made = await ensureSuperadmin(deps, wanted);
    const password = made.kind === "made" ? (made.temporaryPassword ?? "") : "";
    const accounts = createAccounts(deps);
    for (let starts = 1; starts <= 2; starts += 1) {
      expect(await ensureSuperadmin(deps, wanted)).toEqual({ kind: "waiting", email: SUPERADMIN_EMAIL });
      expect(await accounts.logIn({ email: SUPERADMIN_EMAIL, password }, origin)).toMatchObject({ ok: true });
      deps.clock.forward(days(3));
    }
    const given = { email: SUPERADMIN_EMAIL, password: "correct horse" };
    expect(await ensureSuperadmin(deps, given)).toEqual({ kind: "replaced", email: SUPERADMIN_EMAIL });
    expect((await accounts.logIn({ email: SUPERADMIN_EMAIL, password }, origin)).ok).toBe(false);
    expect(await accounts.logIn(given, origin)).toMatchObject({ ok: true, passwordIsTemporary: false });
    expect(await ensureSuperadmin(deps, wanted)).toEqual({ kind: "ready" });
    expect(await ensureSuperadmin(deps, { ...wanted, password: "too late now" })).toEqual({ kind: "ready" });
  });

  it("lets a given password replace the lost one of a superadmin without one of their own, and of nobody else", async () => {
    const { logIn, session, ...deps } = await setUp("the lost one");
    await ensureSuperadmin(deps, { email: SUPERADMIN_EMAIL, password: "used up in vain" });
    expect((await logIn({ password: "the lost one" })).ok).toBe(false);
    await database.write((trx) => trx.updateTable("accounts").set({ password_is_temporary: 1 }).execute());
    expect((await logIn({ password: "used up in vain" })).ok).toBe(true);
    await ensureSuperadmin(deps, { email: SUPERADMIN_EMAIL, password: "correct horse" });
    expect(await database.read.selectFrom("sessions").selectAll().execute()).toEqual([]);
    await session();
    await ensureSuperadmin(deps, { email: SUPERADMIN_EMAIL, password: "too late now" });
    expect((await logIn({ password: "too late now" })).ok).toBe(false);
  });

  it("stores passwords as argon2id with the agreed settings (C1)", async () => {
    vi.stubEnv("TEST_HASHING", "real");
    onTestFinished(() => void vi.unstubAllEnvs());
    await setUp();
    expect((await stored()).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it("hashes a password again that was hashed with older settings (C1)", async () => {
    const { logIn } = await setUp();
    const older = await hash("correct horse", { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await database.write((trx) => trx.updateTable("accounts").set({ password_hash: older }).execute());
    expect((await logIn()).ok).toBe(true);
    expect((await stored()).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await logIn()).ok).toBe(true);
  });

  it.each([
    ["64 characters", "a".repeat(64)],
    ["128 characters", "é".repeat(128)],
    ["emoji", "🐎🔋📎 👩‍👩‍👧‍👦"],
  ])("accepts a password of %s and tells it from the same with a blank behind (C1)", async (_, password) => {
    const { logIn } = await setUp(password);
    expect((await logIn({ password })).ok).toBe(true);
    expect(await logIn({ password: `${password} ` })).toEqual({ ok: false, error: "invalid" });
  });

  it("matches the address whatever its case, and the password exactly", async () => {
    const { logIn } = await setUp();
    expect((await logIn({ email: " SuperAdmin@Example.COM " })).ok).toBe(true);
    expect(await logIn({ password: "Correct horse" })).toEqual({ ok: false, error: "invalid" });
    expect(await logIn({ email: "nobody@example.com" })).toEqual({ ok: false, error: "invalid" });
  });

  it.each([
    ["a known account", SUPERADMIN_EMAIL],
    ["an unknown address", "nobody@example.com"],
  ])("throttles the sixth bad try on %s, but only from where it came (C3)", async (_, email) => {
    const { logIn, clock } = await setUp();
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await logIn({ email, password: "wrong" })).toEqual({ ok: false, error: "invalid" });
    }
    expect(await logIn({ email, password: "correct horse" })).toEqual({
      ok: false,
      error: "throttled",
      retryAfterSeconds: 900,
    });
    expect((await logIn({ from: "198.51.100.7" })).ok).toBe(true);
    clock.forward(minutes(15) + seconds(1));
    expect((await logIn({ email, password: "wrong" })).ok).toBe(false);
    expect((await logIn()).ok).toBe(true);
  });

  it("looks at no password of a throttled try, nor before a try is counted (C40)", async () => {
    const deps = await setUp();
    const counted: number[] = [];
    const accounts = createAccounts({
      ...deps,
      hasher: {
        hash: (password) => hasher.hash(password),
        verify: async (stored, password, network) => {
          const tries = await database.read.selectFrom("attempts").select("count").execute();
          counted.push(Math.max(...tries.map(({ count }) => count)));
          return hasher.verify(stored, password, network);
        },
      },
    });
    for (const email of [SUPERADMIN_EMAIL, "nobody@example.com"]) {
      counted.length = 0;
      await database.write((trx) => trx.deleteFrom("attempts").execute());
      for (let tries = 1; tries <= 8; tries += 1) await accounts.logIn({ email, password: "wrong" }, origin);
      expect(counted).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it("does not count logins that succeed against the place they come from", async () => {
    const { session } = await setUp();
    for (let logins = 1; logins <= 51; logins += 1) await session();
  });

  it("counts tries made at the same moment (C3)", async () => {
    const { logIn } = await setUp();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => logIn({ password: "wrong" })));
    expect(outcomes.filter((one) => !one.ok && one.error === "invalid")).toHaveLength(5);
  });

  it("counts and takes back tries at one account without any two waiting for each other", async () => {
    const { address } = origin;
    const parts = createAccountDeps(database);
    const visitors = Array.from({ length: 20 }, async () => {
      for (let round = 0; round < 20; round += 1) {
        await consumePasswordAttempt(parts, { email: SUPERADMIN_EMAIL, actor: "visitor" }, origin);
        await database.write((trx) => refundPasswordAttempt(trx, SUPERADMIN_EMAIL, address));
      }
    });
    await Promise.all(visitors);
  });

  it("keeps only the hash of a session's id, which is new at every login (C5)", async () => {
    const { session } = await setUp();
    const [first, second] = [await session(), await session()];
    expect(first).not.toBe(second);
    expect(Buffer.from(first, "base64url")).toHaveLength(32);
    const rows = await database.read.selectFrom("sessions").select("id_hash").execute();
    expect(rows.map((row) => row.id_hash)).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    expect(JSON.stringify(rows)).not.toContain(first);
  });

  it("ends a session at logout, with the account, when idle for 30 minutes and 12 hours after login (C6)", async () => {
    const { session, sessions, clock } = await setUp();
    const loggedOut = await session();
    await sessions.end(loggedOut, origin);
    expect(await sessions.find(loggedOut)).toBeUndefined();

    const idle = await session();
    clock.forward(minutes(29));
    expect(await sessions.find(idle)).toMatchObject({ email: SUPERADMIN_EMAIL, role: "superadmin" });
    clock.forward(minutes(29));
    expect(await sessions.find(idle)).toBeDefined();
    clock.forward(minutes(31));
    expect(await sessions.find(idle)).toBeUndefined();

    const old = await session();
    for (let used = 0; used < hours(12); used += minutes(20)) {
      expect(await sessions.find(old)).toBeDefined();
      clock.forward(minutes(20));
    }
    clock.forward(seconds(1));
    expect(await sessions.find(old)).toBeUndefined();

    const removed = await session();
    await database.write((trx) => trx.deleteFrom("accounts").execute());
    expect(await sessions.find(removed)).toBeUndefined();
  });

  it("ends a session at the millisecond its 30 minutes or 12 hours are over (C6)", async () => {
    const { session, sessions, clock } = await setUp();
    const began = clock();
    const [used, idle] = [await session(), await session()];
    clock.forward(minutes(30) - 1);
    expect(await sessions.find(used)).toBeDefined();
    clock.forward(1);
    expect(await sessions.find(idle)).toBeUndefined();

    for (let minute = 50; minute < 720; minute += 20) {
      clock.forward(began + minutes(minute) - clock());
      expect(await sessions.find(used)).toBeDefined();
    }
    clock.forward(began + hours(12) - 1 - clock());
    expect(await sessions.find(used)).toBeDefined();
    clock.forward(1);
    expect(await sessions.find(used)).toBeUndefined();
  });

  it("shows a changed role to the next request (C9)", async () => {
    const { session, sessions } = await setUp();
    const id = await session();
    await database.write((trx) => trx.updateTable("accounts").set({ role: "admin" }).execute());
    expect(await sessions.find(id)).toMatchObject({ role: "admin" });
  });

  it("takes 64 KiB of marks for a wrong password, and as quickly as a short one (C37)", async () => {
    const { accounts, session, sessions } = await setUp();
    const who = (await sessions.find(await session()))!;
    const given = { current: `a${"\u0301\u0316".repeat(16_384)}`, next: "a new one" };
    const { ms, value } = await measureLongestBlock(() => accounts.changePassword(who, given, origin));
    expect(value).toEqual({ ok: false, error: "wrong-password" });
    expect(ms).toBeLessThan(30);
  });

  it("changes a password, ends the account's other sessions and goes on with a new one (C6)", async () => {
    const { accounts, session, sessions, logIn } = await setUp();
    const [here, elsewhere] = [await session(), await session()];
    const who = (await sessions.find(here))!;
    expect(await accounts.changePassword(who, { current: "wrong", next: "a new one" }, origin)).toEqual({
      ok: false,
      error: "wrong-password",
    });
    expect(
      await accounts.changePassword(who, { current: "correct horse", next: "correct horse" }, origin),
    ).toEqual({
      ok: false,
      error: "same-password",
    });
    const change = await accounts.changePassword(
      who,
      { current: "correct horse", next: "a new one" },
      origin,
    );
    if (!change.ok) throw new Error(change.error);
    expect(await sessions.find(elsewhere)).toBeUndefined();
    expect(await sessions.find(here)).toBeUndefined();
    expect(await sessions.find(change.sessionId)).toMatchObject({ passwordIsTemporary: false });
    expect((await logIn()).ok).toBe(false);
    expect((await logIn({ password: "a new one" })).ok).toBe(true);
  });

  it("does not begin a session with a password that was replaced while it was being verified", async () => {
    const deps = await setUp();
    const slow = createAccounts({
      ...deps,
      hasher: {
        hash: (password) => hasher.hash(password),
        verify: async (stored, password, network) => {
          const verdict = await hasher.verify(stored, password, network);
          const password_hash = await hasher.hash("another one");
          await database.write((trx) => trx.updateTable("accounts").set({ password_hash }).execute());
          return verdict;
        },
      },
    });
    const who = (await deps.sessions.find(await deps.session()))!;
    expect(await slow.logIn({ email: SUPERADMIN_EMAIL, password: "correct horse" }, origin)).toEqual({
      ok: false,
      error: "invalid",
    });
    const current = "another one";
    expect(await slow.changePassword(who, { current, next: "a new one" }, origin)).toEqual({
      ok: false,
      error: "signed-out",
    });
    expect((await deps.logIn({ password: "another one" })).ok).toBe(true);
  });

  it("changes no password for an account that is gone, also when its address has a new one", async () => {
    const { accounts, sessions, session, ...deps } = await setUp();
    const who = (await sessions.find(await session()))!;
    await database.write((trx) => trx.deleteFrom("accounts").execute());
    await ensureSuperadmin(deps, { email: SUPERADMIN_EMAIL, password: "correct horse" });
    expect(
      await accounts.changePassword(who, { current: "correct horse", next: "a new one" }, origin),
    ).toEqual({ ok: false, error: "signed-out" });
  });

  it.each([
    ["short", "too-short"],
    ["x".repeat(1001), "too-long"],
    ["Football", "common"],
    ["confer!", "brand"],
  ])("does not take %.10s for a new password", async (next, error) => {
    const { accounts, sessions, session, logIn } = await setUp();
    const who = (await sessions.find(await session()))!;
    const change = { current: "correct horse", next };
    expect(await accounts.changePassword(who, change, origin)).toEqual({ ok: false, error });
    expect((await logIn()).ok).toBe(true);
  });

  it("writes down every login, refused or not", async () => {
    const { logIn } = await setUp();
    await logIn({ password: "wrong" });
    await logIn();
    const rows = await database.read
      .selectFrom("audit")
      .select(["actor", "action", "subject", "outcome", "network"])
      .where("action", "=", "login")
      .orderBy("id")
      .execute();
    expect(rows).toEqual([
      {
        actor: "visitor",
        action: "login",
        subject: SUPERADMIN_EMAIL,
        outcome: "refused",
        network: "203.0.113.0",
      },
      {
        actor: SUPERADMIN_EMAIL,
        action: "login",
        subject: SUPERADMIN_EMAIL,
        outcome: "ok",
        network: "203.0.113.0",
      },
    ]);
  });
});

describe("checks of passwords at the same moment", () => {
  const check = (network: string) => hasher.verify(undefined, "x", network);
  beforeEach(() => void vi.stubEnv("TEST_HASHING", "real"));
  afterEach(() => void vi.unstubAllEnvs());

  it("are answered busy instead of queueing without end (C4)", async () => {
    const verdicts = await Promise.all(Array.from({ length: 200 }, () => check("198.51.100.7")));
    expect(verdicts.filter((verdict) => verdict === "busy").length).toBeGreaterThan(100);
    expect(await check("198.51.100.7")).toBe("mismatch");
  });

  it("of one network or of fifty refuse nobody elsewhere, who does not wait for all of them (C40)", async () => {
    const order: string[] = [];
    const told = async (network: string) => {
      const verdict = await check(network);
      if (verdict !== "busy") order.push(network);
      return verdict;
    };
    for (const networks of [1, 50]) {
      order.length = 0;
      const flood = Array.from({ length: 200 }, (_, each) => told(`198.51.100.${each % networks}`));
      const elsewhere = ["203.0.113.9", "203.0.113.10"].map(told);
      expect(await Promise.all(elsewhere)).toEqual(["mismatch", "mismatch"]);
      await Promise.all(flood);
      // Those that ran already, one of each network, and the two themselves.
      expect(order.indexOf("203.0.113.10")).toBeLessThanOrEqual(2 + networks + 2);
    }
  });
});
