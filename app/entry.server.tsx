import {
  createReadableStreamFromReadable,
  type ActionFunctionArgs,
  type EntryContext,
  type LoaderFunctionArgs,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { Transform, type TransformCallback } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import { RequestIdContext } from "~/components/failure";
import { NonceContext } from "~/components/nonce-context";
import { getLogger, getRequestContext } from "~/http/request-context.server";
import { BusyError } from "~/lib/busy-error";
import { seconds } from "~/lib/durations";
import { startBackgroundWork } from "~/services/container.server";
import { redactPath } from "../server/observability/path-redaction";

/** Limits in milliseconds: of the loaders' data, and of the rendering, which ends after it so that it can show a failure. */
export const streamTimeout = seconds(5);
const RENDER_TIMEOUT_MS = streamTimeout + seconds(1);

// Called, not only imported: the build could drop an import that has only side effects.
startBackgroundWork();

/** Renders a document; the guard (server/) adds the security headers, and remix-serve compresses it. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const { nonce = "", requestId } = getRequestContext() ?? {};
  return new Promise((resolve, reject) => {
    let isShellSent = false;
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <RequestIdContext.Provider value={requestId}>
          <RemixServer context={context} url={request.url} nonce={nonce} />
        </RequestIdContext.Provider>
      </NonceContext.Provider>,
      {
        nonce,
        onShellReady() {
          isShellSent = true;
          const body = new WholePage();
          headers.set("Content-Type", "text/html; charset=utf-8");
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
          pipe(body);
        },
        onAllReady: () => clearTimeout(timer),
        // Remix renders the error page instead, and calls handleError.
        onShellError: reject,
        onError(error) {
          if (isShellSent) logFailure(request, error);
        },
      },
    );
    const timer = setTimeout(abort, RENDER_TIMEOUT_MS);
  });
}

/**
 * Sends a page in one piece, since nothing of it is deferred: remix-serve would compress each 2 KiB of React's by itself.
 * Removes what React 18 writes where a character does not fit into a chunk: up to three NUL bytes, which a browser shows as
 * U+FFFD in a field's value (https://github.com/facebook/react/pull/26228).
 */
class WholePage extends Transform {
  readonly #chunks: Uint8Array[] = [];

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#chunks.push(chunk.includes(0) ? chunk.filter((byte) => byte !== 0) : chunk);
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.concat(this.#chunks));
  }
}

/** Logs every unexpected error of a loader, an action or the renderer, once, with its stack and the request's id. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs): void {
  // A wrong method or an unknown route is the client's error, and the request's log line already records it.
  const isClientError = isRouteErrorResponse(error) && error.status < 500;
  // The guard answers a BusyError with 503 and counts it (server/load/place.ts).
  if (!isClientError && !(error instanceof BusyError)) logFailure(request, error);
}

function logFailure(request: Request, err: unknown): void {
  if (request.signal.aborted) return;
  const path = redactPath(new URL(request.url).pathname);
  getLogger().error(
    { id: getRequestContext()?.requestId, method: request.method, path, err },
    "request failed",
  );
}
