import { expect, test } from "vitest";
import { getCacheControl, mergeVary } from "./cache-policy.ts";

const asset = { method: "GET", path: "/robots.txt", status: 200, isDocument: false, cacheControl: "" };
const page = { ...asset, path: "/", isDocument: true };
const refused = { ...page, method: "POST", path: "/contact", status: 422 };
const missing = { ...asset, path: "/static/a.js", status: 404 };
const IMMUTABLE = "public, max-age=31536000, immutable";

// C35
test.each([
  ["a page", page, "private, no-cache"],
  ["a page that asks to be public", { ...page, cacheControl: "public, max-age=9" }, "private, no-cache"],
  ["a page that asks for no-store", { ...page, cacheControl: "no-store" }, "no-store"],
  ["the back office", { ...page, path: "/admin" }, "no-store"],
  ["a page of the back office", { ...page, path: "/admin/users" }, "no-store"],
  ["a download of the back office", { ...asset, path: "/admin/a.csv", cacheControl: "public" }, "no-store"],
  ["the login", { ...page, path: "/login" }, "no-store"],
  ["the logout", { ...page, path: "/logout" }, "no-store"],
  ["the page without permission", { ...page, path: "/unauthorized" }, "no-store"],
  ["the API's document", { ...asset, path: "/api/openapi.json", cacheControl: "public" }, "public"],
  ["a response of the API", { ...asset, path: "/api/x", cacheControl: "public, max-age=9" }, "no-store"],
  ["a page with a similar name", { ...page, path: "/login-help" }, "private, no-cache"],
  ["a loader's data", { ...asset, path: "/_root.data", cacheControl: "public" }, "no-store"],
  ["a response to a POST", { ...page, method: "POST" }, "no-store"],
  ["a visitor's form that was refused", refused, "private, no-cache"],
  ["a visitor's form that failed", { ...refused, status: 500 }, "no-store"],
  ["an operator's form that was refused", { ...refused, path: "/admin/users" }, "no-store"],
  ["the data of a refused form", { ...refused, path: "/contact.data", isDocument: false }, "no-store"],
  ["a redirect", { ...asset, status: 301, cacheControl: "public" }, "no-store"],
  ["an error", { ...page, status: 404 }, "no-store"],
  ["an asset", { ...asset, path: "/static/a.js" }, IMMUTABLE],
  ["part of an asset", { ...asset, path: "/static/a.js", status: 206 }, IMMUTABLE],
  ["an unchanged asset", { ...asset, path: "/static/a.js", status: 304 }, IMMUTABLE],
  ["a HEAD of an asset", { ...asset, method: "HEAD", path: "/static/a.js" }, IMMUTABLE],
  ["a missing asset", { ...missing, cacheControl: IMMUTABLE }, "no-store"],
  ["a document under /static", { ...page, path: "/static/../x" }, "private, no-cache"],
  ["a service worker", { ...asset, path: "/push-sw.js", cacheControl: "public, max-age=3600" }, "no-cache"],
  ["another file", { ...asset, cacheControl: "public, max-age=3600" }, "public, max-age=3600"],
  ["a file without Cache-Control", asset, "no-store"],
  ["an unchanged page", { ...asset, path: "/", status: 304 }, "private, no-cache"],
])("Cache-Control of %s", (_, facts, expected) => expect(getCacheControl(facts)).toBe(expected));

test.each([
  ["", "Cookie, Sec-Fetch-Site"],
  ["Accept-Encoding", "Accept-Encoding, Cookie, Sec-Fetch-Site"],
  ["accept-encoding,cookie", "accept-encoding, cookie, Sec-Fetch-Site"],
  ["*", "*"],
])("Vary %j names each header once: %s", (existing, expected) => {
  expect(mergeVary(existing, ["Cookie", "Sec-Fetch-Site"])).toBe(expected);
});
