import { describe, expect, it } from "vitest";
import { createAuthenticator } from "~/services/access/authenticator.server";
import { LoginError, toLoginError } from "~/services/access/login-error";
import { createAccounts } from "~/services/accounts/accounts.server";
import { MAX_PASSWORD_LENGTH, type PasswordHasher } from "~/services/accounts/password-hasher";
import { createPendingLoginStorage } from "~/services/access/session-storage.server";
import { createTestSecondFactor, hasher, origin, SUPERADMIN } from "../factories/accounts";
import { useDatabase } from "./use-database";

describe("the strategies of the login", () => {
  const { database } = useDatabase("sqlite");

  async function setUp(ofHasher: Partial<PasswordHasher> = {}) {
    const { turnOn, codeFor, enterPassword, ...deps } = await createTestSecondFactor(database);
    const hash = (password: string) => hasher.hash(password);
    const verify: PasswordHasher["verify"] = (...args) => hasher.verify(...args);
    const accounts = createAccounts({ ...deps, hasher: { hash, verify, ...ofHasher } });
    const storage = createPendingLoginStorage({ secret: "a secret of the tests", secure: false });
    const authenticator = createAuthenticator({
      accounts,
      pendingLoginStorage: storage,
      getOrigin: () => origin,
    });
    const post = (fields: Record<string, string>, Cookie = "") =>
      new Request("http://localhost/login", {
        method: "POST",
        headers: { Cookie },
        body: new URLSearchParams(fields),
      });
    return {
      turnOn,
      codeFor,
      password: (fields: Record<string, string>) => authenticator.authenticate("password", post(fields)),
      secondFactor: (code: string, cookie?: string) =>
        authenticator.authenticate("second-factor", post({ code }, cookie)),
      /** Completes the first step; resolves with its cookie. */
      async createPendingCookie() {
        const session = await storage.getSession();
        session.set("pendingLogin", await enterPassword());
        return (await storage.commitSession(session)).split(";")[0] ?? "";
      },
    };
  }
  const getError = (login: Promise<unknown>) =>
    login.then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof LoginError)) throw error;
        const { code, email, retryAfterSeconds } = error;
        return { code, email, retryAfterSeconds };
      },
    );

  it("return who signs in, and a pending login where a code is needed", async () => {
    const { password, secondFactor, turnOn, codeFor, createPendingCookie } = await setUp();
    expect(await password(SUPERADMIN)).toMatchObject({ needsCode: false, email: SUPERADMIN.email });
    const { secret } = await turnOn();
    expect(await password(SUPERADMIN)).toMatchObject({ needsCode: true });
    const login = await secondFactor(codeFor(secret), await createPendingCookie());
    expect(login).toMatchObject({ needsCode: false, email: SUPERADMIN.email });
  });

  it("throw the code, the address as typed, and when to retry", async () => {
    const { password } = await setUp();
    const email = " SuperAdmin@Example.com";
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await getError(password({ email, password: "wrong" }))).toMatchObject({
        code: "invalid",
        email,
      });
    }
    const throttled = { code: "throttled", email, retryAfterSeconds: 900 };
    expect(await getError(password({ email, password: SUPERADMIN.password }))).toEqual(throttled);
    expect(await getError(password({}))).toMatchObject({ code: "invalid", email: "" });
    const long = { email: "x".repeat(2000), password: "wrong" };
    expect(await getError(password(long))).toMatchObject({ email: "x".repeat(MAX_PASSWORD_LENGTH + 1) });
  });

  it("refuse a password that only begins with the right one, however long that is", async () => {
    const { password } = await setUp();
    const { email } = SUPERADMIN;
    const longest = "x".repeat(MAX_PASSWORD_LENGTH);
    const password_hash = await hasher.hash(longest);
    await database.write((trx) =>
      trx.updateTable("accounts").set({ password_hash }).where("email", "=", email).execute(),
    );
    expect(await getError(password({ email, password: `${longest}y` }))).toMatchObject({ code: "invalid" });
    expect(await password({ email, password: longest })).toMatchObject({ email });
  });

  it("tell a missing code, a wrong one and a login that is over apart", async () => {
    const { secondFactor, turnOn, codeFor, createPendingCookie } = await setUp();
    const { secret } = await turnOn();
    const cookie = await createPendingCookie();
    expect(await getError(secondFactor(" ", cookie))).toMatchObject({ code: "missing-code" });
    expect(await getError(secondFactor("000000", cookie))).toMatchObject({ code: "wrong-code" });
    for (const none of [undefined, cookie.replace("login=", "login=x")]) {
      expect(await getError(secondFactor(codeFor(secret), none))).toMatchObject({ code: "over" });
    }
  });

  it("say when to retry while too many passwords are checked", async () => {
    const { password } = await setUp({ verify: async () => "busy" });
    const busy = { code: "busy", email: SUPERADMIN.email, retryAfterSeconds: 1 };
    expect(await getError(password(SUPERADMIN))).toEqual(busy);
  });

  it("say when to retry while the database is away", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const error = { code: "unavailable", email: "ada@example.com", retryAfterSeconds: 1, cause };
    expect(toLoginError(cause, "ada@example.com")).toMatchObject(error);
  });

  it("throw the cause of an unexpected failure", async () => {
    const { password } = await setUp();
    await database.write((trx) => trx.schema.dropTable("attempts").execute());
    const error = await password(SUPERADMIN).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "failed", email: SUPERADMIN.email, cause: expect.any(Error) });
  });
});
