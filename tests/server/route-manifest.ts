import { globSync, readFileSync } from "node:fs";
import type { ServerProcess } from "../server-process";

interface ManifestRoute {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
  hasLoader: boolean;
  hasAction: boolean;
  module: string;
}

/** Reads the routes of Remix's own manifest of the build. */
export function readManifestRoutes(): Record<string, ManifestRoute> {
  const [file] = globSync("build/client/**/manifest-*.js");
  if (!file) throw new Error("There is no build: run npm run build");
  const source = readFileSync(file, "utf8");
  const manifest = JSON.parse(source.slice(source.indexOf("{"), source.lastIndexOf("}") + 1)) as {
    routes: Record<string, ManifestRoute>;
  };
  return manifest.routes;
}

export function builtRoutes() {
  const routes = readManifestRoutes();
  const getPath = (route: ManifestRoute): string => {
    const parent = route.parentId ? routes[route.parentId] : undefined;
    const own = route.path?.endsWith("?") ? "" : route.path;
    return [parent ? getPath(parent) : "", own].filter(Boolean).join("/");
  };
  return Object.values(routes).map((route) => ({
    id: route.id,
    /** With "x" for each parameter, "/admin/outreach/x", and without optional ones. */
    path: `/${getPath(route)}`.replace(/:[^/]+/g, "x").replace("*", "no-such-page"),
    hasLoader: route.hasLoader,
    hasAction: route.hasAction,
  }));
}

/** Lists the path of every call of the API, with "x" for each parameter. */
export async function apiPaths(server: ServerProcess): Promise<string[]> {
  const { paths: documented } = (await (await server.fetch("/api/openapi.json")).json()) as { paths: object };
  return Object.keys(documented).map((path) => path.replace(/\{\w+\}/g, "x"));
}
