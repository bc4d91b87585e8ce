import { describe, expect, it, vi } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { createAccess } from "~/services/access/access.server";
import { createSessionCookie } from "~/services/access/session-cookie.server";
import { createAccounts } from "~/services/accounts/accounts.server";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import { createDenials } from "~/services/audit/denials.server";
import { createSessions } from "~/services/sessions/sessions.server";
import { createAccountDeps, origin } from "../factories/accounts";
import { useDatabase } from "./use-database";

const GIVEN = { email: "superadmin@example.com", password: "correct horse" };

/** The matrix of C9 for the guards themselves; tests/server/guard-sweep.test.ts shows that every route calls one. */
describe("the guards of the back office (C9)", () => {
  let database: Database;
  useDatabase("sqlite", (opened) => (database = opened));

  async function signedIn({ requiresSecondFactor = false, context = undefined as object | undefined } = {}) {
    const deps = createAccountDeps(database);
    await ensureSuperadmin(deps, GIVEN);
    const outcome = await createAccounts(deps).logIn(GIVEN, origin);
    if (!outcome.ok) throw new Error(outcome.error);
    const cookie = createSessionCookie({ secret: "a secret of the tests", secure: false });
    const sessions = createSessions(deps);
    const find = vi.spyOn(sessions, "find");
    const access = createAccess({
      sessions,
      denials: createDenials(deps),
      cookie,
      originOf: () => origin,
      requestContext: () => context,
      requiresSecondFactor,
    });
    const header = (await cookie.issue(outcome.sessionId)).split(";")[0] ?? "";
    const request = (headers: Record<string, string> = { Cookie: header }, path = "/admin/users?page=2") =>
      new Request(`http://localhost${path}`, { headers });
    return { access, request, header, find, clock: deps.clock };
  }
  const become = (change: { role?: "admin"; password_is_temporary?: 1 }) =>
    database.write((trx) => trx.updateTable("accounts").set(change).execute());
  const outcomeOf = (guard: Promise<{ email: string }>) =>
    guard.then(
      (person) => person.email,
      (answer: Response) => `${answer.status} ${answer.headers.get("Location")}`,
    );

  it("let a superadmin through", async () => {
    const { access, request } = await signedIn();
    expect(await outcomeOf(access.requireAccount(request()))).toBe(GIVEN.email);
    expect(await outcomeOf(access.requireRole(request(), "superadmin"))).toBe(GIVEN.email);
  });

  it("send nobody, a forged cookie and a removed account to the login, which knows where they wanted to go", async () => {
    const { access, request } = await signedIn();
    const login = "303 /login?redirectTo=%2Fadmin%2Fusers%3Fpage%3D2";
    expect(await outcomeOf(access.requireAccount(request({})))).toBe(login);
    expect(await outcomeOf(access.requireRole(request({ Cookie: "sid=forged" }), "superadmin"))).toBe(login);
    await database.write((trx) => trx.deleteFrom("accounts").execute());
    expect(await outcomeOf(access.requireUser(request()))).toBe(`${login}&notice=session-timeout`);
  });

  it("ask once for the frame and the screen of one request, and again for what comes after", async () => {
    const { access, request, find } = await signedIn({ context: {} });
    const both = () =>
      Promise.all([access.requireUser(request()), access.requireRole(request(), "superadmin")]);
    expect((await both()).map(({ email }) => email)).toEqual([GIVEN.email, GIVEN.email]);
    expect(find).toHaveBeenCalledTimes(1);
    await become({ role: "admin" });
    expect(await outcomeOf(access.requireRole(request(), "superadmin"))).toBe("303 /unauthorized");
    expect(find).toHaveBeenCalledTimes(2);
  });

  it("send a demoted superadmin to Access Denied on the very next request", async () => {
    const { access, request } = await signedIn();
    await become({ role: "admin" });
    expect(await outcomeOf(access.requireAccount(request()))).toBe(GIVEN.email);
    expect(await outcomeOf(access.requireRole(request(), "superadmin"))).toBe("303 /unauthorized");
  });

  it("write down who is denied a page: once per page and 15 minutes, and 20 times at most (C36)", async () => {
    const { access, request, header, clock } = await signedIn();
    await become({ role: "admin" });
    const open = (path: string) =>
      outcomeOf(access.requireRole(request({ Cookie: header }, path), "superadmin"));
    const denied = () =>
      database.read
        .selectFrom("audit")
        .select(["actor", "subject", "outcome", "network", "request_id"])
        .where("action", "=", "deny-access")
        .orderBy("id")
        .execute();
    for (const path of ["/admin/users?page=1", "/admin/users?page=2", "/admin/other"]) {
      expect(await open(path)).toBe("303 /unauthorized");
    }
    const told = { actor: GIVEN.email, outcome: "refused", network: "203.0.113.0", request_id: "r1" };
    expect(await denied()).toEqual([
      { ...told, subject: "/admin/users" },
      { ...told, subject: "/admin/other" },
    ]);
    for (let page = 0; page < 30; page += 1) expect(await open(`/admin/${page}`)).toBe("303 /unauthorized");
    expect(await denied()).toHaveLength(19);
    clock.forward(minutes(15));
    await open("/admin/users");
    expect(await denied()).toHaveLength(20);
  });

  /** The page that changes it, and leads on to what was requested. */
  const password = "303 /admin/password-reset?redirectTo=%2Fadmin%2Fusers%3Fpage%3D2";

  it("send a temporary password to its page before anything else", async () => {
    const { access, request } = await signedIn();
    await become({ password_is_temporary: 1 });
    expect(await outcomeOf(access.requireAccount(request()))).toBe(password);
    expect(await outcomeOf(access.requireRole(request(), "superadmin"))).toBe(password);
    expect(await outcomeOf(access.requireOwnPassword(request()))).toBe(password);
    expect(await outcomeOf(access.requireUser(request()))).toBe(GIVEN.email);
  });

  it("send whoever lacks the second factor that is required to its page, after that of the password", async () => {
    const { access, request } = await signedIn({ requiresSecondFactor: true });
    expect(await outcomeOf(access.requireAccount(request()))).toBe("303 /admin/second-factor");
    expect(await outcomeOf(access.requireRole(request(), "superadmin"))).toBe("303 /admin/second-factor");
    expect(await outcomeOf(access.requireOwnPassword(request()))).toBe(GIVEN.email);
    await become({ password_is_temporary: 1 });
    expect(await outcomeOf(access.requireAccount(request()))).toBe(password);
  });
});
