import type { LoaderFunctionArgs } from "@remix-run/node";
import { requestId } from "~/request-context.server";
import { serverBridge } from "../../server/bridge";
import type { Call } from "./call.server";
import { problem } from "./problem.server";

/** Loader and action of an address: its calls, one for each method. A surprise is logged here, once. */
export function routeOf(...calls: readonly Call[]) {
  const allow = calls.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");

  const answer = async ({ request, params }: LoaderFunctionArgs): Promise<Response> => {
    const method = request.method === "HEAD" ? "GET" : request.method;
    const call = calls.find((one) => one.method === method);
    if (!call) return problem("method_not_allowed", { headers: { Allow: allow } });
    try {
      return await call.answer(request, params);
    } catch (err) {
      if (err instanceof Response) return err;
      serverBridge().logger.error({ err, id: requestId() }, "a call of the API failed");
      return problem("internal_error");
    }
  };
  return { loader: answer, action: answer };
}
