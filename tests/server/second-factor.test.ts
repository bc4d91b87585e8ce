import { generateSync } from "otplib";
import { beforeAll, describe, expect, it } from "vitest";
import { formPost, SUPERADMIN } from "../server-process";
import {
  becomeAdmin,
  findRecoveryCodes,
  findSecret,
  getRedirect,
  getAccountId,
  OWN_PASSWORD,
  postSecondFactor,
  turnOnSecondFactor,
} from "./operators";
import { readRows, someone } from "./visitors";
import { createSession, readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const CODE_PAGE = "/login/second-factor?redirectTo=%2Fadmin";
const findCookie = (answer: Response, name: string) =>
  answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(";")[0] ?? "";

describe("a login with a second factor", () => {
  const server = useServer();
  const superadmin = useSuperadmin(server);
  let secret: string;
  let recoveryCodes: string[];
  beforeAll(async () => {
    ({ secret, recoveryCodes } = await turnOnSecondFactor(server, superadmin.cookie));
  });

  /** Returns the code of the next time step, which works once; turning it on has used up the current one. */
  const nextCode = () => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 });
  const password = (credentials: { email: string; password: string } = SUPERADMIN, path = "/login") =>
    server.fetch(path, formPost(credentials, someone()));
  const enter = (code: string, Cookie: string, visitor = someone(), path = CODE_PAGE) =>
    server.fetch(path, formPost({ code }, { Cookie, ...visitor }));
  const pending = async () => findCookie(await password(), "login");

  // C5
  it("asks for the code after the right password", async () => {
    const before = readRows(server, "select * from sessions");
    const answer = await password(SUPERADMIN, "/login?redirectTo=%2Fadmin%2Foutbox");
    expect(getRedirect(answer)).toEqual([303, "/login/second-factor?redirectTo=%2Fadmin%2Foutbox"]);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^login=[\w%.+-]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(readRows(server, "select * from sessions")).toEqual(before);
    const page = await server.fetch(CODE_PAGE, { headers: { Cookie: findCookie(answer, "login") } });
    const html = await page.text();
    expect([page.status, page.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(html).toMatch(/<input[^>]*autoComplete="one-time-code"[^>]*inputMode="numeric"/i);
    expect(html).not.toContain(SUPERADMIN.email);
  });

  // C5, C13
  it("the right code signs in with a new session, leads on, and takes the cookie away", async () => {
    const cookie = await pending();
    const goal = "/login/second-factor?redirectTo=%2Fadmin%2Foutbox";
    const old = await signedIn();
    const answer = await enter(nextCode(), `${cookie}; ${old}`, someone(), goal);
    expect(getRedirect(answer)).toEqual([303, "/login?notice=signed-in&redirectTo=%2Fadmin%2Foutbox"]);
    expect(answer.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^login=;.* Expires=Thu, 01 Jan 1970 /),
    );
    const session = findCookie(answer, "sid");
    const headers = { Cookie: session };
    expect((await server.fetch("/admin/dashboard", { headers })).status).toBe(200);
    const page = await server.fetch(answer.headers.get("Location")!, { headers });
    expect(await page.text()).toContain("Login successful!");
    expect((await server.fetch("/admin/dashboard", { headers: { Cookie: old } })).status).toBe(303);
    const elsewhere = await enter(
      recoveryCodes.pop()!,
      cookie,
      someone(),
      "/login/second-factor?redirectTo=//e.example",
    );
    expect(elsewhere.headers.get("Location")).toBe("/login?notice=signed-in&redirectTo=%2Fadmin");
  });

  // C3
  it("shows a wrong code at the field, and answers the sixth with 429 and Retry-After", async () => {
    const cookie = await pending();
    const visitor = someone();
    const html = await readText(enter("000000", cookie, visitor), 422);
    expect(html).toContain("This code did not work");
    expect(html).toMatch(/aria-invalid="true"/);
    expect(html).toContain("Check that your phone sets its clock automatically");
    for (let tries = 2; tries <= 5; tries += 1)
      expect((await enter("000000", cookie, visitor)).status).toBe(422);
    const sixth = await enter("000000", cookie, visitor);
    expect([sixth.status, Number(sixth.headers.get("Retry-After")) > 0]).toEqual([429, true]);
    expect((await enter("", cookie)).status).toBe(422);
  });

  it("redirects to the login without a pending login", async () => {
    const login = "/login?redirectTo=%2Fadmin";
    expect(getRedirect(await server.fetch(CODE_PAGE))).toEqual([303, login]);
    for (const cookie of ["", "login=forged"])
      expect(getRedirect(await enter("000000", cookie))).toEqual([303, `${login}&notice=login-over`]);
  });

  // C24
  it("is not turned on again by a form that is sent twice, as by a reload", async () => {
    const again = await postSecondFactor(server, superadmin.cookie, { intent: "confirm", code: nextCode() });
    expect([again.status, again.headers.get("Location")]).toEqual([
      303,
      "/admin/second-factor?notice=second-factor-on-already",
    ]);
  });

  it("shows recovery codes in the response to the post and never again", async () => {
    const cookie = await signedIn();
    const answer = await postSecondFactor(server, cookie, { intent: "renew", code: recoveryCodes.pop()! });
    const fresh = findRecoveryCodes(await answer.text());
    expect([answer.status, answer.headers.get("Cache-Control"), fresh.length]).toEqual([200, "no-store", 10]);
    const html = await createSession(server, () => cookie).read("/admin/second-factor");
    expect([findRecoveryCodes(html), findSecret(html)]).toEqual([[], undefined]);
    recoveryCodes = fresh;

    const fields = new URLSearchParams([...fresh, "<script>"].map((code) => ["code", code]));
    const file = await server.fetch("/admin/second-factor/codes", formPost(fields, { Cookie: cookie }));
    expect(file.headers.get("Content-Disposition")).toBe('attachment; filename="recovery-codes.txt"');
    expect(file.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    const text = await file.text();
    expect(text.split("\n").slice(3, 13)).toEqual(fresh);
    expect(text).not.toContain("<");
  });

  // C10
  it("is shown to superadmins, who reset it for its owner, whose sessions end", async () => {
    const cookie = await signedIn();
    const { read, post } = createSession(server, () => cookie);
    const grace = await becomeAdmin(server, cookie, "grace@example.com");
    await turnOnSecondFactor(server, grace.cookie, OWN_PASSWORD);
    const account = getAccountId(server, "grace@example.com");
    expect(await read("/admin/users")).toContain("two-factor login on");
    const question = await read(`/admin/users?step=reset-second-factor&account=${account}`);
    expect(question).toContain("Reset two-factor login?");
    const reset = await post("/admin/users", { intent: "reset-second-factor", account });
    expect(getRedirect(reset)).toEqual([303, "/admin/users?notice=second-factor-reset"]);
    expect((await grace.get("/admin/dashboard")).status).toBe(303);
    const again = await password({ email: "grace@example.com", password: OWN_PASSWORD });
    expect(again.headers.get("Location")).toBe("/login?notice=signed-in&redirectTo=%2Fadmin");
  });

  /** With a recovery code: there are ten, and only three authentication codes a minute. */
  async function signedIn(): Promise<string> {
    const answer = await enter(recoveryCodes.pop()!, await pending());
    if (answer.status !== 303) throw new Error(`The code answered ${answer.status}`);
    return findCookie(answer, "sid");
  }
});

describe("REQUIRE_2FA=on", () => {
  const server = useServer({ REQUIRE_2FA: "on" });
  const superadmin = useSuperadmin(server);

  // C3, C41
  it("requires the password for the setup, and throttles guesses", async () => {
    const page = await superadmin.read("/admin/second-factor");
    expect(page).toMatch(/<input[^>]*type="password"[^>]*autoComplete="current-password"/i);
    const visitor = someone();
    const begin = (password: string) =>
      superadmin.post("/admin/second-factor", { intent: "begin", password }, visitor);
    for (const [password, sentence] of [
      ["", "Please enter the password you logged in with."],
      ["wrong", "This is not your current password."],
    ] as const) {
      const html = await readText(begin(password), 422);
      expect([html.includes(sentence), findSecret(html)]).toEqual([true, undefined]);
      expect(html).toMatch(/aria-invalid="true"/);
    }
    for (let tries = 2; tries <= 5; tries += 1) expect((await begin("wrong")).status).toBe(422);
    const sixth = await begin(SUPERADMIN.password);
    expect([sixth.status, (await sixth.text()).includes("Too many wrong attempts")]).toEqual([429, true]);
    expect(Number(sixth.headers.get("Retry-After"))).toBeGreaterThan(0);
  });

  // C9
  it("opens the back office only after the setup", async () => {
    const { cookie, get, post } = superadmin;
    expect(getRedirect(await get("/login?redirectTo=%2Fadmin%2Foutbox"))).toEqual([303, "/admin/outbox"]);
    expect(getRedirect(await get("/admin/outbox"))).toEqual([303, "/admin/second-factor"]);
    expect((await get("/admin/password-reset")).status).toBe(200);
    const { recoveryCodes } = await turnOnSecondFactor(server, cookie);
    expect((await get("/admin/dashboard")).status).toBe(200);
    const off = { intent: "turn-off", password: SUPERADMIN.password, code: recoveryCodes[0]! };
    const refused = await postSecondFactor(server, cookie, off);
    expect([refused.status, (await refused.text()).includes("it cannot be turned off")]).toEqual([409, true]);
    expect(getRedirect(await post("/logout"))).toEqual([303, "/login"]);
  });
});
