import { expect, it } from "vitest";
import { paths } from "~/paths";
import { seeOther } from "./redirects.server";

it("leads to a path of this site with 303 and the headers given", () => {
  const answer = seeOther("/admin/dashboard?a=b", { "Set-Cookie": "sid=x" });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toBe("/admin/dashboard?a=b");
  expect(answer.headers.get("Set-Cookie")).toBe("sid=x");
});

it.each([
  "//e.example",
  "/\\e.example",
  "/\t/e.example",
  "https://e.example",
  "javascript:alert(1)",
  "",
  "admin",
])("refuses to lead to %j", (path) => {
  expect(() => seeOther(path)).toThrow("a path of this site");
});

it.each([paths.outreachCampaign, paths.broadcast, paths.person, paths.outboxMail])(
  "leads back to the page of any id that stood in an address (R37)",
  (pathOf) => {
    for (const id of ["\\", "\t", "//e.example", "a b", "é"])
      expect(seeOther(pathOf(id)).headers.get("Location")).toBe(pathOf("") + encodeURIComponent(id));
  },
);
