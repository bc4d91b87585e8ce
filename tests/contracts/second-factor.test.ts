import { expect, it } from "vitest";
import { hours, minutes, seconds } from "~/lib/durations";
import { createUserManagement } from "~/services/accounts/user-management.server";
import type { PendingLogin } from "~/services/second-factor/pending-logins.server";
import { createSecondFactor } from "~/services/second-factor/second-factor.server";
import { createSecretBox } from "~/services/second-factor/secret-box.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import {
  createTestSecondFactor,
  findPerson,
  openSession,
  origin,
  readAudit,
  SUPERADMIN,
} from "../factories/accounts";
import { describeOnDatabases } from "./use-database";

const ELSEWHERE = "198.51.100.7";

describeOnDatabases("the second factor on %s", ({ database }) => {
  const setUp = () => createTestSecondFactor(database);
  /** Creates a superadmin who has turned it on, with their secret and recovery codes. */
  const turnedOn = async () => {
    const parts = await setUp();
    return { ...parts, ...(await parts.turnOn()) };
  };
  const audited = async () =>
    (await readAudit(database)).filter(({ action }) => action !== "login" && action !== "create-superadmin");
  const common = { subject: SUPERADMIN.email, network: origin.network, request_id: origin.requestId };
  const by = (actor: string, action: string, outcome: string) => ({ ...common, actor, action, outcome });
  const own = (action: string, outcome = "ok") => by(SUPERADMIN.email, action, outcome);
  const wrongCode = { ok: false, error: "wrong-code" };

  it("requires a code at login once a first code has confirmed it", async () => {
    const { accounts, secondFactor, who, turnOn, sessions, logIn, codeFor } = await setUp();
    await secondFactor.begin(who, SUPERADMIN.password, origin);
    expect(await accounts.logIn(SUPERADMIN, origin)).toMatchObject({ login: { needsCode: false } });
    expect(await secondFactor.confirm(who, "000 000", origin)).toEqual(wrongCode);
    expect(await accounts.logIn(SUPERADMIN, origin)).toMatchObject({ login: { needsCode: false } });
    const { secret } = await turnOn();
    const signedIn = await logIn(codeFor(secret));
    if (!signedIn.ok) throw new Error(signedIn.error);
    const id = (await sessions.create({ account: signedIn.login, origin }))!;
    const operator = await findPerson(sessions, id);
    expect(operator).toMatchObject({ email: SUPERADMIN.email, hasSecondFactor: true });
    expect(await audited()).toEqual([own("turn-on-second-factor")]);
  });

  it("is neither begun nor turned off with a password that was replaced while it was verified", async () => {
    const { who, secret, codeFor, ...parts } = await turnedOn();
    const verify: typeof parts.hasher.verify = async (...input) => {
      const verdict = await parts.hasher.verify(...input);
      await database.write((trx) => trx.updateTable("accounts").set({ password_hash: "replaced" }).execute());
      return verdict;
    };
    const hasher = { hash: (password: string) => parts.hasher.hash(password), verify };
    const slow = createSecondFactor({ ...parts, hasher, issuer: "Tests", isRequired: false });
    const signedOut = { ok: false, error: "signed-out" };
    const { password } = SUPERADMIN;
    expect(await slow.turnOff(who, { password, code: codeFor(secret) }, origin)).toEqual(signedOut);
    expect(await slow.getState(who)).toMatchObject({ kind: "on" });
    const original = await parts.hasher.hash(password);
    await database.write((trx) => trx.updateTable("accounts").set({ password_hash: original }).execute());
    expect(await slow.begin(who, password, origin)).toEqual(signedOut);
  });

  // C2, C5
  it("starts no session before the code, and requires no code after a wrong password", async () => {
    const { accounts, enterPassword } = await turnedOn();
    const before = await database.read.selectFrom("sessions").selectAll().execute();
    await enterPassword();
    expect(await database.read.selectFrom("sessions").selectAll().execute()).toEqual(before);
    const refusal = await accounts.logIn({ ...SUPERADMIN, password: "wrong" }, origin);
    expect(refusal).toEqual({ ok: false, error: "invalid" });
  });

  it("refuses a pending login that is over, or whose password or account has changed", async () => {
    const { secret, accounts, enterPassword, codeFor, who, clock } = await turnedOn();
    const finish = (pending: PendingLogin | undefined) =>
      accounts.enterCode(pending, codeFor(secret), origin);
    const over = { ok: false, error: "over" };
    expect(await finish(undefined)).toEqual(over);
    const late = await enterPassword();
    clock.forward(minutes(10));
    expect(await finish(late)).toEqual(over);
    const changed = await enterPassword();
    await accounts.changePassword(who, { current: SUPERADMIN.password, next: "another horse" }, origin);
    expect(await finish(changed)).toEqual(over);
    const removed = await enterPassword({ ...SUPERADMIN, password: "another horse" });
    await database.write((trx) => trx.deleteFrom("accounts").execute());
    expect(await finish(removed)).toEqual(over);
    expect(await database.read.selectFrom("recovery_codes").selectAll().execute()).toEqual([]);
  });

  it("accepts a code once, even when sent five times concurrently, and no earlier one", async () => {
    const { secret, codeFor, logIn, enterPassword, accounts, clock } = await turnedOn();
    const code = codeFor(secret);
    const logins = await Promise.all([1, 2, 3, 4, 5].map(() => enterPassword()));
    const outcomes = await Promise.all(logins.map((pending) => accounts.enterCode(pending, code, origin)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    clock.forward(seconds(30));
    expect(await logIn(code, ELSEWHERE)).toEqual(wrongCode);
    expect((await logIn(codeFor(secret, 1), ELSEWHERE)).ok).toBe(true);
    expect(await logIn(codeFor(secret), ELSEWHERE)).toEqual(wrongCode);
  });

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])("accepts a code %i steps from now: %s", async (steps, isTaken) => {
    const { secret, codeFor, logIn, clock } = await turnedOn();
    clock.forward(minutes(5));
    expect((await logIn(codeFor(secret, steps))).ok).toBe(isTaken);
  });

  // C24
  it("stores no secret in clear, and opens none of another account", async () => {
    const { secret, recoveryCodes, box, who, logIn, codeFor } = await turnedOn();
    const code = codeFor(secret);
    await logIn(code);
    const tables = ["second_factors", "recovery_codes", "audit", "attempts"] as const;
    const stored = tables.map((table) => database.read.selectFrom(table).selectAll().execute());
    const text = JSON.stringify(await Promise.all(stored));
    const bareCodes = recoveryCodes.map((one) => one.replaceAll("-", ""));
    for (const clear of [secret, code, ...recoveryCodes, ...bareCodes]) expect(text).not.toContain(clear);
    const factor = database.read.selectFrom("second_factors").select("sealed_secret");
    const { sealed_secret } = await factor.executeTakeFirstOrThrow();
    expect(box.open(sealed_secret, who.accountId)).toBe(secret);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(() => box.open(sealed_secret, "another")).toThrow();
    expect(() => createSecretBox("another secret").open(sealed_secret, who.accountId)).toThrow();
  });

  it("accepts a recovery code once, even concurrently", async () => {
    const { recoveryCodes, logIn, enterPassword, accounts, secondFactor, who, clock } = await turnedOn();
    const [first = "", second = ""] = recoveryCodes;
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const one of recoveryCodes) expect(one).toMatch(/^[2-9A-HJ-KM-NP-Z]{5}(-[2-9A-HJ-KM-NP-Z]{5}){2}$/);
    expect((await logIn(` ${first.toLowerCase().replaceAll("-", " ")} `)).ok).toBe(true);
    expect(await logIn(first)).toEqual(wrongCode);
    const logins = await Promise.all([1, 2, 3, 4, 5].map(() => enterPassword()));
    const outcomes = await Promise.all(
      logins.map((pending) => accounts.enterCode(pending, second, { ...origin, address: ELSEWHERE })),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    clock.forward(minutes(15));
    expect(await secondFactor.getState(who)).toMatchObject({ kind: "on", recoveryCodesLeft: 8 });
  });

  it("replaces all recovery codes, which requires a code", async () => {
    const { secret, recoveryCodes, logIn, secondFactor, who, codeFor } = await turnedOn();
    expect(await secondFactor.renewRecoveryCodes(who, "000000", origin)).toEqual(wrongCode);
    const renewed = await secondFactor.renewRecoveryCodes(who, codeFor(secret), origin);
    const fresh = (renewed as { recoveryCodes: string[] }).recoveryCodes;
    expect(fresh.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    expect((await logIn(recoveryCodes[0]!)).ok).toBe(false);
    expect((await logIn(fresh[0]!)).ok).toBe(true);
    expect(await audited()).toEqual([
      own("turn-on-second-factor"),
      own("second-factor-code", "refused"),
      own("renew-recovery-codes"),
      by("visitor", "second-factor-code", "refused"),
      own("use-recovery-code"),
    ]);
  });

  // C3, C36, C41
  it("requires the password for its setup, and counts wrong ones like those at login", async () => {
    const { accounts, secondFactor, who, turnOn } = await setUp();
    const begin = (password: string) => secondFactor.begin(who, password, origin);
    for (let tries = 1; tries <= 4; tries += 1) {
      expect(await begin("wrong")).toEqual({ ok: false, error: "wrong-password" });
    }
    expect(await secondFactor.getState(who)).toEqual({ kind: "off" });
    expect(await begin(SUPERADMIN.password)).toEqual({ ok: true });
    expect(await secondFactor.getState(who)).toMatchObject({ kind: "enrolling" });
    for (let tries = 1; tries <= 5; tries += 1) await begin("wrong");
    const throttled = { ok: false, error: "throttled", retryAfterSeconds: 900 };
    expect(await begin(SUPERADMIN.password)).toEqual(throttled);
    expect(await accounts.logIn(SUPERADMIN, origin)).toEqual(throttled);
    expect((await audited())[0]).toEqual(own("turn-on-second-factor", "refused"));
    expect((await audited()).at(-1)).toEqual(own("throttle-password", "refused"));
    await database.write((trx) => trx.deleteFrom("attempts").execute());
    await turnOn();
  });

  it("requires the password and a code to be turned off", async () => {
    const { secret, recoveryCodes, accounts, secondFactor, who, codeFor } = await turnedOn();
    const code = codeFor(secret);
    const turnOff = (input: { password: string; code: string }) => secondFactor.turnOff(who, input, origin);
    expect(await turnOff({ password: "wrong", code })).toEqual({ ok: false, error: "wrong-password" });
    expect(await turnOff({ password: SUPERADMIN.password, code: "000000" })).toEqual(wrongCode);
    expect(await turnOff({ password: SUPERADMIN.password, code: recoveryCodes[9]! })).toEqual({ ok: true });
    expect(await secondFactor.getState(who)).toEqual({ kind: "off" });
    expect(await database.read.selectFrom("recovery_codes").selectAll().execute()).toEqual([]);
    expect(await accounts.logIn(SUPERADMIN, origin)).toMatchObject({ login: { needsCode: false } });
    expect((await audited()).slice(1)).toEqual([
      own("turn-off-second-factor", "refused"),
      own("second-factor-code", "refused"),
      own("use-recovery-code"),
      own("turn-off-second-factor"),
    ]);
  });

  it("stays as it is during a second enrolment, and ends an enrolment after an hour", async () => {
    const { turnOn, secondFactor, who, codeFor, clock, logIn } = await setUp();
    await secondFactor.begin(who, SUPERADMIN.password, origin);
    clock.forward(hours(1));
    expect(await secondFactor.getState(who)).toEqual({ kind: "off" });
    const notBegun = { ok: false, error: "not-begun" };
    expect(await secondFactor.confirm(who, "000000", origin)).toEqual(notBegun);
    const { secret } = await turnOn();
    await secondFactor.begin(who, SUPERADMIN.password, origin);
    await secondFactor.abandon(who);
    expect(await secondFactor.confirm(who, codeFor(secret), origin)).toEqual({
      ok: false,
      error: "already-on",
    });
    expect((await logIn(codeFor(secret))).ok).toBe(true);
  });

  it("can be begun again after SESSION_SECRET has changed during an enrolment", async () => {
    const { who, codeFor, secondFactor, ...parts } = await setUp();
    await secondFactor.begin(who, SUPERADMIN.password, origin);
    const box = createSecretBox("another secret");
    const restarted = createSecondFactor({ ...parts, box, issuer: "Tests", isRequired: true });
    expect(await restarted.getState(who)).toEqual({ kind: "off" });
    expect(await restarted.confirm(who, "000000", origin)).toEqual({ ok: false, error: "not-begun" });
    await restarted.begin(who, SUPERADMIN.password, origin);
    const state = await restarted.getState(who);
    if (state.kind !== "enrolling") throw new Error(state.kind);
    expect(await restarted.confirm(who, codeFor(state.secret), origin)).toMatchObject({ ok: true });
  });

  // C3, C36
  it("throttles the sixth wrong code from one network only", async () => {
    const { secret, logIn, codeFor, clock } = await turnedOn();
    for (let tries = 1; tries <= 5; tries += 1) expect(await logIn("000000")).toEqual(wrongCode);
    const throttled = { ok: false, error: "throttled", retryAfterSeconds: 900 };
    expect(await logIn(codeFor(secret))).toEqual(throttled);
    expect(await logIn("2345A-6789B-CDEFG")).toEqual(throttled);
    expect((await logIn(codeFor(secret), ELSEWHERE)).ok).toBe(true);
    expect((await audited()).slice(-2)).toEqual([
      by("visitor", "second-factor-code", "refused"),
      by("visitor", "throttle-second-factor", "refused"),
    ]);
    clock.forward(minutes(15));
    expect((await logIn(codeFor(secret))).ok).toBe(true);
  });

  // C3
  it("throttles guesses from many networks, but no recovery code", async () => {
    const { secret, recoveryCodes, logIn, codeFor, clock } = await turnedOn();
    for (let tries = 1; tries <= 20; tries += 1) {
      expect(await logIn("000000", `198.51.${tries}.1`)).toEqual(wrongCode);
    }
    expect(await logIn(codeFor(secret), "192.0.2.1")).toMatchObject({ error: "throttled" });
    expect((await logIn(recoveryCodes[0]!, "192.0.2.1")).ok).toBe(true);
    clock.forward(hours(24));
    expect((await logIn(codeFor(secret), "192.0.2.1")).ok).toBe(true);
  });

  // C10, C36
  it("is reset by a superadmin for an admin, whose sessions end, but for no superadmin", async () => {
    const { turnOn, who, logIn, secondFactor, accounts, sessions, ...deps } = await setUp();
    const users = createUserManagement({ ...deps, protectedAccounts: [] });
    const { secret } = await turnOn();
    const reset = (actor: SignedIn, id: string) => users.resetSecondFactor(actor, id, origin);
    expect(await reset(who, who.accountId)).toEqual({ ok: false, error: "yourself" });
    expect(await secondFactor.getState(who)).toMatchObject({ kind: "on" });

    const ada = await users.addAccount(who, { email: "ada@example.com", fullName: "Ada" }, origin);
    if (!ada.ok) throw new Error(ada.error);
    const credentials = { email: ada.email, password: ada.temporaryPassword };
    const session = await openSession({ accounts, sessions }, credentials);
    const operator = (await findPerson(sessions, session))!;
    await turnOn(operator, credentials);
    expect(await users.find(who, operator.accountId)).toMatchObject({ hasSecondFactor: true });
    expect(await reset(operator, who.accountId)).toMatchObject({ error: "unauthorized" });
    expect(await reset(who, operator.accountId)).toEqual({ ok: true });
    expect(await secondFactor.getState(operator)).toEqual({ kind: "off" });
    expect(await findPerson(sessions, session)).toBeUndefined();
    expect((await logIn(deps.codeFor(secret))).ok).toBe(true);
    const resets = (await audited()).filter(({ action }) => action === "reset-second-factor");
    expect(resets.map(({ actor, subject, outcome }) => [actor, subject, outcome])).toEqual([
      [SUPERADMIN.email, SUPERADMIN.email, "refused"],
      ["ada@example.com", SUPERADMIN.email, "refused"],
      [SUPERADMIN.email, "ada@example.com", "ok"],
    ]);
  });

  it("refuses a code once the temporary password has expired", async () => {
    const { secret, logIn, codeFor, accounts, enterPassword, clock } = await turnedOn();
    const temporary = { password_is_temporary: 1, password_expires_at: clock() + hours(24) } as const;
    await database.write((trx) => trx.updateTable("accounts").set(temporary).execute());
    expect((await logIn(codeFor(secret))).ok).toBe(true);
    clock.forward(hours(24) - minutes(1));
    expect((await logIn(codeFor(secret))).ok).toBe(true);
    const pending = await enterPassword();
    clock.forward(minutes(1));
    expect(await accounts.enterCode(pending, codeFor(secret), origin)).toEqual({ ok: false, error: "over" });
  });
});
