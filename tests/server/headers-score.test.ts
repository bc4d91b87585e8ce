import { describe, expect, it } from "vitest";
import { FRAMED_EMAIL, HSTS, TEXT } from "../../server/fixtures/expected-headers";
import { getScore, WANTED } from "./observatory-rules";

/** As of the guard's own responses. */
const SAFE = { ...TEXT, ...HSTS };

describe("the rules of MDN's Observatory", () => {
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

  // C15
  it.each(lost)("a response without %s scores %i", (_, score, headers) => {
    expect(getScore({ body: "", headers: { ...SAFE, ...headers } }).score).toBe(score);
  });

  // C15
  it.each([
    ['<script src="https://elsewhere.dev/a.js"></script>', 125],
    ['<script src="//elsewhere.dev/a.js"></script>', 50],
    ['<script src="/static/a.js"></script>', 130],
    ['<script src="/static/a.js" integrity="sha384-x"></script>', 135],
  ])("a page with %s scores %i", (body, score) => {
    expect(getScore({ headers: { ...SAFE, "content-type": "text/html" }, body }).score).toBe(score);
  });

  // C5, C15
  it("a session's cookie adds points", () => {
    const headers = { ...SAFE, "set-cookie": "__Host-sid=x; Path=/; HttpOnly; Secure; SameSite=Lax" };
    expect(getScore({ body: "", headers }).score).toBe(WANTED + 5);
  });

  // C15, C17
  it("only a framed email scores less: it has inline styles, in a sandbox", () => {
    const { score, parts } = getScore({ body: "", headers: { ...FRAMED_EMAIL, ...HSTS } });
    expect(score).toBe(WANTED - 10);
    expect(parts["content security policy"]).toMatch(/^styles inline/);
  });
});
