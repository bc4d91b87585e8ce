import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import * as router from "@remix-run/router";
import { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import { InlineAssetsContext } from "~/components/inline-assets";
import { NonceContext, RequestIdContext } from "~/components/nonce-context";
import { withMatchedRoutes } from "~/http/matched-routes";
import { createInlineAssets } from "~/inline-assets.server";
import { startBackgroundWork } from "~/services/container.server";
import { serverBridge } from "../server/bridge";
import { redactPath } from "../server/observability/path-redaction";

// Unpatched, it ranks and compiles all routes again for every request.
if (!("UNSAFE_flattenAndRankRoutes" in router))
  throw new Error("Started without the patches of packages: run npx patch-package (npm start does)");

// Called, not only imported: the build could drop an import that has only side effects.
startBackgroundWork();

const RENDER_TIMEOUT_MS = 5000;
export const streamTimeout = RENDER_TIMEOUT_MS;

/**
 * Renders a document; the guard (server/) adds the security headers. The page is sent whole: loaders await all
 * data, and sending it in pieces took a third of the page's time.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const { nonce = "", requestId, isForPageCache } = serverBridge().current() ?? {};
  const entryContext = withMatchedRoutes(context);
  // Vite's development server has no built files.
  const inline = isForPageCache && import.meta.env.PROD ? createInlineAssets(entryContext) : undefined;
  // Remix adds the loaders' data only to a page with its <Scripts>, which the inline ones replace.
  if (inline) entryContext.renderMeta = { didRenderScripts: true };

  const body = Promise.withResolvers<ReadableStream<Uint8Array>>();
  let hasShell = false;
  const page = renderToPipeableStream(
    <NonceContext.Provider value={nonce}>
      <RequestIdContext.Provider value={requestId}>
        <InlineAssetsContext.Provider value={inline}>
          <RemixServer
            context={entryContext}
            url={request.url}
            abortDelay={RENDER_TIMEOUT_MS}
            nonce={nonce}
          />
        </InlineAssetsContext.Provider>
      </RequestIdContext.Provider>
    </NonceContext.Provider>,
    {
      nonce,
      onShellReady: () => (hasShell = true),
      onShellError: body.reject,
      onAllReady: () => page.pipe(createPageWriter(body.resolve)),
      onError(error: unknown) {
        // Without the shell, the error reaches handleError by itself.
        if (hasShell) logFailure(error, request);
        status = 500;
      },
    },
  );
  const deadline = setTimeout(page.abort, RENDER_TIMEOUT_MS + 1000);
  headers.set("Content-Type", "text/html; charset=utf-8");
  try {
    return new Response(await body.promise, { headers, status });
  } finally {
    clearTimeout(deadline);
  }
}

/**
 * Collects a page into a body of one chunk, a stream because bytes would be copied again. Leaves out the zeros with
 * which React 18 fills a chunk whose rest is too short for a character (facebook/react#24985): UTF-8 has no other use
 * for zero bytes, and no page of ours contains a NUL.
 */
function createPageWriter(done: (body: ReadableStream<Uint8Array>) => void): Writable {
  const chunks: Uint8Array[] = [];
  return new Writable({
    write(chunk: Uint8Array, _encoding, next) {
      chunks.push(chunk.includes(0) ? chunk.filter((byte) => byte !== 0) : chunk);
      next();
    },
    final(next) {
      const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        controller.enqueue(Buffer.concat(chunks));
        controller.close();
      };
      done(new ReadableStream({ start }));
      next();
    },
  });
}

/** Logs every unexpected error of a loader, an action or the renderer, once, with its stack and the request's id. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs): void {
  // A wrong method or an unknown route is the client's error, and the request's log line already records it.
  const isClientError = isRouteErrorResponse(error) && error.status < 500;
  if (!request.signal.aborted && !isClientError) logFailure(error, request);
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
