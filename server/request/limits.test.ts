import { describe, expect, test } from "vitest";
import { rejectFields, getAnonymousBodyLimit, getBodyLimit, validateRequest } from "./limits.ts";

const FORM = "application/x-www-form-urlencoded";

function ask(method: string, url: string, headers: Record<string, string> = {}, ownOrigin?: string) {
  const all: Record<string, string> = { host: "desk.example", "sec-fetch-site": "same-origin", ...headers };
  const rawHeaders = Object.entries(all).flat();
  return validateRequest({ requestId: "r1", method, url, headers: all, rawHeaders }, ownOrigin);
}
const getStatus = (...request: Parameters<typeof ask>) => {
  const verdict = ask(...request);
  return "status" in verdict ? verdict.status : "passes";
};

// C31
describe("the limits of a request", () => {
  const body = (length: number, type = FORM) => ({ "content-length": String(length), "content-type": type });
  const json = (length: number) => body(length, "application/json");
  const chunked = (encoding = "chunked") => ({ "transfer-encoding": encoding, "content-type": FORM });
  const upload = body(1, "Multipart/Form-Data; boundary=x");
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, ""]));
  test.each<[string, string | number, Parameters<typeof ask>]>([
    ["a page", "passes", ["GET", "/"]],
    ["the longest address", "passes", ["GET", `/${"a".repeat(2047)}`]],
    // R17
    ["an address one byte longer", 414, ["GET", `/${"a".repeat(2048)}`]],
    ["a long query", 414, ["GET", `/?${"a".repeat(2048)}`]],
    ["a hundred headers", "passes", ["GET", "/", headers(98)]],
    // R16
    ["one header more", 431, ["GET", "/", headers(99)]],
    // C25
    ["a form at the cap", "passes", ["POST", "/", body(65_536)]],
    ["a form above the cap", 413, ["POST", "/", body(65_537)]],
    ["a Content-Length that is no number", 413, ["POST", "/", { ...body(1), "content-length": "x" }]],
    ["an upload", "passes", ["POST", "/admin/suppressions/add", upload]],
    ["a mail provider's one-click unsubscribe", "passes", ["POST", "/unsubscribe/x", upload]],
    ["an upload to another form", 415, ["POST", "/", upload]],
    ["a form for the API", 415, ["POST", "/api/x", body(1)]],
    ["a hundred parameters", "passes", ["GET", `/?${"a&".repeat(99)}`]],
    // C37
    ["one parameter more", 400, ["GET", `/?${"a&".repeat(100)}`]],
    ["a form without a body", "passes", ["POST", "/"]],
    ["an empty body of another type", 415, ["POST", "/", body(0, "multipart/form-data")]],
    ["a GET with a Content-Type", "passes", ["GET", "/", { "content-type": "application/json" }]],
    ["a form with an empty body", "passes", ["POST", "/", { "content-length": "0" }]],
    ["a body without a type", 415, ["POST", "/", { "content-length": "1" }]],
    ["JSON for a page", 415, ["POST", "/login", json(1)]],
    ["JSON for the API", "passes", ["PUT", "/api/x", json(1)]],
    ["an email for the API at its limit", "passes", ["POST", "/api/Email/send-email", json(1_048_576)]],
    ["an email for the API above its limit", 413, ["POST", "/api/Email/send-email", json(1_048_577)]],
    ["the .data URL of a call of the API", 404, ["POST", "/api/x.data"]],
    ["a PUT outside the API", 405, ["PUT", "/apix"]],
    ["a DELETE out of the API by dot segments", 405, ["DELETE", "/api/../login"]],
    // R49
    ["a chunked body", "passes", ["POST", "/", chunked()]],
    ["a chunked body in capitals", "passes", ["POST", "/", chunked("Chunked")]],
    ["a compressed body", 411, ["POST", "/", chunked("gzip, chunked")]],
    ["two lengths of one body", 400, ["POST", "/", { ...chunked(), "content-length": "1" }]],
    ["a chunked body of another type", 415, ["POST", "/", { ...chunked(), "content-type": "text/plain" }]],
    // C51
    ["the data parameter of earlier Remix", 400, ["GET", "/?_data=root"]],
    ["the same percent-encoded", 400, ["GET", "/admin?a=1&%5fd%61ta"]],
    ["a parameter with a similar name", "passes", ["GET", "/?my_data=1&%41=_data"]],
    ["a chunked body on a GET", 400, ["GET", "/", { "transfer-encoding": "chunked" }]],
    ["a body on OPTIONS", 204, ["OPTIONS", "/", {}]],
    ["the whole server's methods", 204, ["OPTIONS", "*"]],
    ["a GET of *", 400, ["GET", "*"]],
    ["a POST to a probe", 405, ["POST", "/healthz"]],
    ["a POST to /metrics", 405, ["POST", "/metrics"]],
    ["a scrape by address", "passes", ["GET", "/metrics", { host: "10.0.0.7:3000" }, "https://desk.example"]],
    ["a report", "passes", ["POST", "/csp-report", body(8192, "application/reports+json")]],
    ["a report above its cap", 413, ["POST", "/csp-report", body(8193, "application/csp-report")]],
    ["the longest text of a campaign", "passes", ["POST", "/admin/dashboard", body(2 ** 18)]],
    ["the same with JavaScript", "passes", ["POST", "/admin/dashboard.data", body(2 ** 18)]],
    ["the longest text of a template", "passes", ["POST", "/admin/templates/new", body(2 ** 18)]],
    ["the longest text of an automatic email", "passes", ["POST", "/admin/automatic/welcome", body(2 ** 18)]],
    ["a text above the cap", 413, ["POST", "/admin/dashboard", body(2 ** 18 + 1)]],
    ["a text for another page", 413, ["POST", "/admin/templates", body(2 ** 18)]],
    ["a list of addresses", "passes", ["POST", "/admin/suppressions/add", body(2 ** 21)]],
    ["the same with JavaScript", "passes", ["POST", "/admin/suppressions/add.data", body(2 ** 21)]],
    ["a list above its cap", 413, ["POST", "/admin/suppressions/add", body(2 ** 21 + 1)]],
    ["a list for another page", 413, ["POST", "/admin/suppressions", body(2 ** 21)]],
    ["a file of people", "passes", ["POST", "/admin/people/import", body(2 ** 23, "multipart/form-data")]],
    ["the same with JavaScript", "passes", ["POST", "/admin/people/import.data", body(2 ** 23)]],
    ["a file of people above its cap", 413, ["POST", "/admin/people/import", body(2 ** 23 + 1)]],
    ["a file of people for another page", 413, ["POST", "/admin/people/import/x", body(2 ** 23)]],
    ["bounces", "passes", ["POST", "/api/bounces", json(2 ** 18)]],
    ["bounces above their cap", 413, ["POST", "/api/bounces", json(2 ** 18 + 1)]],
    ["a form as a report", 415, ["POST", "/csp-report", body(1)]],
    ["another site's form", 403, ["POST", "/", { ...body(1), "sec-fetch-site": "cross-site" }]],
    ["another site's link", "passes", ["GET", "/", { "sec-fetch-site": "cross-site" }]],
    ["another host", 421, ["GET", "/", { host: "evil.example" }, "https://desk.example"]],
    ["a probe by address", "passes", ["GET", "/readyz", { host: "10.0.0.7:3000" }, "https://desk.example"]],
    ["a probe with a malformed name", 400, ["GET", "/readyz", { host: "a b" }, "https://desk.example"]],
    // C12
    ["a second Host", 400, ["GET", "/", { Host: "evil.example" }]],
  ])("%s: %s", (_, expected, request) => expect(getStatus(...request)).toBe(expected));

  test("only a probe may have no Host, as HTTP/1.0 allows", () => {
    const without = { requestId: "r1", method: "GET", headers: {}, rawHeaders: [] };
    expect(validateRequest({ ...without, url: "/healthz" }, "https://desk.example")).toMatchObject({
      path: "/healthz",
    });
    expect(validateRequest({ ...without, url: "/" }, undefined)).toMatchObject({ status: 400 });
  });

  test("a refused method has an Allow header", () => {
    expect(ask("TRACE", "/")).toMatchObject({ allow: "GET, HEAD, POST, OPTIONS" });
    expect(ask("TRACE", "/api/x")).toMatchObject({ allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" });
    expect(ask("OPTIONS", "/healthz")).toMatchObject({ status: 204, allow: "GET, HEAD, OPTIONS" });
  });

  test("a refusal under /api is a problem in JSON, with the same status and headers", () => {
    for (const [path, message] of [
      [
        "/api/x",
        expect.stringMatching(/^\{"type":"\/api\/.+","status":405,"instance":"urn:uuid:r1","code":"method_/),
      ],
      ["/apix", expect.stringMatching(/^This address/)],
    ] as const) {
      expect(ask("TRACE", path)).toMatchObject({ status: 405, allow: expect.any(String), message });
    }
    expect(ask("POST", "/api/x", { "sec-fetch-site": "cross-site" })).toMatchObject({
      status: 403,
      contentType: "application/problem+json",
      message: expect.stringContaining('"cross_origin"'),
    });
    for (const query of ["_data=x", "a&".repeat(100) + "a"]) {
      expect(ask("GET", `/api/x?${query}`)).toMatchObject({
        status: 400,
        message: expect.stringContaining('"bad_request"'),
      });
    }
    expect(ask("OPTIONS", "/api/x")).toMatchObject({ status: 204, message: "" });
  });

  test("every refusal has a plain sentence", () => {
    for (const verdict of [ask("GET", "/%"), ask("TRACE", "/"), ask("POST", "/", body(1e6))]) {
      expect(verdict).toMatchObject({ message: expect.stringMatching(/^[A-Z][^<>{}]+\.$/) });
    }
  });
});

// C37
test("the anonymous body limit is 64 KB, but for a signed bounce report", () => {
  const paths = [
    "/contact",
    "/admin/suppressions/add",
    "/admin/people/import",
    "/api/email/send-email",
    "/api/devices",
    "/api/devices/remove",
    "/api/bounces",
  ];
  expect(paths.map(getAnonymousBodyLimit)).toEqual([65_536, 65_536, 65_536, 65_536, 65_536, 65_536, 262_144]);
  expect(paths.map(getBodyLimit).slice(4)).toEqual([262_144, 262_144, 262_144]);
});

// C37
test.each<[string, number | undefined, string, string, string?]>([
  ["two hundred fields", undefined, FORM, "a&".repeat(199)],
  ["one field more", 413, FORM, "a&".repeat(200)],
  [
    "a form with a file, which counts its parts itself",
    undefined,
    "multipart/form-data; boundary=x",
    "--x".repeat(201),
  ],
  ["two hundred values of JSON", undefined, "application/json", `[${"1,".repeat(198)}1]`],
  ["one value more", 413, "application/json", `[${"1,".repeat(199)}1]`],
  ["a thousand values of bounces", undefined, "application/json", `[${"1,".repeat(1000)}1]`, "/api/bounces"],
  [
    "two thousand values of devices",
    undefined,
    "application/json",
    `[${"1,".repeat(1998)}1]`,
    "/api/devices",
  ],
  ["too many values of devices", 413, "application/json", `[${"1,".repeat(1999)}1]`, "/api/devices/remove"],
  ["too many values of bounces", 413, "application/json", `[${"1,".repeat(20_000)}1]`, "/api/bounces"],
  ["JSON too deep", 413, "application/json", "[".repeat(17)],
])("%s: %s", (_, status, type, body, path = "/x") =>
  expect(rejectFields(Buffer.from(body), type, path)?.status).toBe(status),
);
