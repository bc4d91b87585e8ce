import type { LoaderFunctionArgs } from "@remix-run/node";
import { matchRoutes } from "@remix-run/router";
import { BUSY_RETRY_SECONDS, BusyError } from "~/lib/busy-error";
import { logError } from "~/http/request-context.server";
import { calls } from "./calls.server";
import { problem, retryAfter } from "./problem.server";

/** A route per path, with its calls by method. */
const routes = [...Map.groupBy(calls, ({ path }) => path)].map(([path, callsOfPath]) => ({
  path: path.replace(/\{(\w+)\}/g, ":$1"),
  byMethod: new Map(callsOfPath.map((call) => [call.method as string, call])),
  allow: callsOfPath.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", "),
}));

/**
 * Answers a request to the API with the call of its path and method. An unknown path is 404 with or without a
 * token: the list of paths is no secret (docs/api.md). Unexpected errors are logged here, once.
 */
export async function dispatch({ request }: LoaderFunctionArgs): Promise<Response> {
  const [match] = matchRoutes(routes, new URL(request.url)) ?? [];
  if (!match) return problem("not_found");
  const { byMethod, allow } = match.route;
  const call = byMethod.get(request.method === "HEAD" ? "GET" : request.method);
  if (!call) return problem("method_not_allowed", { headers: { Allow: allow } });
  try {
    return await call.answer(request, match.params);
  } catch (err) {
    if (err instanceof Response) return err;
    if (err instanceof BusyError) return problem("busy", retryAfter(BUSY_RETRY_SECONDS));
    logError(err, "a call of the API failed");
    return problem("internal_error");
  }
}
