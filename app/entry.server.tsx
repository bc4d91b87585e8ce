import { createReadableStreamFromReadable } from "@remix-run/node";
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { NonceContext, RequestIdContext } from "~/nonce-context";
import { pageStream } from "~/page-stream.server";
import { startBackgroundWork } from "~/services/container.server";
import { serverBridge } from "../server/bridge";
import { afterTurns, Burst } from "../server/burst";
import { redactPath } from "../server/path-redaction";

// Called, not only imported: a bare import for its side effects could be dropped from the build.
startBackgroundWork();

/**
 * Pages take turns, so that a burst of them holds up nothing that costs less (R15). A turn of the event loop accepts one new
 * connection (libuv), so between two pages there are as many as it takes to meet those who come meanwhile.
 */
const TURNS_BETWEEN_PAGES = 16;
const renderings = new Burst(1, (run) => afterTurns(TURNS_BETWEEN_PAGES, run));

const RENDER_TIMEOUT_MS = 5000;
export const streamTimeout = RENDER_TIMEOUT_MS;

/** Renders a document. Its security headers are the guard's (server/), on every kind of response. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const { nonce = "", requestId } = serverBridge().current() ?? {};
  // Programs that read pages get the whole page at once; people get it as soon as its shell is ready.
  const readyEvent = isbot(request.headers.get("User-Agent") ?? "") ? "onAllReady" : "onShellReady";

  await new Promise<void>((turn) => renderings.add(turn));
  return new Promise((resolve, reject) => {
    let shellSent = false;
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <RequestIdContext.Provider value={requestId}>
          <RemixServer context={context} url={request.url} abortDelay={RENDER_TIMEOUT_MS} nonce={nonce} />
        </RequestIdContext.Provider>
      </NonceContext.Provider>,
      {
        nonce,
        [readyEvent]() {
          shellSent = true;
          const body = pageStream();
          body.once("close", () => clearTimeout(deadline));
          headers.set("Content-Type", "text/html; charset=utf-8");
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
          pipe(body);
        },
        onShellError: reject,
        onError(error: unknown) {
          // Before the shell is sent the error reaches handleError by itself.
          if (shellSent) logFailure(error, request);
          status = 500;
        },
      },
    );
    const deadline = setTimeout(abort, RENDER_TIMEOUT_MS + 1000);
  });
}

/** Every surprise of a loader, an action or the renderer is logged here, once, with its stack and the request's id. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs): void {
  // A wrong method or an unknown route is the visitor's affair, and the request's own line says it.
  const isVisitors = isRouteErrorResponse(error) && error.status < 500;
  if (!request.signal.aborted && !isVisitors) logFailure(error, request);
}

function logFailure(error: unknown, request: Request): void {
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
