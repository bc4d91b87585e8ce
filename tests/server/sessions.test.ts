import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ask, post } from "../../server/fixtures/raw-http";
import { removeAfterTest } from "../fixture";
import { formPost, logIn, startServer, SUPERADMIN, type ServerProcess } from "../server-process";
import { runNode } from "../run-node";
import { findForm, getValue, unescapeHtml } from "./form-html";
import { addUser, getCookie, getRedirect, getSessionId, logInAs } from "./operators";
import { readText } from "./session";
import { readRows, someone } from "./visitors";
import { useServer } from "./use-server";

const TO_LOGIN = [303, "/login?redirectTo=%2Fadmin%2Fdashboard&notice=session-timeout"];
const NOBODY_TO_LOGIN = [303, "/login?redirectTo=%2Fadmin%2Fdashboard"];

const server = useServer();

/** Opens the dashboard with a cookie; resolves with the status and the address of a redirect. */
const dashboard = async (cookie: string, on: ServerProcess = server) =>
  getRedirect(await on.fetch("/admin/dashboard", { headers: { Cookie: cookie } }));
const SIGNED_IN = [200, null];

const loginForm = () => formPost(SUPERADMIN, someone());

// C5
describe("the session's cookie", () => {
  it("is hidden from scripts and other sites, and its id is not in the database", async () => {
    const answer = await server.fetch("/login", loginForm());
    const [cookie = "", ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^sid=[\w%.+-]+; Max-Age=129600; Path=\/; HttpOnly; SameSite=Lax$/);
    const id = getSessionId(cookie);
    expect(Buffer.from(id, "base64url")).toHaveLength(32);
    expect(JSON.stringify(readRows(server, "select * from sessions"))).not.toContain(id);
  });

  // C12
  it("is Secure and bound to its host where ORIGIN is https", async () => {
    const https = removeAfterTest(await startServer({ ORIGIN: "https://desk.example" }));
    const host = { Host: "desk.example" };
    const form = String(new URLSearchParams(SUPERADMIN));
    const { status, headers } = await post(https.port, "/login", form, host);
    expect(status).toBe(303);
    expect(headers["set-cookie"]).toMatch(
      /^__Host-sid=[\w%.+-]+; Max-Age=129600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(headers["strict-transport-security"]).toBe("max-age=63072000; includeSubDomains");
    const cookie = headers["set-cookie"]?.split(";")[0] ?? "";
    const page = await ask(https.port, "GET /admin/dashboard", { ...host, Cookie: cookie });
    expect(page.status).toBe(200);
    expect((await ask(https.port, "GET /login", { Host: `localhost:${https.port}` })).status).toBe(421);
    const unprefixed = await ask(https.port, "GET /admin/dashboard", {
      ...host,
      Cookie: cookie.replace("__Host-", ""),
    });
    expect(unprefixed.status).toBe(303);
  });

  it("is another one at every login, which ends the session from before it", async () => {
    const first = await logIn(server, SUPERADMIN.password, someone());
    const second = await logIn(server, SUPERADMIN.password, { ...someone(), Cookie: first });
    expect(getSessionId(second)).not.toBe(getSessionId(first));
    expect(await dashboard(first)).toEqual(TO_LOGIN);
    expect(await dashboard(second)).toEqual(SIGNED_IN);
  });

  it.each([
    ["with another signature", (cookie: string) => cookie.replace(/[^.]+$/, "A".repeat(43))],
    ["without a signature", (cookie: string) => cookie.replace(/\.[^.]+$/, "")],
    ["with another id under the same signature", (cookie: string) => withId(cookie, "x".repeat(43))],
    ["that is no text", () => "sid=%E0%A4%A"],
  ])("%s is not accepted", async (_, change) => {
    const cookie = await logIn(server, SUPERADMIN.password, someone());
    expect(await dashboard(change(cookie))).toEqual(NOBODY_TO_LOGIN);
    expect(await dashboard(cookie)).toEqual(SIGNED_IN);
  });
});

// C6
describe("a session ends at once", () => {
  it("at logout, after which its cookie leads to the login page", async () => {
    const cookie = await logIn(server, SUPERADMIN.password, someone());
    expect(await dashboard(cookie)).toEqual(SIGNED_IN);
    const logout = await server.fetch("/logout", formPost({}, { Cookie: cookie }));
    expect(getRedirect(logout)).toEqual([303, "/login"]);
    expect(logout.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sid=;.* Expires=Thu, 01 Jan 1970 /),
    ]);
    expect(await dashboard(cookie)).toEqual(TO_LOGIN);
    const data = await server.fetch("/admin/dashboard.data", { headers: { Cookie: cookie } });
    expect(await data.text()).toMatch(/SingleFetchRedirect.*\/login/s);
  });

  it("keeps the fields of a form sent after its end", async () => {
    const Cookie = await logIn(server, SUPERADMIN.password, someone());
    await server.fetch("/logout", formPost({}, { Cookie }));
    const typedFields = { intent: "save", title: "Hello", message: 'Line 1\r\nLine "2"' };
    const secrets = ["password", "currentPassword", "newPassword", "confirmPassword", "code"];
    const typedSecrets = Object.fromEntries(secrets.map((name) => [name, "secret"]));
    const form = formPost({ ...typedFields, ...typedSecrets }, { Cookie });
    const sent = await server.fetch("/admin/dashboard?page=2", form);
    expect(sent.status).toBe(307);
    const address = sent.headers.get("Location") ?? "";
    expect(address).toBe("/login/session-ended?redirectTo=%2Fadmin%2Fdashboard%3Fpage%3D2");
    const kept = await readText(server.fetch(address, form), 403);
    const page = findForm(kept, "/admin/dashboard\\?page=2");
    for (const [name, value] of Object.entries(typedFields)) expect(getValue(page, name)).toBe(value);
    expect(page).not.toContain("secret");
    // Without a cookie of ours nobody's work is at stake.
    const unknown = await server.fetch("/admin/dashboard", formPost(typedFields));
    expect(getRedirect(unknown)).toEqual(NOBODY_TO_LOGIN);
  });

  it("keeps new recovery codes on the way to their file, and no code that was typed", async () => {
    const Cookie = await logIn(server, SUPERADMIN.password, someone());
    await server.fetch("/logout", formPost({}, { Cookie }));
    const keep = async (path: string, codes: [string, string][]) => {
      const form = formPost(new URLSearchParams(codes), { Cookie });
      const sent = await server.fetch(path, form);
      return readText(server.fetch(sent.headers.get("Location") ?? "", form), 403);
    };
    const [one, other] = ["aaaa-bbbb-cccc-dddd", "eeee-ffff-gggg-hhhh"];
    const file = await keep("/admin/second-factor/codes", [
      ["code", one],
      ["code", other],
    ]);
    expect([file.includes(one), file.includes(other)]).toEqual([true, true]);
    expect(await keep("/admin/second-factor", [["code", "123456"]])).not.toContain("123456");
  });

  it("keeps a form whose address has a page of selected rows", async () => {
    const Cookie = await logIn(server, SUPERADMIN.password, someone());
    await server.fetch("/logout", formPost({}, { Cookie }));
    const ids = Array.from({ length: 40 }, () => `&id=${randomUUID()}`);
    const question = `/admin/suppressions?sort=address&order=desc&step=release${ids.join("")}`;
    const form = formPost({ intent: "release", because: "wrote to us" }, { Cookie });
    const sent = await server.fetch(question, form);
    const kept = await readText(server.fetch(sent.headers.get("Location") ?? "", form), 403);
    expect(unescapeHtml(kept)).toContain(`action="${question}"`);
    const again = await server.fetch(`/login?${new URLSearchParams({ redirectTo: question })}`, loginForm());
    const next = await server.fetch(again.headers.get("Location") ?? "", {
      headers: { Cookie: getCookie(again) },
    });
    expect(unescapeHtml(await next.text())).toContain(`url=${question}"`);
  });
});

// C13
describe("the page after the login", () => {
  const toLogin = (value: string) => `/login?${new URLSearchParams({ redirectTo: value })}`;

  it.each(["//e.example", "https://e.example/admin"])("%j ends at /admin", async (value) => {
    const answer = await server.fetch(toLogin(value), loginForm());
    expect(getRedirect(answer)).toEqual([303, "/login?notice=signed-in&redirectTo=%2Fadmin"]);
    const Cookie = getCookie(answer);
    const again = await server.fetch(toLogin(value), { headers: { Cookie } });
    expect(getRedirect(again)).toEqual([303, "/admin"]);
    // The page after the login is one anybody could have linked to.
    const html = await readText(server.fetch(`${toLogin(value)}&notice=signed-in`, { headers: { Cookie } }));
    expect([...html.matchAll(/url=([^"]*)"/g)].map((match) => match[1])).toEqual(["/admin"]);
    expect(html).not.toMatch(/href="[^"]*e\.example/);
  });

  it("is /admin for two values, and an overlong address is refused", async () => {
    const twice = "/login?redirectTo=%2Fadmin%2Foutbox&redirectTo=%2Fadmin%2Foutbox";
    const answer = await server.fetch(twice, loginForm());
    expect(answer.headers.get("Location")).toBe("/login?notice=signed-in&redirectTo=%2Fadmin");
    expect((await server.fetch(toLogin("/".repeat(5000)), loginForm())).status).toBe(414);
  });

  it("is the requested page with a backslash in its search", async () => {
    const page = "/admin/logs?q=C:\\data";
    const Cookie = getCookie(await server.fetch(toLogin(page), loginForm()));
    expect(getRedirect(await server.fetch(toLogin(page), { headers: { Cookie } }))).toEqual([303, page]);
  });

  it("is loaded as a document, because it may be a file", async () => {
    const file = toLogin("/admin/outbox/1/file");
    const Cookie = getCookie(await server.fetch(file, loginForm()));
    const { headers } = await server.fetch(file, { headers: { Cookie } });
    expect(headers.get("X-Remix-Reload-Document")).toBe("true");
  });

  it("is the requested page of the back office", async () => {
    const answer = await server.fetch(toLogin("/admin/outbox?a=b"), loginForm());
    const Cookie = getCookie(answer);
    const html = await (await server.fetch(answer.headers.get("Location")!, { headers: { Cookie } })).text();
    expect(html).toContain('content="2;url=/admin/outbox?a=b"');
  });
});

describe("a temporary password", () => {
  const product = useServer({ SUPERADMIN_PASSWORD: "" });

  // C9
  it("leads to the password page at every login until it is changed", async () => {
    const temporary = /Password: (\S+)/.exec(product.output())?.[1] ?? "";
    await logIn(product, temporary, someone());
    await product.restart();
    expect(product.output()).toContain("The password was printed by an earlier start");
    const cookie = await logIn(product, temporary, someone());
    const from = async (path: string, Cookie = cookie) =>
      (await product.fetch(path, { headers: { Cookie } })).headers.get("Location");
    const there = toPasswordPage("/admin/outbox?a=b");
    expect(await from(`/login?${new URLSearchParams({ redirectTo: "/admin/outbox?a=b" })}`)).toBe(
      "/admin/outbox?a=b",
    );
    expect(await from("/admin/outbox?a=b")).toBe(there);
    const page = await product.fetch(there, { headers: { Cookie: cookie } });
    expect(await page.text()).toContain(`action="${there}"`);
    const wrong = await changePassword(product, cookie, "wrong", "my own long password", there);
    expect([wrong.status, (await wrong.text()).includes(`action="${there}"`)]).toEqual([422, true]);
    const change = await changePassword(product, cookie, temporary, "my own long password", there);
    const renewed = getCookie(change);
    const goal = change.headers.get("Location") ?? "";
    expect([change.status, goal]).toEqual([303, "/admin/outbox?a=b&notice=welcome"]);
    expect(change.headers.get("X-Remix-Reload-Document")).toBe("true");
    const html = await (await product.fetch(goal, { headers: { Cookie: renewed } })).text();
    expect(html).toMatch(/role="status".*Password reset successfully\. Welcome to the back office\./s);
    expect(await from("/admin?notice=welcome", renewed)).toBe("/admin/dashboard?notice=welcome");
    expect(await dashboard(renewed, product)).toEqual(SIGNED_IN);
    await expect(logIn(product, temporary, someone())).rejects.toThrow("400");
  });

  it("is given to a superadmin who forgot theirs by a command, while the server runs", async () => {
    const desk = removeAfterTest(await startServer());
    const cookie = await logIn(desk, SUPERADMIN.password, someone());
    await changePassword(desk, cookie, SUPERADMIN.password, "my own long password");
    const forgotten = await logIn(desk, "my own long password", someone());
    const { output } = await runNode(
      ["--import=./tests/quick-hashing.mjs", "scripts/accounts.ts", "reset", SUPERADMIN.email],
      { DATA_DIR: desk.dataDir, TEST_HASHING: process.env.TEST_HASHING },
    );
    expect(await dashboard(forgotten, desk)).toEqual(TO_LOGIN);
    const reset = /Password: (\S+)/.exec(output)?.[1] ?? "";
    expect(await dashboard(await logIn(desk, reset, someone()), desk)).toEqual([
      303,
      toPasswordPage("/admin/dashboard"),
    ]);
    await desk.restart();
    expect(desk.output()).toContain("SUPERADMIN_PASSWORD is ignored: the password was reset");
    const again = await logIn(desk, reset, someone());
    await changePassword(desk, again, reset, "another long password");
    await desk.restart();
    expect(desk.output()).toContain("SUPERADMIN_PASSWORD is ignored: its owner chose a password");
    await desk.restart({ SUPERADMIN_PASSWORD: "another long password" });
    expect(desk.output().match(/is ignored/g)).toHaveLength(2);
  });

  // C13
  it("leads to no other site after a forced change", async () => {
    const email = "newcomer@example.com";
    const current = await addUser(server, await logIn(server, SUPERADMIN.password, someone()), email);
    const signedIn = await logInAs(server, email, current);
    const there = "/admin/password-reset?redirectTo=https%3A%2F%2Fevil.example%2Fadmin";
    const change = await changePassword(server, signedIn, current, "my own long password", there);
    expect(change.headers.get("Location")).toBe("/admin?notice=welcome");
  });
});

const toPasswordPage = (path: string) => `/admin/password-reset?${new URLSearchParams({ redirectTo: path })}`;

function changePassword(
  on: ServerProcess,
  cookie: string,
  current: string,
  next: string,
  path = "/admin/password-reset",
): Promise<Response> {
  const fields = { currentPassword: current, newPassword: next, confirmPassword: next };
  return on.fetch(path, formPost(fields, { ...someone(), Cookie: cookie }));
}

function withId(cookie: string, id: string): string {
  const signature = cookie.slice(cookie.lastIndexOf("."));
  return `sid=${encodeURIComponent(Buffer.from(JSON.stringify(id)).toString("base64"))}${signature}`;
}
