import { expect, it } from "vitest";
import { toAdminPath } from "./admin-path";

it.each([
  "/admin",
  "/admin/dashboard?before=abc&x=%C3%A4",
  "/admin/outreach/0190-1",
  "/admin/logs?q=C%3A%5Cdata",
  "/admin/logs?q=50%",
  "/admin/logs?q=C:\\\\data",
])("keeps the admin path %s", (value) => {
  expect(toAdminPath([value])).toBe(value);
});

// C13
it.each([
  "//e.example",
  "///e.example",
  "\\\\e.example",
  "/\\e.example",
  "/\t/e.example",
  "/%09/e.example",
  " //e.example",
  "https:e.example",
  "https://e.example/admin",
  "javascript:alert(1)",
  "/x/..//e.example",
  "/admin/..//e.example",
  "/admin/../login",
  "/admin//e.example",
  "/admin%5C..%5C",
  "/admin/%zz",
  "/administrator",
  "",
])("replaces %j by /admin", (value) => {
  expect(toAdminPath([value])).toBe("/admin");
});

// C13
it("is /admin for a missing or repeated parameter", () => {
  expect(toAdminPath([])).toBe("/admin");
  expect(toAdminPath(["/admin/dashboard", "/admin/outbox"])).toBe("/admin");
});

it("keeps a path as long as a URL may be, and no longer one", () => {
  const longest = "/admin/people?q=".padEnd(2048, "a");
  expect(toAdminPath([longest])).toBe(longest);
  expect(toAdminPath([`${longest}a`])).toBe("/admin");
});
