import { globSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { ask, post, type RawAnswer } from "../../server/fixtures/raw-http";
import { SUPERADMIN } from "../server-process";
import { getScore } from "./observatory-rules";
import { PANEL_FIELDS } from "./outreach-screens";
import { useServer } from "./use-server";

/** A+ begins at 100; 130 is the maximum without a cookie and the browsers' own list of hosts. */
const WANTED = 130;
const Host = "launch.confer.dev";

const server = useServer({ ORIGIN: `https://${Host}` });
let Cookie: string;
beforeAll(async () => {
  Cookie = (await logIn()).headers["set-cookie"]?.split(";")[0] ?? "";
});

const get = (path: string, headers: Record<string, string> = {}) =>
  ask(server.port, `GET ${path}`, { Host, ...headers });
const send = (path: string, body: string, headers: Record<string, string> = {}) =>
  post(server.port, path, body, { Host, ...headers });
const logIn = () => send("/login", new URLSearchParams(SUPERADMIN).toString());

describe("every kind of response", () => {
  const json = { "Content-Type": "application/json" };
  const [asset = ""] = globSync("build/client/assets/*.js");
  const rows: [name: string, status: number, request: () => Promise<RawAnswer>][] = [
    ["the landing page", 200, () => get("/")],
    ["the signup page", 200, () => get("/early-access")],
    ["the updates page", 200, () => get("/updates")],
    ["the contact page", 200, () => get("/contact")],
    ["a refused signup", 422, () => send("/early-access", "name=")],
    ["the login page", 200, () => get("/login")],
    ["a refused login", 400, () => send("/login", "email=a")],
    ["a login", 303, logIn],
    ["a page of the back office", 200, () => get("/admin/dashboard", { Cookie })],
    ["a guarded page", 303, () => get("/admin/dashboard")],
    ["the page of a dead unsubscribe link", 404, () => get("/unsubscribe/x")],
    ["an unknown path", 303, () => get("/no-such-page")],
    ["data of a page", 200, () => get("/early-access.data")],
    ["an unknown call of the API", 404, () => get("/api/no-such-call")],
    ["a call of the API without a token", 401, () => send("/api/Email/send-email", "{}", json)],
    ["the document of the API", 200, () => get("/api/openapi.json")],
    ["the push worker", 200, () => get("/firebase-messaging-sw.js")],
    ["robots.txt", 200, () => get("/robots.txt")],
    ["a hashed script", 200, () => get(`/static/${asset.split("/").slice(2).join("/")}`)],
    ["a body that is too long", 413, () => send("/early-access", "x".repeat(65 * 1024))],
    ["a request for another host", 421, () => get("/", { Host: "elsewhere.dev" })],
  ];

  it.each(rows)("%s, a %i, would score 130 or more (C15, C16)", async (_, status, request) => {
    const answer = await request();
    expect(answer.status).toBe(status);
    const { score, parts } = getScore(answer);
    expect(score, JSON.stringify(parts, undefined, 2)).toBeGreaterThanOrEqual(WANTED);
  });

  it("a session cookie adds points (C5, C15)", async () => {
    const answer = await logIn();
    expect(answer.headers["set-cookie"]).toMatch(/^__Host-sid=/);
    expect(getScore(answer).score).toBe(WANTED + 5);
  });

  it("only an email's preview scores less: it has inline styles, in a sandbox (C15, C17)", async () => {
    const email = { ...PANEL_FIELDS, intent: "preview" };
    const drafted = await send("/admin/dashboard", new URLSearchParams(email).toString(), { Cookie });
    const id = new URLSearchParams(drafted.headers.location?.split("?")[1]).get("draft");
    const answer = await get(`/admin/outreach/${id}/mail`, { Cookie });
    expect(answer.headers["content-security-policy"]).toMatch(/^sandbox;/);
    const { score, parts } = getScore(answer);
    expect(score).toBe(WANTED - 10);
    expect(parts["content security policy"]).toMatch(/^styles inline/);
  });
});

describe("the rules", () => {
  const policy = (text: string) => ({ "content-security-policy": text });
  const lost: [what: string, score: number, headers: Record<string, string>][] = [
    ["nothing", 130, {}],
    ["its policy", 75, policy("")],
    ["its policy, which names a directive twice", 75, policy("default-src 'none'; default-src 'self'")],
    ["the rule for inline scripts", 80, policy("default-src 'none'; script-src 'unsafe-inline'")],
    [
      "the rule for eval",
      110,
      policy("default-src 'none'; script-src 'self' 'unsafe-eval'; frame-ancestors *"),
    ],
    ["the rule for objects", 80, policy("script-src 'self'; frame-ancestors 'none'")],
    [
      "the rule for inline styles",
      120,
      policy("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors *"),
    ],
    ["default-src 'none'", 125, policy("default-src 'self'; frame-ancestors 'none'")],
    ["who may frame it", 125, policy("default-src 'none'")],
    [
      "who may frame it, by policy and header",
      80,
      { ...policy("default-src 'none'"), "x-frame-options": "" },
    ],
    ["strict transport security", 80, { "strict-transport-security": "" }],
    ["a long strict transport security", 120, { "strict-transport-security": "max-age=86400" }],
    ["the referrer policy", 125, { "referrer-policy": "" }],
    ["a strict referrer policy", 120, { "referrer-policy": "unsafe-url" }],
    ["nosniff", 125, { "x-content-type-options": "" }],
    ["the resource policy", 120, { "cross-origin-resource-policy": "" }],
    ["Secure on a cookie", 120, { "set-cookie": "session=x; HttpOnly; SameSite=Lax" }],
    [
      "Secure on a cookie, and strict transport security",
      40,
      { "set-cookie": "session=x; HttpOnly; SameSite=Lax", "strict-transport-security": "" },
    ],
    ["HttpOnly on a cookie", 70, { "set-cookie": "session=x; Secure; SameSite=Lax" }],
    ["SameSite on a cookie", 130, { "set-cookie": "session=x; Secure; HttpOnly" }],
    ["a valid SameSite on a cookie", 80, { "set-cookie": "session=x; Secure; HttpOnly; SameSite=No" }],
  ];

  it.each(lost)("a response without %s scores %i (C15)", async (_, score, headers) => {
    const answer = await get("/healthz");
    expect(getScore({ body: "", headers: { ...answer.headers, ...headers } }).score).toBe(score);
  });

  it.each([
    ['<script src="https://elsewhere.dev/a.js"></script>', 125],
    ['<script src="//elsewhere.dev/a.js"></script>', 50],
    ['<script src="/static/a.js"></script>', 130],
    ['<script src="/static/a.js" integrity="sha384-x"></script>', 135],
  ])("a page with %s scores %i (C15)", async (body, score) => {
    const answer = await get("/early-access");
    expect(getScore({ headers: answer.headers, body }).score).toBe(score);
  });
});
