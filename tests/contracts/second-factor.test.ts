import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours, minutes, seconds } from "~/lib/durations";
import { createUserManagement } from "~/services/accounts/user-management.server";
import { createSecretBox } from "~/services/second-factor/secret-box.server";
import { dialects } from "../databases";
import { origin, openSession } from "../factories/accounts";
import { GIVEN, createTestSecondFactor } from "../factories/second-factor";
import { useDatabase } from "./use-database";

const ELSEWHERE = "198.51.100.7";

describe.each(dialects)("the second factor on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  const setUp = (options?: { isRequired: boolean }) => createTestSecondFactor(database, options);
  const audited = async () =>
    (
      await database.read
        .selectFrom("audit")
        .select(["actor", "action", "subject", "outcome", "network"])
        .where("action", "not in", ["login", "create-superadmin"])
        .orderBy("id")
        .execute()
    ).map(({ actor, action, subject, outcome, network }) => [actor, action, subject, outcome, network]);
  const by = (actor: string, action: string, outcome: "ok" | "refused") => [
    actor,
    action,
    GIVEN.email,
    outcome,
    origin.network,
  ];
  const own = (action: string, outcome: "ok" | "refused" = "ok") => by(GIVEN.email, action, outcome);
  /** Everything the tables that hold accounts know. */
  const dump = async () =>
    JSON.stringify([
      await database.read.selectFrom("second_factors").selectAll().execute(),
      await database.read.selectFrom("recovery_codes").selectAll().execute(),
      await database.read.selectFrom("audit").selectAll().execute(),
      await database.read.selectFrom("attempts").selectAll().execute(),
    ]);

  it("asks for a code at the login once it is on, and for nothing before a first code confirmed it", async () => {
    const { accounts, secondFactor, who, turnOn, sessions, logIn, codeFor } = await setUp();
    await secondFactor.begin(who, GIVEN.password, origin);
    expect((await accounts.logIn(GIVEN, origin)).ok).toBe(true);
    expect(await secondFactor.confirm(who, "000 000", origin)).toEqual({ ok: false, error: "wrong-code" });
    expect((await accounts.logIn(GIVEN, origin)).ok).toBe(true);
    const { secret } = await turnOn();
    const signedIn = await logIn(codeFor(secret));
    expect(signedIn).toMatchObject({ ok: true });
    const person = await sessions.find((signedIn as { sessionId: string }).sessionId);
    expect(person).toMatchObject({ email: GIVEN.email, hasSecondFactor: true });
    expect(await audited()).toEqual([own("turn-on-second-factor")]);
  });

  it("a pending login is no session, and a wrong password asks for no code (C2, C5)", async () => {
    const { accounts, sessions, password, turnOn } = await setUp();
    await turnOn();
    const before = await database.read.selectFrom("sessions").selectAll().execute();
    const pending = await password();
    expect(await sessions.find(pending)).toBeUndefined();
    expect(await database.read.selectFrom("sessions").selectAll().execute()).toEqual(before);
    expect(await accounts.logIn({ ...GIVEN, password: "wrong" }, origin)).toEqual({
      ok: false,
      error: "invalid",
    });
  });

  it("a pending login ends with its time, with another password, with its account, and when it is forged", async () => {
    const { accounts, secondStep, password, turnOn, codeFor, clock, who } = await setUp();
    const { secret } = await turnOn();
    const finish = (token: string) => secondStep.finish(token, codeFor(secret), origin);
    const over = { ok: false, error: "over" };
    const late = await password();
    // Its five minutes, and five that clocks may differ by.
    clock.forward(minutes(10));
    expect(await finish(late)).toEqual(over);
    const forged = await password();
    expect(await finish(forged.replace(/.$/, (last) => (last === "A" ? "Q" : "A")))).toEqual(over);
    const changed = await password();
    await accounts.changePassword(who, { current: GIVEN.password, next: "another horse" }, origin);
    expect(await finish(changed)).toEqual(over);
    const removed = await password({ ...GIVEN, password: "another horse" });
    await database.write((trx) => trx.deleteFrom("accounts").execute());
    expect(await finish(removed)).toEqual(over);
    expect(await database.read.selectFrom("recovery_codes").selectAll().execute()).toEqual([]);
  });

  it("takes a code once, also when it comes five times at the same moment, and none from before it", async () => {
    const { turnOn, codeFor, logIn, password, secondStep, clock } = await setUp();
    const { secret } = await turnOn();
    const code = codeFor(secret);
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => password()));
    const outcomes = await Promise.all(tokens.map((token) => secondStep.finish(token, code, origin)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    clock.forward(seconds(30));
    expect(await logIn(code, ELSEWHERE)).toEqual({ ok: false, error: "wrong-code" });
    expect((await logIn(codeFor(secret, 1), ELSEWHERE)).ok).toBe(true);
    expect(await logIn(codeFor(secret), ELSEWHERE)).toEqual({ ok: false, error: "wrong-code" });
  });

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])("a code of %i steps from now is taken: %s", async (steps, isTaken) => {
    const { turnOn, codeFor, logIn, clock } = await setUp();
    const { secret } = await turnOn();
    clock.forward(minutes(5));
    expect((await logIn(codeFor(secret, steps))).ok).toBe(isTaken);
  });

  it("keeps no secret and no code in clear, and opens no secret for another account or with another key (C24)", async () => {
    const { turnOn, box, who, logIn, codeFor } = await setUp();
    const { secret, recoveryCodes } = await turnOn();
    const code = codeFor(secret);
    await logIn(code);
    const stored = await dump();
    const { sealed_secret } = await database.read
      .selectFrom("second_factors")
      .selectAll()
      .executeTakeFirstOrThrow();
    for (const clear of [
      secret,
      code,
      ...recoveryCodes,
      ...recoveryCodes.map((one) => one.replaceAll("-", "")),
    ])
      expect(stored).not.toContain(clear);
    expect(box.open(sealed_secret, who.accountId)).toBe(secret);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(() => box.open(sealed_secret, "another")).toThrow();
    expect(() => createSecretBox("another secret").open(sealed_secret, who.accountId)).toThrow();
  });

  it("a recovery code logs in once, however it is typed, and once of five at the same moment", async () => {
    const { turnOn, logIn, password, secondStep, secondFactor, who, clock } = await setUp();
    const { recoveryCodes } = await turnOn();
    const [first = "", second = ""] = recoveryCodes;
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(recoveryCodes.every((code) => /^[2-9A-HJ-KM-NP-Z]{5}(-[2-9A-HJ-KM-NP-Z]{5}){2}$/.test(code))).toBe(
      true,
    );
    expect((await logIn(` ${first.toLowerCase().replaceAll("-", " ")} `)).ok).toBe(true);
    expect(await logIn(first)).toEqual({ ok: false, error: "wrong-code" });
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => password()));
    const outcomes = await Promise.all(
      tokens.map((token) => secondStep.finish(token, second, { ...origin, address: ELSEWHERE })),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    clock.forward(minutes(15));
    expect(await secondFactor.getState(who)).toMatchObject({ kind: "on", recoveryCodesLeft: 8 });
  });

  it("new recovery codes need a code and replace all of the old ones", async () => {
    const { turnOn, logIn, secondFactor, who, codeFor } = await setUp();
    const { secret, recoveryCodes } = await turnOn();
    expect(await secondFactor.renewRecoveryCodes(who, "000000", origin)).toEqual({
      ok: false,
      error: "wrong-code",
    });
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

  it("setting it up needs the password, whose wrong tries count as those at the login do (C3, C36, C41)", async () => {
    const { accounts, secondFactor, who, turnOn } = await setUp();
    const begin = (password: string) => secondFactor.begin(who, password, origin);
    for (let tries = 1; tries <= 4; tries += 1) {
      expect(await begin("wrong")).toEqual({ ok: false, error: "wrong-password" });
    }
    expect(await secondFactor.getState(who)).toEqual({ kind: "off" });
    expect(await begin(GIVEN.password)).toEqual({ ok: true });
    expect(await secondFactor.getState(who)).toMatchObject({ kind: "enrolling" });
    for (let tries = 1; tries <= 5; tries += 1) await begin("wrong");
    const throttled = { ok: false, error: "throttled", retryAfterSeconds: 900 };
    expect(await begin(GIVEN.password)).toEqual(throttled);
    expect(await accounts.logIn(GIVEN, origin)).toEqual(throttled);
    expect((await audited())[0]).toEqual(own("turn-on-second-factor", "refused"));
    expect((await audited()).at(-1)).toEqual(own("throttle-password", "refused"));
    await database.write((trx) => trx.deleteFrom("attempts").execute());
    await turnOn();
  });

  it("turning it off needs the password and a code, and takes both kinds of codes away", async () => {
    const { turnOn, accounts, secondFactor, who, codeFor } = await setUp();
    const { secret, recoveryCodes } = await turnOn();
    const code = codeFor(secret);
    const off = (given: { password: string; code: string }) => secondFactor.turnOff(who, given, origin);
    expect(await off({ password: "wrong", code })).toEqual({ ok: false, error: "wrong-password" });
    expect(await off({ password: GIVEN.password, code: "000000" })).toEqual({
      ok: false,
      error: "wrong-code",
    });
    expect(await off({ password: GIVEN.password, code: recoveryCodes[9]! })).toEqual({ ok: true });
    expect(await secondFactor.getState(who)).toEqual({ kind: "off" });
    expect(await database.read.selectFrom("recovery_codes").selectAll().execute()).toEqual([]);
    expect((await accounts.logIn(GIVEN, origin)).ok).toBe(true);
    expect((await audited()).slice(1)).toEqual([
      own("turn-off-second-factor", "refused"),
      own("second-factor-code", "refused"),
      own("use-recovery-code"),
      own("turn-off-second-factor"),
    ]);
  });

  it("cannot be turned off where it is required", async () => {
    const { turnOn, secondFactor, who, codeFor } = await setUp({ isRequired: true });
    const { secret } = await turnOn();
    const given = { password: GIVEN.password, code: codeFor(secret) };
    expect(await secondFactor.turnOff(who, given, origin)).toEqual({ ok: false, error: "required" });
    expect(await secondFactor.getState(who)).toMatchObject({ kind: "on" });
  });

  it("a second enrolment leaves what is on as it is, and one that takes over an hour is over", async () => {
    const { turnOn, secondFactor, who, codeFor, clock, logIn } = await setUp();
    await secondFactor.begin(who, GIVEN.password, origin);
    clock.forward(hours(1));
    expect(await secondFactor.getState(who)).toEqual({ kind: "off" });
    expect(await secondFactor.confirm(who, "000000", origin)).toEqual({ ok: false, error: "not-begun" });
    const { secret } = await turnOn();
    await secondFactor.begin(who, GIVEN.password, origin);
    await secondFactor.abandon(who);
    expect(await secondFactor.confirm(who, codeFor(secret), origin)).toEqual({
      ok: false,
      error: "not-begun",
    });
    expect((await logIn(codeFor(secret))).ok).toBe(true);
  });

  it("holds back the sixth wrong code from one network, and lets the owner in from another (C3, C36)", async () => {
    const { turnOn, logIn, codeFor, clock } = await setUp();
    const { secret } = await turnOn();
    for (let tries = 1; tries <= 5; tries += 1)
      expect(await logIn("000000")).toEqual({ ok: false, error: "wrong-code" });
    const held = { ok: false, error: "throttled", retryAfterSeconds: 900 };
    expect(await logIn(codeFor(secret))).toEqual(held);
    expect(await logIn("2345A-6789B-CDEFG")).toEqual(held);
    expect((await logIn(codeFor(secret), ELSEWHERE)).ok).toBe(true);
    expect((await audited()).slice(-2)).toEqual([
      by("visitor", "second-factor-code", "refused"),
      by("visitor", "throttle-second-factor", "refused"),
    ]);
    clock.forward(minutes(15));
    expect((await logIn(codeFor(secret))).ok).toBe(true);
  });

  it("guessing from many networks ends after twenty codes a day, and a recovery code still opens (C3)", async () => {
    const { turnOn, logIn, codeFor, clock } = await setUp();
    const { secret, recoveryCodes } = await turnOn();
    for (let tries = 1; tries <= 20; tries += 1) {
      expect(await logIn("000000", `198.51.${tries}.1`)).toEqual({ ok: false, error: "wrong-code" });
    }
    expect(await logIn(codeFor(secret), "192.0.2.1")).toMatchObject({ error: "throttled" });
    expect((await logIn(recoveryCodes[0]!, "192.0.2.1")).ok).toBe(true);
    clock.forward(hours(24));
    expect((await logIn(codeFor(secret), "192.0.2.1")).ok).toBe(true);
  });

  it("a superadmin resets an admin's, which ends their sessions, and no superadmin's (C10, C36)", async () => {
    const { turnOn, who, logIn, secondFactor, accounts, sessions, ...deps } = await setUp();
    const users = createUserManagement({ ...deps, protectedAccounts: [] });
    const { secret } = await turnOn();
    expect(await users.resetSecondFactor(who, who.accountId, origin)).toEqual({
      ok: false,
      error: "yourself",
    });
    expect(await secondFactor.getState(who)).toMatchObject({ kind: "on" });

    const ada = await users.addAccount(who, { email: "ada@example.com", fullName: "Ada" }, origin);
    if (!ada.ok) throw new Error(ada.error);
    const session = await openSession(accounts, { email: ada.email, password: ada.temporaryPassword });
    const person = (await sessions.find(session))!;
    await secondFactor.begin(person, ada.temporaryPassword, origin);
    const state = await secondFactor.getState(person);
    if (state.kind !== "enrolling") throw new Error(state.kind);
    await secondFactor.confirm(person, deps.codeFor(state.secret), origin);
    expect(await users.find(who, person.accountId)).toMatchObject({ hasSecondFactor: true });
    expect(await users.resetSecondFactor(person, who.accountId, origin)).toMatchObject({
      error: "unauthorized",
    });
    expect(await users.resetSecondFactor(who, person.accountId, origin)).toEqual({ ok: true });
    expect(await secondFactor.getState(person)).toEqual({ kind: "off" });
    expect(await sessions.find(session)).toBeUndefined();
    expect((await logIn(deps.codeFor(secret))).ok).toBe(true);
    const resets = (await audited()).filter(([, action]) => action === "reset-second-factor");
    expect(resets.map(([actor, , subject, outcome]) => [actor, subject, outcome])).toEqual([
      [GIVEN.email, GIVEN.email, "refused"],
      ["ada@example.com", GIVEN.email, "refused"],
      [GIVEN.email, "ada@example.com", "ok"],
    ]);
  });

  it("a temporary password that expires before the code is given logs in no more", async () => {
    const { turnOn, logIn, codeFor, secondStep, password, clock } = await setUp();
    const { secret } = await turnOn();
    const temporary = { password_is_temporary: 1, password_expires_at: clock() + hours(24) } as const;
    await database.write((trx) => trx.updateTable("accounts").set(temporary).execute());
    expect((await logIn(codeFor(secret))).ok).toBe(true);
    clock.forward(hours(24) - minutes(1));
    expect((await logIn(codeFor(secret))).ok).toBe(true);
    const pending = await password();
    clock.forward(minutes(1));
    expect(await secondStep.finish(pending, codeFor(secret), origin)).toEqual({ ok: false, error: "over" });
  });
});
