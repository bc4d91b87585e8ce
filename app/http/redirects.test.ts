import { expect, it } from "vitest";
import { paths } from "~/paths";
import { seeOther } from "./redirects.server";

it("redirects with 303 to a path of this site, with the given headers", () => {
  const answer = seeOther("/admin/dashboard?a=b", { "Set-Cookie": "sid=x" });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toBe("/admin/dashboard?a=b");
  expect(answer.headers.get("Set-Cookie")).toBe("sid=x");
});

it.each(["/admin/logs?q=C:\\data", "/admin/logs?q=\\\\e.example", "/admin#\\e.example"])(
  "redirects to %j, whose backslash is not in the path",
  (path) => {
    expect(seeOther(path).headers.get("Location")).toBe(path);
  },
);

it.each([
  "//e.example",
  "/\\e.example",
  "/\\e.example?q=a",
  "/admin\\..\\\\e.example",
  "/admin?q=a\n",
  "/\t/e.example",
  "https://e.example",
  "javascript:alert(1)",
  "",
  "admin",
])("refuses to redirect to %j", (path) => {
  expect(() => seeOther(path)).toThrow("a path of this site");
});

// R37
it.each([paths.outreachCampaign, paths.broadcast, paths.person, paths.outboxEmail])(
  "redirects to a page whose path has any id",
  (getPath) => {
    for (const id of ["\\", "\t", "//e.example", "a b", "é"])
      expect(seeOther(getPath(id)).headers.get("Location")).toBe(getPath("") + encodeURIComponent(id));
  },
);
