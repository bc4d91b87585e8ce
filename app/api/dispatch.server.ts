import type { LoaderFunctionArgs } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { requestId } from "~/http/request-context.server";
import { serverBridge } from "../../server/bridge";
import { calls } from "./calls.server";
import { problem } from "./problem.server";

/** One row for each path, with its calls by method; ranked and matched by Remix's own rules. */
const table = [...Map.groupBy(calls, ({ path }) => path)].map(([path, callsOfPath]) => ({
  path: path.replace(/\{(\w+)\}/g, ":$1"),
  byMethod: new Map(callsOfPath.map((call) => [call.method as string, call])),
  allow: callsOfPath.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", "),
}));

/**
 * Answers a request to the API with the call of its path and method. An unknown path is 404 with or without a token: which
 * there are is no secret (docs/api.md). A surprise is logged here, once.
 */
export async function dispatch({ request }: LoaderFunctionArgs): Promise<Response> {
  const [match] = matchRoutes(table, new URL(request.url).pathname) ?? [];
  if (!match) return problem("not_found");
  const call = match.route.byMethod.get(request.method === "HEAD" ? "GET" : request.method);
  if (!call) return problem("method_not_allowed", { headers: { Allow: match.route.allow } });
  try {
    return await call.answer(request, match.params);
  } catch (err) {
    if (err instanceof Response) return err;
    serverBridge().logger.error({ err, id: requestId() }, "a call of the API failed");
    return problem("internal_error");
  }
}
