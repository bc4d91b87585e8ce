import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import * as router from "@remix-run/router";
import { text } from "node:stream/consumers";
import { renderToString } from "react-dom/server";
import { InlineAssetsContext } from "~/components/inline-assets";
import { NonceContext, RequestIdContext } from "~/components/nonce-context";
import { BusyError } from "~/lib/busy-error";
import { withMatchedRoutes } from "~/http/matched-routes";
import { createInlineAssets } from "~/inline-assets.server";
import { startBackgroundWork } from "~/services/container.server";
import { serverBridge } from "../server/bridge";
import { redactPath } from "../server/observability/path-redaction";
import { compress } from "../server/response/content-encoding";

// Unpatched, it ranks and compiles all routes again for every request.
if (!("UNSAFE_flattenAndRankRoutes" in router))
  throw new Error("Started without the patches of packages: run npx patch-package (npm start does)");

// Called, not only imported: the build could drop an import that has only side effects.
startBackgroundWork();

/**
 * Renders a document; the guard (server/) adds the security headers. Rendered and compressed at once, as a whole:
 * loaders await all data, and streams took a quarter of a page's time.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const { nonce = "", requestId, isForPageCache } = serverBridge().current() ?? {};
  const { serverHandoffStream, ...entryContext } = withMatchedRoutes(context);
  // Vite's development server has no built files.
  const inline = isForPageCache && import.meta.env.PROD ? createInlineAssets(entryContext) : undefined;
  const document = renderToString(
    <NonceContext.Provider value={nonce}>
      <RequestIdContext.Provider value={requestId}>
        <InlineAssetsContext.Provider value={inline}>
          <RemixServer context={entryContext} url={request.url} nonce={nonce} />
        </InlineAssetsContext.Provider>
      </RequestIdContext.Provider>
    </NonceContext.Provider>,
  );
  const data = serverHandoffStream ? await text(serverHandoffStream) : "";
  const page = Buffer.from(`<!DOCTYPE html>${document}${renderHandoff(data, nonce)}`);
  const { encoding, body } = await compress(page, request.headers.get("Accept-Encoding") ?? "");
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Length", String(body.length));
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  return new Response(body, { headers, status });
}

/** Renders the script that hands the loaders' data to the browser, as Remix's own streamed ones do. */
function renderHandoff(data: string, nonce: string): string {
  const literal = JSON.stringify(data).replaceAll("<", "\\u003c");
  return `<script nonce="${nonce}">{const to=window.__remixContext.streamController;to.enqueue(${literal});to.close()}</script>`;
}

/** Logs every unexpected error of a loader, an action or the renderer, once, with its stack and the request's id. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs): void {
  // A wrong method or an unknown route is the client's error, and the request's log line already records it.
  const isClientError = isRouteErrorResponse(error) && error.status < 500;
  // The guard answers a BusyError with 503 and counts it (server/load/place.ts).
  if (request.signal.aborted || isClientError || error instanceof BusyError) return;
  const { logger, current } = serverBridge();
  logger.error(
    {
      id: current()?.requestId,
      method: request.method,
      path: redactPath(new URL(request.url).pathname),
      err: error,
    },
    "request failed",
  );
}
