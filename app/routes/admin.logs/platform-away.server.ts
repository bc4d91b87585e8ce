import { UpstreamError } from "~/lib/upstream-error";
import { requestId } from "~/http/request-context.server";
import { serverBridge } from "../../../server/bridge";

/** What reading the log threw, for the page's ErrorBoundary: 503 with the reason where it is the platform's log. */
export function asAway(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  serverBridge().logger.error({ err: error, id: requestId() }, "the platform's log could not be read");
  const { status, detail } = error;
  return new Response([status, detail].filter(Boolean).join(" "), { status: 503 });
}
