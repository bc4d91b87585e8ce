import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  ALWAYS,
  BACK_OFFICE_DOCUMENT,
  DOCUMENT,
  HSTS,
  NO_STORE,
  OF_DOCUMENTS,
  OTHER,
  TEXT,
  ours,
  WORKER,
} from "../../server/fixtures/expected-headers";
import { ask, post, type RawAnswer } from "../../server/fixtures/raw-http";
import { chooseSize } from "../sizes";
import { getScore, WANTED } from "./observatory-rules";
import { withoutTable } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer();
const superadmin = useSuperadmin(server);

const LOGIN = "/login?redirectTo=%2Fadmin%2Fdashboard";
const NOINDEX = { "x-robots-tag": "noindex" };
/** Cached, so its scripts run by their hashes (docs/decisions/0012). */
const CACHED = {
  ...ALWAYS,
  ...OF_DOCUMENTS,
  "cache-control": "private, no-cache",
  vary: DOCUMENT.vary,
  etag: expect.any(String),
};
const CACHED_PAGE = {
  ...DOCUMENT,
  ...CACHED,
  "content-security-policy": expect.stringMatching(
    /^default-src 'none'; script-src 'self'(?: 'sha256-[A-Za-z0-9+/]{43}=')+; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; report-uri \/csp-report; report-to csp$/,
  ),
};
const PUBLIC_PAGE = { ...DOCUMENT, "cache-control": "private, no-cache" };
const PRIVATE_PAGE = { ...DOCUMENT, ...NO_STORE };
/** The back office and the login. */
const HIDDEN_PAGE = { ...BACK_OFFICE_DOCUMENT, ...NO_STORE, ...NOINDEX };
const DATA = {
  ...OTHER,
  ...NO_STORE,
  "content-type": "text/x-script; charset=utf-8",
  "x-remix-response": "yes",
  vary: "Accept-Encoding",
};
const HIDDEN_DATA = { ...DATA, ...NOINDEX };
/** What browsers do without a header is not said to each of some 30 files. */
const ASSET = { "x-frame-options": undefined, "referrer-policy": undefined };
const FILE = {
  ...OTHER,
  "accept-ranges": "bytes",
  etag: expect.any(String),
  "last-modified": expect.any(String),
  vary: "Accept-Encoding",
};
const HASHED = { ...FILE, ...ASSET, "cache-control": "public, max-age=31536000, immutable" };
/** Compressed by the build and sent by the guard (server/cache/asset-cache.ts). */
const UNCHANGED_FILE = {
  ...ALWAYS,
  ...ASSET,
  etag: expect.any(String),
  vary: "Accept-Encoding",
  "cache-control": HASHED["cache-control"],
};
const CACHED_FILE = { ...OTHER, ...UNCHANGED_FILE, "content-type": "text/css; charset=utf-8" };
const UNHASHED = { ...FILE, "cache-control": "public, max-age=3600" };
const PICTURE = { ...HASHED, "content-type": "image/png", vary: undefined };
/** Created by the application at a fixed address. */
const made = (type: string) => ({
  ...OTHER,
  "cache-control": "public, max-age=3600",
  vary: "Accept-Encoding",
  "content-type": type,
});
/** The application's problems are compressed, the guard's are not. */
const GUARDS_PROBLEM = { ...OTHER, ...NO_STORE, "content-type": "application/problem+json" };
const PROBLEM = { ...GUARDS_PROBLEM, vary: "Accept-Encoding" };
const UNAUTHENTICATED = { ...PROBLEM, "www-authenticate": 'Bearer realm="api"' };
const API = {
  ...OTHER,
  ...NO_STORE,
  "content-type": "application/json; charset=utf-8",
  vary: "Accept-Encoding",
};
const API_DOCUMENT = { ...API, "cache-control": "public, max-age=300", etag: expect.any(String) };
/** May load its own icon and nothing else. */
const PUSH_WORKER = { ...WORKER, "content-type": "text/javascript; charset=utf-8", vary: "Accept-Encoding" };
const movedTo = (location: string) => ({ ...OTHER, ...NO_STORE, location });

const noncesIn = (policy = "") => [...policy.matchAll(/'nonce-([^']+)'/g)].map((match) => match[1]);

/** Hashes the bytes as sent: the raw client reads each as one character. */
const sha256 = (text: string) => createHash("sha256").update(text, "latin1").digest("base64");

/** Lists the parts of a page that its own policy would block. */
function stoppedByPolicy({ body, headers }: RawAnswer): string[] {
  const policy = headers["content-security-policy"] ?? "";
  const [nonce] = noncesIn(policy);
  // Removes the sizes between the pieces of a chunked body.
  const html = body.replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, "");
  // Data between script tags is no script: no policy stops it, and nothing runs it.
  const scripts = [...html.matchAll(/(<script\b(?! type="application\/ld\+json")[^>]*>)(.*?)<\/script>/gs)];
  expect(scripts.length).toBeGreaterThan(0);
  const mayRun = (tag: string, code: string) =>
    nonce === undefined ? policy.includes(`'sha256-${sha256(code)}'`) : tag.includes(` nonce="${nonce}"`);
  const markup = html
    .replace(/<script\b[^>]*>.*?<\/script>/gs, "")
    .replace(/<style id="styles">(.*?)<\/style>/gs, (style, css: string) =>
      policy.includes(`style-src 'self' 'sha256-${sha256(css)}';`) ? "" : style,
    );
  return [
    ...scripts.flatMap(([, tag = "", code = ""]) => (mayRun(tag, code) ? [] : [tag])),
    ...Array.from(markup.matchAll(/<style\b[^>]*>|<[a-z][^>]*\s(?:style|on[a-z]+)=[^>]*>/g), ([tag]) => tag),
  ];
}

describe("the responses of the product", () => {
  const [asset = ""] = globSync("build/client/assets/*.css");
  const hashedFile = `/static/${asset.split("/").slice(2).join("/")}`;
  const [picture = ""] = globSync("build/client/assets/social-card-*.png");
  const hashedPicture = `/static/assets/${picture.split("/").pop()}`;
  const json = { "Content-Type": "application/json" };

  type Row = [name: string, status: number, () => Promise<RawAnswer>, expected: Record<string, unknown>];
  const get = (path: string, headers: Record<string, string> = {}) =>
    ask(server.port, `GET ${path}`, headers);
  const ownPage = { "Sec-Fetch-Site": "same-origin" };
  const signInVisitor = () => ask(server.port, "POST /api/visitor", { ...ownPage, "Content-Length": "0" });
  const registerNothing = () => post(server.port, "/api/DeviceToken", "{}", json);
  const brokenForm = () => ({ ...superadmin.headers, "Content-Type": "multipart/form-data" });
  const crossSite = { ...json, "Sec-Fetch-Site": "cross-site" };
  const sendEmail = (headers: Record<string, string>) =>
    post(server.port, "/api/Email/send-email", "{}", headers);
  const rows: Row[] = [
    ["the landing page", 200, () => get("/"), CACHED_PAGE],
    ["a HEAD of it", 200, () => ask(server.port, "HEAD /"), CACHED_PAGE],
    ["the same unchanged", 304, () => get("/", { "If-None-Match": "*" }), CACHED],
    ["the same when signed in", 200, () => get("/", superadmin.headers), PUBLIC_PAGE],
    ["the signup page", 200, () => get("/early-access"), PUBLIC_PAGE],
    ["the updates page", 200, () => get("/updates"), PUBLIC_PAGE],
    ["the contact page", 200, () => get("/contact"), PUBLIC_PAGE],
    ["a form posted to /", 303, () => post(server.port, "/", "name="), movedTo("/")],
    ["a refused signup", 422, () => post(server.port, "/early-access", "name="), PUBLIC_PAGE],
    [
      "a broken form",
      400,
      () => post(server.port, "/admin/suppressions/add", "x", brokenForm()),
      HIDDEN_PAGE,
    ],
    ["the login page", 200, () => get("/login"), HIDDEN_PAGE],
    ["a refused login", 400, () => post(server.port, "/login", "email=a"), HIDDEN_PAGE],
    [
      "a logout, which clears cookie and cache",
      303,
      () => post(server.port, "/logout", ""),
      {
        ...movedTo("/login"),
        ...NOINDEX,
        "clear-site-data": '"cache"',
        "set-cookie": "sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax",
      },
    ],
    ["the page without permission", 403, () => get("/unauthorized"), HIDDEN_PAGE],
    [
      "a dead unsubscribe link",
      404,
      () => get("/unsubscribe/x"),
      { ...PRIVATE_PAGE, ...NOINDEX, "referrer-policy": "strict-origin" },
    ],
    ["a POST to a page without an action", 405, () => post(server.port, "/unauthorized", "a=1"), HIDDEN_PAGE],
    ["a guarded page", 303, () => get("/admin/dashboard"), { ...movedTo(LOGIN), ...NOINDEX }],
    ["the same when signed in", 200, () => get("/admin/dashboard", superadmin.headers), HIDDEN_PAGE],
    ["the password page", 200, () => get("/admin/password-reset", superadmin.headers), HIDDEN_PAGE],
    ["the outbox", 200, () => get("/admin/outbox", superadmin.headers), HIDDEN_PAGE],
    ["an unknown path", 303, () => get("/no-such-page"), movedTo("/")],
    [
      "an unknown path of the back office",
      303,
      () => get("/admin/x", superadmin.headers),
      { ...movedTo("/"), ...NOINDEX },
    ],
    ["a missing asset", 404, () => get("/static/assets/missing.js"), TEXT],
    ["a hashed style sheet", 200, () => get(hashedFile), CACHED_FILE],
    ["the same unchanged", 304, () => get(hashedFile, { "If-None-Match": "*" }), UNCHANGED_FILE],
    ["a public file under /static/", 404, () => get("/static/favicon.svg"), TEXT],
    ["a path out of the assets", 404, () => get("/static/..%2f..%2fpackage.json"), TEXT],
    ["a hashed picture", 200, () => get(hashedPicture), PICTURE],
    ["robots.txt", 200, () => get("/robots.txt"), made("text/plain; charset=utf-8")],
    ["the sitemap", 200, () => get("/sitemap.xml"), made("application/xml; charset=utf-8")],
    ["the web manifest", 200, () => get("/site.webmanifest"), made("application/manifest+json")],
    ["the push worker", 200, () => get("/firebase-messaging-sw.js"), PUSH_WORKER],
    ["the document of the API", 200, () => get("/api/openapi.json"), API_DOCUMENT],
    ["a visitor's sign-in", 200, signInVisitor, { ...API, "set-cookie": expect.any(String) }],
    ["a device without a visitor", 401, registerNothing, { ...PROBLEM, "www-authenticate": "Bearer" }],
    ["a GET of the devices", 405, () => get("/api/DeviceToken"), { ...PROBLEM, allow: "POST" }],
    ["the icon", 200, () => get("/favicon.svg"), { ...UNHASHED, "content-type": "image/svg+xml" }],
    ["data of a public page", 200, () => get("/early-access.data"), DATA],
    ["data of a guarded page", 202, () => get("/admin/dashboard.data"), { ...HIDDEN_DATA, location: LOGIN }],
    ["the same when signed in", 200, () => get("/admin/dashboard.data", superadmin.headers), HIDDEN_DATA],
    ["data of a refused login", 400, () => post(server.port, "/login.data", "email=a"), HIDDEN_DATA],
    ["a call of the API without a token", 401, () => sendEmail(json), UNAUTHENTICATED],
    ["a wrong method of the API", 405, () => get("/api/Email/send-email"), { ...PROBLEM, allow: "POST" }],
    ["an unknown path of the API", 404, () => get("/api/no-such-call"), PROBLEM],
    ["a call of the API from another site", 403, () => sendEmail(crossSite), GUARDS_PROBLEM],
  ];

  // C15, C16, C29, C35
  it.each(rows)("%s is %i with exactly its headers", async (_, status, request, expected) => {
    const answer = await request();
    expect([answer.status, ours(answer)]).toEqual([status, expected]);
    if (answer.headers["content-type"]?.startsWith("text/html") && answer.body !== "") {
      expect(stoppedByPolicy(answer)).toEqual([]);
    }
    // An unchanged page keeps its stored policy, a cookie is Secure over https only, and a file of the build is no page.
    const isOfBuild = answer.headers["cache-control"]?.includes("immutable");
    if (status === 304 || answer.headers["set-cookie"] || isOfBuild) return;
    const { score, parts } = getScore({ ...answer, headers: { ...answer.headers, ...HSTS } });
    expect(score, JSON.stringify(parts, undefined, 2)).toBeGreaterThanOrEqual(WANTED);
  });

  // C15, C16, C35
  it("a compressed page has the same headers", async () => {
    const answer = await get("/early-access", { "Accept-Encoding": "gzip" });
    expect(ours(answer)).toEqual({ ...PUBLIC_PAGE, "content-encoding": "gzip" });
  });

  // C15, C16, C35
  it("an unexpected error is a 500 with the headers of a page, and of data", async () => {
    await withoutTable(server, "submission_counts", async () => {
      const page = await get("/admin/dashboard", superadmin.headers);
      expect([page.status, ours(page)]).toEqual([500, HIDDEN_PAGE]);
      expect(stoppedByPolicy(page)).toEqual([]);
      const data = await get("/admin/dashboard.data", superadmin.headers);
      expect([data.status, ours(data)]).toEqual([500, { ...DATA, ...NOINDEX }]);
    });
  });
});

const LOADS = chooseSize({ daily: 100, full: 1000 });

// C16
it(`a nonce of 128 bits is never used twice in ${LOADS} loads`, async () => {
  const nonces = new Set<string | undefined>();
  for (let load = 0; load < LOADS; load += 1) {
    const answer = await server.fetch("/login");
    const [nonce, ...others] = noncesIn(answer.headers.get("Content-Security-Policy") ?? "");
    expect(others).toEqual([]);
    expect(await answer.text()).toContain(`nonce="${nonce}"`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(LOADS);
  for (const nonce of nonces) expect(Buffer.from(nonce ?? "", "base64")).toHaveLength(16);
});
