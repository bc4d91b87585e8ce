import type { LoaderFunctionArgs } from "@remix-run/node";
import { logError } from "~/http/request-context.server";
import type { Call } from "./call.server";
import { calls } from "./calls.server";
import { problem } from "./problem.server";

/** A row per path, with its calls by method. Paths with parameters come last: they may match others too. */
const table = [...Map.groupBy(calls, ({ path }) => path)]
  .toSorted(([a], [b]) => Number(a.includes("{")) - Number(b.includes("{")))
  .map(([path, callsOfPath]) => ({
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}/*$`, "i"),
    byMethod: new Map(callsOfPath.map((call) => [call.method as string, call])),
    allow: callsOfPath.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", "),
  }));

/**
 * Answers a request to the API with the call of its path and method. An unknown path is 404 with or without a
 * token: the list of paths is no secret (docs/api.md). Unexpected errors are logged here, once.
 */
export async function dispatch({ request }: LoaderFunctionArgs): Promise<Response> {
  const pathname = decodePath(new URL(request.url).pathname);
  for (const { pattern, byMethod, allow } of table) {
    const match = pattern.exec(pathname);
    if (!match) continue;
    const call = byMethod.get(request.method === "HEAD" ? "GET" : request.method);
    if (!call) return problem("method_not_allowed", { headers: { Allow: allow } });
    const groups = Object.entries(match.groups ?? {});
    const params = Object.fromEntries(groups.map(([name, value]) => [name, value.replaceAll("%2F", "/")]));
    return answer(call, request, params);
  }
  return problem("not_found");
}

async function answer(call: Call, request: Request, params: Record<string, string>): Promise<Response> {
  try {
    return await call.answer(request, params);
  } catch (err) {
    if (err instanceof Response) return err;
    logError(err, "a call of the API failed");
    return problem("internal_error");
  }
}

/** Decodes a path as Remix does for its routes: %2F does not separate segments. */
function decodePath(pathname: string): string {
  try {
    const segments = pathname.split("/").map((segment) => decodeURIComponent(segment));
    return segments.map((segment) => segment.replaceAll("/", "%2F")).join("/");
  } catch {
    return pathname;
  }
}
