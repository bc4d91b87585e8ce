import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { readTarget } from "./request-target.ts";
import { FILE_ROUTES, StaticFiles } from "./static-files.ts";

const files = new StaticFiles(["/static/assets/root-1a2B.js", "/favicon.svg"]);
const refuse = (url: string) => {
  const target = readTarget(url);
  return target && files.refuseMissing(target);
};

// C48
test.each([
  ["/static/assets/root-1a2B.js", undefined],
  ["/favicon.svg", undefined],
  ["/static/assets/root-1a2b.js", 404],
  ["/static/assets/of-another-build.js", 404],
  ["/static/x", 404],
  ["/static/", 404],
  ["/static", 404],
  ["/STATIC/x", 404],
  ["/static/assets", 404],
  ["/x.y", 303],
  ["/wp-login.php", 303],
  ["/favicon.SVG", 303],
  ["/robots.txt", undefined],
  ["/Robots.TXT", undefined],
  ["/early-access.data", undefined],
  ["/_root.data", undefined],
  ["/early-access", undefined],
  ["/unsubscribe/x.y", undefined],
  ["/api/x.y", undefined],
])("%s is refused with %s", (url, status) => expect(refuse(url)?.status).toBe(status));

test("an unknown file outside the build leads to the landing page", () =>
  expect(refuse("/x.y")).toMatchObject({ location: "/" }));

test("without a list, as in development, nothing is refused", () =>
  expect(new StaticFiles([]).refuseMissing({ pathname: "/x.y", path: "/x.y" })).toBeUndefined());

test("the routes that look like files are those of the application", () => {
  const routes = globSync("app/routes/[[]*]").map((route) =>
    route.replace(/^app\/routes\/\[(.*)\].*$/, "/$1"),
  );
  expect(routes.toSorted()).toEqual(FILE_ROUTES.toSorted());
});
