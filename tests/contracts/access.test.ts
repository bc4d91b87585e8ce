import { describe, expect, it, vi } from "vitest";
import { minutes } from "~/lib/durations";
import { createAccess } from "~/services/access/access.server";
import { createSessionCookie } from "~/services/access/session-cookie.server";
import { createDenialAudit } from "~/services/audit/audit.server";
import { createSuperadmin, origin, readAudit, SUPERADMIN } from "../factories/accounts";
import { useDatabase } from "./use-database";

/** Tests the guards themselves; tests/server/guard-sweep.test.ts shows that every route calls one. */
describe("the guards of the back office (C9)", () => {
  const { database } = useDatabase("sqlite");

  async function signedIn({ requiresSecondFactor = false, context = undefined as object | undefined } = {}) {
    const { session, sessions, ...deps } = await createSuperadmin(database);
    const cookie = createSessionCookie({ secret: "a secret of the tests", secure: false });
    const find = vi.spyOn(sessions, "find");
    const access = createAccess({
      sessions,
      auditDenial: createDenialAudit(deps),
      cookie,
      getOrigin: () => origin,
      requestContext: () => context,
      requiresSecondFactor,
    });
    const header = (await cookie.issue(await session())).split(";")[0] ?? "";
    const request = (headers: Record<string, string> = { Cookie: header }, path = "/admin/users?page=2") =>
      new Request(`http://localhost${path}`, { headers });
    return { access, request, header, find, clock: deps.clock };
  }
  const change = (columns: { role?: "admin"; password_is_temporary?: 1 }) =>
    database.write((trx) => trx.updateTable("accounts").set(columns).execute());
  const getOutcome = (guard: Promise<{ email: string }>) =>
    guard.then(
      (person) => person.email,
      (answer: Response) => `${answer.status} ${answer.headers.get("Location")}`,
    );

  it("send nobody, a forged cookie and a removed account to the login, with the requested page", async () => {
    const { access, request } = await signedIn();
    const login = "303 /login?redirectTo=%2Fadmin%2Fusers%3Fpage%3D2";
    expect(await getOutcome(access.requireAccount(request({})))).toBe(login);
    expect(await getOutcome(access.requireRole(request({ Cookie: "sid=forged" }), "superadmin"))).toBe(login);
    await database.write((trx) => trx.deleteFrom("accounts").execute());
    expect(await getOutcome(access.requireUser(request()))).toBe(`${login}&notice=session-timeout`);
  });

  it("look the session up once for layout and screen of a request, and again for the next request", async () => {
    const { access, request, find } = await signedIn({ context: {} });
    const both = () =>
      Promise.all([access.requireUser(request()), access.requireRole(request(), "superadmin")]);
    expect((await both()).map(({ email }) => email)).toEqual([SUPERADMIN.email, SUPERADMIN.email]);
    expect(find).toHaveBeenCalledTimes(1);
    await change({ role: "admin" });
    expect(await getOutcome(access.requireRole(request(), "superadmin"))).toBe("303 /unauthorized");
    expect(find).toHaveBeenCalledTimes(2);
  });

  it("record denied pages: once per page and 15 minutes, at most 20 times (C36)", async () => {
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
    expect(await denied()).toHaveLength(19);
    clock.forward(minutes(15));
    await open("/admin/users");
    expect(await denied()).toHaveLength(20);
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

  it("send a person without a required second factor to its setup page, after the password page", async () => {
    const { access, request } = await signedIn({ requiresSecondFactor: true });
    expect(await getOutcome(access.requireAccount(request()))).toBe("303 /admin/second-factor");
    expect(await getOutcome(access.requireRole(request(), "superadmin"))).toBe("303 /admin/second-factor");
    expect(await getOutcome(access.requireOwnPassword(request()))).toBe(SUPERADMIN.email);
    await change({ password_is_temporary: 1 });
    expect(await getOutcome(access.requireAccount(request()))).toBe(passwordPage);
  });
});
