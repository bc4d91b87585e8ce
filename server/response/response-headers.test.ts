import { describe, expect, test } from "vitest";
import { ANALYTICS_HOSTS, ANALYTICS_SCRIPT_HOSTS, scriptsByHash, scriptsByNonce } from "./content-policy.ts";
import { getResponseHeaders } from "./response-headers.ts";

const page = {
  contentType: "text/html; charset=utf-8",
  contentSecurityPolicy: "",
  cacheControl: "",
  vary: "",
  method: "GET",
  path: "/",
  status: 200,
  scripts: scriptsByNonce("N"),
  requestId: "id",
};
const settings = { https: false, development: false };
const OTHER = "default-src 'none'; frame-ancestors 'none'";
const PREVIEW = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'";

// C16, C17
describe("the content policy", () => {
  const policy = (changes: object, moreSettings = {}) =>
    getResponseHeaders({ ...page, ...changes }, { ...settings, ...moreSettings })["Content-Security-Policy"];

  test.each([
    ["JSON", { contentType: "application/json" }, OTHER],
    ["a response without a body", { contentType: "" }, OTHER],
    ["HTML in name only", { contentType: "text/htmlx" }, OTHER],
    ["an email's preview", { contentSecurityPolicy: PREVIEW }, PREVIEW],
    ["a policy that begins like sandbox", { contentType: "", contentSecurityPolicy: "sandboxed *" }, OTHER],
    ["a policy of the application's own", { contentType: "", contentSecurityPolicy: "default-src *" }, OTHER],
    ["an unchanged document, whose stored policy stays", { contentType: "", status: 304 }, undefined],
  ])("%s", (_, changes, expected) => expect(policy(changes)).toBe(expected));

  test("allows a document's scripts by their nonce, in any case of its content type", () => {
    for (const contentType of ["text/html", "Text/HTML;charset=utf-8"]) {
      expect(policy({ contentType })).toContain("script-src 'nonce-N' 'strict-dynamic'; style-src 'self';");
    }
  });

  test("allows a cached document our files and inline scripts by their hashes", () => {
    expect(policy({ scripts: scriptsByHash(["A=", "B="]) })).toBe(
      policy({})?.replace("'nonce-N' 'strict-dynamic'", "'self' 'sha256-A=' 'sha256-B='"),
    );
  });

  test("allows Google's tag on public pages with analytics, and not in the back office", () => {
    const analytics = { connectHosts: ANALYTICS_HOSTS, scriptHosts: ANALYTICS_SCRIPT_HOSTS };
    expect(policy({}, analytics)).toBe(
      policy({})
        ?.replace("'strict-dynamic'", "'strict-dynamic' https://www.googletagmanager.com")
        .replace(
          "connect-src 'self'",
          "connect-src 'self' https://firebase.googleapis.com https://*.google-analytics.com",
        ),
    );
    for (const path of ["/login", "/admin/dashboard"]) {
      expect(policy({ path }, analytics)).toBe(policy({ path }));
    }
  });

  test("allows Vite's styles and web socket in development, and nothing else", () => {
    const strict = policy({});
    expect(policy({}, { development: true })).toBe(
      strict
        ?.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
        .replace("connect-src 'self'", "connect-src 'self' ws:"),
    );
    expect(strict).not.toContain("unsafe");
  });
});

test("only a sandboxed preview may be framed, by our own pages", () => {
  const framing = (policy: string) =>
    getResponseHeaders({ ...page, contentSecurityPolicy: policy }, settings)["X-Frame-Options"];
  expect(framing(`${PREVIEW}; frame-ancestors 'self'`)).toBe("SAMEORIGIN");
  expect(framing(PREVIEW)).toBe("DENY");
  expect(framing("frame-ancestors 'self'")).toBe("DENY");
});
