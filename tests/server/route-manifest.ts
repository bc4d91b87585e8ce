import { globSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { ServerProcess } from "../server-process";
import type { Schema } from "../faults/odd-inputs";
import { readText } from "./session";

interface ManifestRoute {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
  hasLoader: boolean;
  hasAction: boolean;
  hasClientAction: boolean;
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

const apiDocument = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        security: z.array(z.record(z.string(), z.array(z.string()))),
        parameters: z
          .array(z.object({ name: z.string(), in: z.enum(["path", "query", "header"]) }))
          .default([]),
        requestBody: z
          .object({
            content: z.object({ "application/json": z.looseObject({ schema: z.custom<Schema>() }) }),
          })
          .optional(),
        responses: z.record(z.string(), z.object({ description: z.string(), content: z.unknown() })),
      }),
    ),
  ),
  "x-problems": z.record(z.string(), z.object({ status: z.int(), title: z.string() })),
});

/** Reads the API's document, as text too; the path of an operation has "x" for each parameter. */
export async function readApiDocument(server: ServerProcess) {
  const text = await readText(server.fetch("/api/openapi.json"));
  const { paths, "x-problems": problems } = apiDocument.parse(JSON.parse(text));
  const operations = Object.entries(paths).flatMap(([documented, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      documented,
      path: documented.replace(/\{\w+\}/g, "x"),
      method: method.toUpperCase(),
      scope: operation.security.flatMap(({ token }) => token ?? [])[0],
    })),
  );
  return { text, operations, problems };
}

export async function apiPaths(server: ServerProcess): Promise<string[]> {
  const { operations } = await readApiDocument(server);
  return [...new Set(operations.map(({ path }) => path))];
}
