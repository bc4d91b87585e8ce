import { describe, expect, it, vi } from "vitest";
import { minutes } from "~/lib/durations";
import { createAccess } from "~/services/access/access.server";
import { createSessionCheck } from "~/services/access/session-check.server";
import { createDenialAudit } from "~/services/audit/audit.server";
import { createSuperadmin, origin, readAudit, SUPERADMIN } from "../factories/accounts";
import { useDatabase } from "./use-database";

/** Tests the guards themselves; tests/server/guard-sweep.test.ts shows that every route calls one. */
// C9
describe("the guards of the back office", () => {
  const { database } = useDatabase("sqlite");

  async function signedIn({ requiresSecondFactor = false, context = undefined as object | undefined } = {}) {
    const { session, sessions, sessionStorage, cookie, logIn, ...deps } = await createSuperadmin(database);
    const getSession = vi.spyOn(sessionStorage, "getSession");
    const access = createAccess({
      sessionStorage,
      sessions,
      auditDenial: createDenialAudit(deps),
      getOrigin: () => origin,
      requestContext: () => context,
      requiresSecondFactor,
    });
    const header = (await cookie.serialize(await session())).split(";")[0] ?? "";
    const request = (headers: Record<string, string> = { Cookie: header }, path = "/admin/users?page=2") =>
      new Request(`http://localhost${path}`, { headers });
    const { clock } = deps;
    const isSessionAlive = createSessionCheck({ cookie, sessionStorage, clock });
    return { access, request, header, getSession, logIn, cookie, clock, isSessionAlive };
  }
  const change = (columns: { role?: "admin"; password_is_temporary?: 1 }) =>
    database.write((trx) => trx.updateTable("accounts").set(columns).execute());
  const getOutcome = (guard: Promise<{ email: string }>) =>
    guard.then(
      (person) => person.email,
      (answer: Response) => `${answer.status} ${answer.headers.get("Location")}`,
    );

  it("send strangers to the login, with the requested page", async () => {
    const { access, request } = await signedIn();
    const login = "303 /login?redirectTo=%2Fadmin%2Fusers%3Fpage%3D2";
    expect(await getOutcome(access.requireAccount(request({})))).toBe(login);
    expect(await getOutcome(access.requireRole(request({ Cookie: "sid=forged" }), "superadmin"))).toBe(login);
    await database.write((trx) => trx.deleteFrom("accounts").execute());
    expect(await getOutcome(access.requireUser(request()))).toBe(`${login}&notice=session-timeout`);
  });

  // R17
  it("send to the login without the search of a page where its URL would be too long", async () => {
    const { access, request } = await signedIn();
    const open = (path: string) => getOutcome(access.requireUser(request({}, path)));
    const people = `/admin/people?q=${"a".repeat(1800)}`;
    expect(await open(people)).toBe(`303 /login?${new URLSearchParams({ redirectTo: people })}`);
    const person = `/admin/people/1?from=q%3D${"%25E4".repeat(300)}`;
    expect(await open(person)).toBe("303 /login?redirectTo=%2Fadmin%2Fpeople%2F1");
  });

  it("forward a form to the page that keeps its fields when its session has ended", async () => {
    const { access, request } = await signedIn();
    await database.write((trx) => trx.deleteFrom("sessions").execute());
    const send = (method: string, type: string) => {
      const { url, headers } = request();
      headers.set("Content-Type", type);
      return getOutcome(access.requireUser(new Request(url, { method, headers })));
    };
    const form = "application/x-www-form-urlencoded;charset=UTF-8";
    const page = "redirectTo=%2Fadmin%2Fusers%3Fpage%3D2";
    expect(await send("POST", form)).toBe(`307 /login/session-ended?${page}`);
    // Files cannot be kept, and nothing but a POST is a form that was sent.
    const login = `303 /login?${page}&notice=session-timeout`;
    expect(await send("POST", "multipart/form-data; boundary=b")).toBe(login);
    expect(await send("GET", form)).toBe(login);
  });

  it("look the session up once a request", async () => {
    const { access, request, getSession } = await signedIn({ context: {} });
    const both = () =>
      Promise.all([access.requireUser(request()), access.requireRole(request(), "superadmin")]);
    expect((await both()).map(({ email }) => email)).toEqual([SUPERADMIN.email, SUPERADMIN.email]);
    expect(getSession).toHaveBeenCalledTimes(1);
    await change({ role: "admin" });
    expect(await getOutcome(access.requireRole(request(), "superadmin"))).toBe("303 /unauthorized");
    expect(getSession).toHaveBeenCalledTimes(2);
  });

  // C36
  it("record denied pages: once per page and 15 minutes, at most 20 times", async () => {
    const { access, request, header, clock } = await signedIn();
    await change({ role: "admin" });
    const open = (path: string) =>
      getOutcome(access.requireRole(request({ Cookie: header }, path), "superadmin"));
    const denied = async () => (await readAudit(database)).filter(({ action }) => action === "deny-access");
    for (const path of ["/admin/users?page=1", "/admin/users?page=2", "/admin/other"]) {
      expect(await open(path)).toBe("303 /unauthorized");
    }
    const entry = { actor: SUPERADMIN.email, outcome: "refused", network: "203.0.113.0", request_id: "r1" };
    expect(await denied()).toMatchObject([
      { ...entry, subject: "/admin/users" },
      { ...entry, subject: "/admin/other" },
    ]);
    for (let page = 0; page < 30; page += 1) expect(await open(`/admin/${page}`)).toBe("303 /unauthorized");
    expect(await denied()).toHaveLength(20);
    clock.forward(minutes(15));
    await open("/admin/users");
    expect(await denied()).toHaveLength(21);
  });

  const passwordPage = "303 /admin/password-reset?redirectTo=%2Fadmin%2Fusers%3Fpage%3D2";

  it("send a person with a temporary password to the password page first", async () => {
    const { access, request } = await signedIn();
    await change({ password_is_temporary: 1 });
    expect(await getOutcome(access.requireAccount(request()))).toBe(passwordPage);
    expect(await getOutcome(access.requireRole(request(), "superadmin"))).toBe(passwordPage);
    expect(await getOutcome(access.requireOwnPassword(request()))).toBe(passwordPage);
    expect(await getOutcome(access.requireUser(request()))).toBe(SUPERADMIN.email);
  });

  it("require the second factor's setup after the password page", async () => {
    const { access, request } = await signedIn({ requiresSecondFactor: true });
    expect(await getOutcome(access.requireAccount(request()))).toBe("303 /admin/second-factor");
    expect(await getOutcome(access.requireRole(request(), "superadmin"))).toBe("303 /admin/second-factor");
    expect(await getOutcome(access.requireOwnPassword(request()))).toBe(SUPERADMIN.email);
    await change({ password_is_temporary: 1 });
    expect(await getOutcome(access.requireAccount(request()))).toBe(passwordPage);
    const operator = await access.requireUser(request());
    expect(access.getRequiredSetupPage(operator)).toBe("/admin/password-reset");
  });

  const auditedLogouts = async () =>
    (await readAudit(database)).filter(({ action }) => action === "logout").map(({ actor }) => actor);

  // C36
  it("record a logout once, and none of a session that has ended or never was", async () => {
    const { access, request, clock } = await signedIn();
    clock.forward(minutes(30));
    const isCleared = /^sid=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax$/;
    expect(await access.signOut(request())).toMatch(isCleared);
    expect(await access.signOut(request({}))).toMatch(isCleared);
    expect(await auditedLogouts()).toEqual([]);
    expect(await database.read.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  // C5
  it("sign in with a session of a new id, and end the one from before it", async () => {
    const { access, request, header, logIn, cookie } = await signedIn();
    const outcome = await logIn();
    if (!outcome.ok || outcome.login.needsCode) throw new Error("the login failed");
    const next = (await access.signIn(request(), outcome.login)).split(";")[0] ?? "";
    expect(await cookie.parse(next)).not.toBe(await cookie.parse(header));
    expect(await access.getUser(request())).toBeUndefined();
    expect(await access.getUser(request({ Cookie: next }))).toMatchObject({ email: SUPERADMIN.email });
    expect(await auditedLogouts()).toEqual([SUPERADMIN.email]);
    await access.signOut(request({ Cookie: next }));
    await access.signOut(request({ Cookie: next }));
    expect(await auditedLogouts()).toEqual([SUPERADMIN.email, SUPERADMIN.email]);
  });

  it("sign nobody in whose account changed after the password was checked", async () => {
    const { access, request, logIn } = await signedIn();
    const outcome = await logIn();
    if (!outcome.ok || outcome.login.needsCode) throw new Error("the login failed");
    await database.write((trx) => trx.deleteFrom("accounts").execute());
    const error = { name: "LoginError", code: "over", email: SUPERADMIN.email };
    await expect(access.signIn(request({}), outcome.login)).rejects.toMatchObject(error);
  });

  // C6, C47
  it("keep a used session alive, and one that is only asked about not", async () => {
    const { access, request, header, clock, isSessionAlive } = await signedIn();
    clock.forward(minutes(29));
    expect(await isSessionAlive(header)).toBe(true);
    expect(await access.getUser(request())).toBeDefined();
    clock.forward(minutes(29));
    expect(await isSessionAlive(header)).toBe(true);
    clock.forward(minutes(1));
    expect(await isSessionAlive(header)).toBe(false);
    expect(await access.getUser(request())).toBeUndefined();
  });
});
