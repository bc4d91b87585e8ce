import type { EntryContext } from "@remix-run/node";

/**
 * Leaves only the matched routes in the manifest. For each page, Remix creates, ranks and compiles the manifest's
 * routes again; the browser gets the whole manifest as a file.
 */
export function withMatchedRoutes(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context;
  const ids = new Set(staticHandlerContext.matches.map(({ route }) => route.id));
  const routes = Object.fromEntries(Object.entries(manifest.routes).filter(([id]) => ids.has(id)));
  return { ...context, manifest: { ...manifest, routes } };
}
