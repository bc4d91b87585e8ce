import { describe, expect, test } from "vitest";
import { judge } from "./limits.ts";

const FORM = "application/x-www-form-urlencoded";

function ask(method: string, url: string, headers: Record<string, string> = {}, ownOrigin?: string) {
  const all: Record<string, string> = { host: "desk.example", "sec-fetch-site": "same-origin", ...headers };
  return judge({ method, url, headers: all, rawHeaders: Object.entries(all).flat() }, ownOrigin);
}
const statusOf = (...request: Parameters<typeof ask>) => {
  const verdict = ask(...request);
  return "status" in verdict ? verdict.status : "passes";
};

describe("what a request may be", () => {
  const body = (length: number, type = FORM) => ({ "content-length": String(length), "content-type": type });
  test.each<[string, string | number, Parameters<typeof ask>]>([
    ["a page", "passes", ["GET", "/"]],
    ["the longest address", "passes", ["GET", `/${"a".repeat(2047)}`]],
    ["an address one byte longer (R17)", 414, ["GET", `/${"a".repeat(2048)}`]],
    ["a long query (R17)", 414, ["GET", `/?${"a".repeat(2048)}`]],
    [
      "a hundred headers",
      "passes",
      ["GET", "/", Object.fromEntries(Array.from({ length: 98 }, (_, i) => [`x${i}`, ""]))],
    ],
    [
      "one header more (R16)",
      431,
      ["GET", "/", Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`x${i}`, ""]))],
    ],
    ["a form at the cap (C25)", "passes", ["POST", "/", body(65_536)]],
    ["a form above the cap", 413, ["POST", "/", body(65_537)]],
    ["a length that is no number", 413, ["POST", "/", { ...body(1), "content-length": "x" }]],
    ["an upload", "passes", ["POST", "/", body(1, "Multipart/Form-Data; boundary=x")]],
    ["a form without a body", "passes", ["POST", "/"]],
    ["a form with an empty body", "passes", ["POST", "/", { "content-length": "0" }]],
    ["a body without a type", 415, ["POST", "/", { "content-length": "1" }]],
    ["JSON for a page", 415, ["POST", "/login", body(1, "application/json")]],
    ["JSON for the API", "passes", ["PUT", "/api/x", body(1, "application/json")]],
    ["a change outside the API", 405, ["PUT", "/apix"]],
    ["a change that climbs out of the API", 405, ["DELETE", "/api/../login"]],
    ["a body in pieces", 411, ["POST", "/", { "transfer-encoding": "chunked", "content-type": FORM }]],
    ["a body on a GET in pieces", 400, ["GET", "/", { "transfer-encoding": "chunked" }]],
    ["a body on OPTIONS", 204, ["OPTIONS", "/", {}]],
    ["the whole server's methods", 204, ["OPTIONS", "*"]],
    ["a star that is no question", 400, ["GET", "*"]],
    ["a change of a health path", 405, ["POST", "/healthz"]],
    ["a report", "passes", ["POST", "/csp-report", body(8192, "application/reports+json")]],
    ["a report above its cap", 413, ["POST", "/csp-report", body(8193, "application/csp-report")]],
    ["a form as a report", 415, ["POST", "/csp-report", body(1)]],
    ["another site's form", 403, ["POST", "/", { ...body(1), "sec-fetch-site": "cross-site" }]],
    ["another site's link", "passes", ["GET", "/", { "sec-fetch-site": "cross-site" }]],
    ["another name than ours", 421, ["GET", "/", { host: "evil.example" }, "https://desk.example"]],
    ["a probe by address", "passes", ["GET", "/readyz", { host: "10.0.0.7:3000" }, "https://desk.example"]],
    ["a probe with a malformed name", 400, ["GET", "/readyz", { host: "a b" }, "https://desk.example"]],
  ])("%s: %s", (_, expected, request) => expect(statusOf(...request)).toBe(expected));

  test("only a health probe may come without a Host, as HTTP/1.0 allows", () => {
    const without = { method: "GET", headers: {}, rawHeaders: [] };
    expect(judge({ ...without, url: "/healthz" }, "https://desk.example")).toMatchObject({
      path: "/healthz",
    });
    expect(judge({ ...without, url: "/" }, undefined)).toMatchObject({ status: 400 });
  });

  test("a refusal of a method says which ones work", () => {
    expect(ask("TRACE", "/")).toMatchObject({ allow: "GET, HEAD, POST, OPTIONS" });
    expect(ask("TRACE", "/api/x")).toMatchObject({ allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" });
    expect(ask("OPTIONS", "/healthz")).toMatchObject({ status: 204, allow: "GET, HEAD, OPTIONS" });
  });

  test("every refusal but the answer to OPTIONS is one plain sentence or two", () => {
    for (const verdict of [ask("GET", "/%"), ask("TRACE", "/"), ask("POST", "/", body(1e6))]) {
      expect(verdict).toMatchObject({ message: expect.stringMatching(/^[A-Z][^<>{}]+\.$/) });
    }
  });
});
