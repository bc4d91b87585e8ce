import { beforeAll, describe, expect, it } from "vitest";
import { days, hours } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import { createInviteTokens } from "~/services/waves/invite-tokens.server";
import { ask } from "../../server/fixtures/raw-http";
import { formPost } from "../server-process";
import { waitUntil } from "../wait-until";
import { bearer, makeToken } from "./made-tokens";
import { getRedirect } from "./operators";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";
import { execute, readFormSecret, readRows, signUp, someone } from "./visitors";

const NAVIGATION = { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };

describe("invitations from the waiting list", () => {
  const server = useServer({
    INVITE_URL: "https://app.example.com/join?code={code}&from=mail",
    INVITE_DAYS: "7",
    LOG_LEVEL: "debug",
  });
  const superadmin = useSuperadmin(server);
  const codes: string[] = [];
  let token: string;
  beforeAll(async () => {
    token = await makeToken(server, superadmin.cookie, { scopes: ["invitations:write"] });
  });

  /** Signs somebody up, invites them some time ago, and returns their code. */
  async function invite(email: string, { ago = hours(1), state = "invited" } = {}): Promise<string> {
    await signUp(server, { email });
    const [person] = readRows(server, "select id from people where email_key = ?", email);
    const id = newId();
    execute(
      server,
      "insert into wave_invitations (id, person_id, campaign_id, state, invited_at) values (?, ?, ?, ?, ?)",
      id,
      person!.id,
      newId(),
      state,
      Date.now() - ago,
    );
    const code = createInviteTokens(await readFormSecret(server)).createToken({ id, issue: 1 });
    codes.push(code);
    return code;
  }
  const openedAt = (email: string) =>
    readRows(
      server,
      "select opened_at from wave_invitations join people on people.id = person_id where email_key = ?",
      email,
    )[0]?.opened_at;
  const open = (code: string, headers: Record<string, string> = {}, method = "GET") =>
    server.fetch(`/i/${code}`, { method, headers: { ...someone(), ...headers } });
  /** Opens a link as a browser does. Node's own fetch says what it is. */
  const navigate = (code: string, headers: Record<string, string> = {}, method = "GET") =>
    ask(server.port, `${method} /i/${code}`, { ...someone(), ...NAVIGATION, ...headers });
  const post = async (path: string, body: object) => {
    const answer = await server.fetch(`/api/invitations/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...bearer(token), ...someone() },
      body: JSON.stringify(body),
    });
    return [answer.status, (await answer.json()) as Record<string, unknown>] as const;
  };

  // C8
  it("lead to the application each time, and only a person's click counts as opened", async () => {
    const code = await invite("ada@example.com");
    for (const method of ["HEAD", "GET", "GET"]) {
      const answer = await open(code, {}, method);
      expect(getRedirect(answer)).toEqual([302, `https://app.example.com/join?code=${code}&from=mail`]);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(answer.headers.get("Referrer-Policy")).toBe("no-referrer");
    }
    await navigate(code, { "Sec-Purpose": "prefetch" });
    await navigate(code, {}, "HEAD");
    expect(openedAt("ada@example.com")).toBeNull();
    expect((await navigate(code)).status).toBe(302);
    await waitUntil(() => openedAt("ada@example.com") !== null);
    expect((await navigate(await invite("now@example.com", { ago: 0 }))).status).toBe(302);
    expect(openedAt("now@example.com")).toBeNull();
  });

  it("are a field of campaigns", async () => {
    expect(await superadmin.read("/admin/templates/new")).toContain("{{invite_link}}");
    expect(await superadmin.read("/admin/automatic/welcome")).not.toContain("invite_link");
  });

  it("that lead nowhere have a page with a sentence", async () => {
    expect(await readText(open("test"))).toContain("In the real email, each person has a link of their own");
    for (const code of ["x", "a.b.c", `${codes[0]}x`]) {
      expect(await readText(open(code), 404)).toContain("This link is incomplete or no longer valid");
    }
    const joined = await invite("joined@example.com", { state: "joined" });
    expect(await readText(open(joined), 410)).toContain("You have joined already");
  });

  it("that expired can be asked for anew", async () => {
    const code = await invite("late@example.com", { ago: days(7) });
    const page = await readText(open(code), 410);
    expect(page).toContain("Your invitation has expired");
    expect(page).toContain(">Ask for a new one</button>");
    const asked = await server.fetch(`/i/${code}`, formPost({}, someone()));
    expect(getRedirect(asked)).toEqual([303, `/i/${code}?notice=invite-asked`]);
    const answered = await readText(open(`${code}?notice=invite-asked`), 410);
    expect(answered).toContain("We got your request</h1>");
    expect(answered).toContain("<title>We got your request");
    expect(readRows(server, "select 1 from wave_invitations where asked_at is not null")).toHaveLength(1);
    const from = someone();
    let last = asked;
    for (let n = 0; n < 51; n += 1) last = await server.fetch(`/i/${code}`, formPost({}, from));
    expect(last.status).toBe(429);
    expect(Number(last.headers.get("Retry-After"))).toBeGreaterThan(1);
    expect(await last.text()).toContain("Too many requests came from your network");
  });

  it("are checked by the application, which then reports who joined", async () => {
    const code = await invite("grace@example.com");
    const [status, verified] = await post("verify", { code });
    expect([status, verified]).toMatchObject([
      200,
      { valid: true, reason: null, email: "grace@example.com", name: "Ada Byron", wave: null },
    ]);
    expect(Date.parse(String(verified.expiresAt))).toBeGreaterThan(Date.now() + days(6));
    expect(await post("verify", { code: "nonsense" })).toEqual([
      200,
      { valid: false, reason: "unknown", email: null, name: null, wave: null, expiresAt: null },
    ]);
    const report = { code, email: "grace@example.com" };
    expect(await post("joined", report)).toMatchObject([200, { status: "success", new: true }]);
    expect(await post("joined", report)).toMatchObject([200, { new: false, email: "grace@example.com" }]);
    expect(await post("joined", { code, email: "other@example.com" })).toMatchObject([
      409,
      { code: "already_joined" },
    ]);
    expect(await post("verify", { code })).toMatchObject([200, { valid: false, reason: "joined" }]);
    expect(await post("joined", { email: "nobody@example.com" })).toMatchObject([
      404,
      { code: "unknown_address" },
    ]);
    expect(await post("joined", {})).toMatchObject([422, { code: "invalid_body" }]);
  });

  // C37
  it("are reported a thousand at a time, each with its result", async () => {
    const code = await invite("last@example.com");
    const people = [
      ...Array.from({ length: 999 }, (_, n) => ({
        email: `nobody-of-a-long-name-${n}@example.com`,
        code: codes[0],
      })),
      { code, email: "last@example.com" },
    ];
    const [status, answer] = await post("joined", { people });
    const results = answer.results as Record<string, unknown>[];
    expect([status, results.length]).toEqual([200, 1000]);
    expect([results[0], results[1], results[999]]).toMatchObject([
      { result: "joined", new: true },
      { result: "refused", code: "already_joined" },
      { result: "joined", email: "last@example.com" },
    ]);
    expect(await post("joined", { people: [...people, { code }] })).toMatchObject([
      422,
      { fields: { people: "must be a list of 1 to 1,000" } },
    ]);
  });

  // C24
  it("leave no code in the log", async () => {
    const [code = ""] = codes;
    for (const path of [`/i//${code}`, `/I/${code}/x`, `/i/${code}%zz`, `/i/${code}.data`]) {
      await server.fetch(path, { redirect: "manual" });
    }
    const log = server.output();
    expect(log).toContain("/i/:token");
    for (const each of codes) expect(log).not.toContain(each.split(".")[1]);
  });
});

describe("without INVITE_URL", () => {
  const server = useServer();
  const superadmin = useSuperadmin(server);

  it("there are no invitations", async () => {
    const token = await makeToken(server, superadmin.cookie, { scopes: ["invitations:write"] });
    expect(await superadmin.read("/admin/templates/new")).not.toContain("invite_link");
    for (const path of ["/i/test", "/i/x"]) expect((await server.fetch(path)).status).toBe(404);
    for (const [path, body] of Object.entries({
      verify: { code: "x" },
      joined: { email: "a@example.com" },
    })) {
      const answer = await server.fetch(`/api/invitations/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...bearer(token), ...someone() },
        body: JSON.stringify(body),
      });
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { code: "invitations_not_configured" },
      ]);
    }
  });
});
