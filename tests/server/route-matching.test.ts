import { createRequire } from "node:module";
import { join } from "node:path";
import type { AgnosticRouteObject, matchRoutes } from "@remix-run/router";
import { expect, it } from "vitest";
import { builtRoutes, readManifestRoutes } from "./route-manifest";

type Router = { matchRoutes: typeof matchRoutes };

// patches/ changes the file that the server requires, and leaves the package's other one.
const require = createRequire(import.meta.url);
const patched = require("@remix-run/router") as Router;
const original = require(join(require.resolve("@remix-run/router"), "../router.js")) as Router;

function toTree(parentId?: string): AgnosticRouteObject[] {
  return Object.values(readManifestRoutes())
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: toTree(id) }));
}

it("routes are flattened, ranked and compiled once", () => {
  let reads = 0;
  const route = {
    get path() {
      reads += 1;
      return "users/:id";
    },
  };
  const routes = [route];
  expect(patched.matchRoutes(routes, "/users/1")).toMatchObject([{ params: { id: "1" } }]);
  expect(reads).toBeGreaterThan(0);
  reads = 0;
  expect(patched.matchRoutes(routes, "/users/2")).toMatchObject([{ params: { id: "2" } }]);
  expect(reads).toBe(0);
});

it("the patched router matches as the original one does", () => {
  const routes = toTree();
  const paths = builtRoutes().flatMap(({ path }) => [path, `${path}/`, `${path}/more`, path.toUpperCase()]);
  const odd = ["", "//", "/%2F", "/admin/outbox/a%2Fb/file", "/contact/x"];
  for (const path of paths.concat(odd))
    expect({ path, matches: patched.matchRoutes(routes, path) }).toEqual({
      path,
      matches: original.matchRoutes(routes, path),
    });
});
