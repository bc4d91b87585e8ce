import type { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { RequestContext } from "./bridge.ts";
import { clientAddress } from "./client-address.ts";
import { REPORT_PATH } from "./content-policy.ts";
import { readBody, readViolation } from "./csp-report.ts";
import { type Exchange, type Exchanges, isStream } from "./exchanges.ts";
import type { Health } from "./health.ts";
import { judge } from "./limits.ts";
import { plain, refuse, send } from "./plain-answer.ts";
import { levelFor, startRequestLine } from "./request-log.ts";
import { type HeaderSettings, headersFor, plainAnswerHeaders } from "./response-headers.ts";
import { untilWritable } from "./until-writable.ts";
import { overrideHeaders } from "./write-head.ts";

export interface GuardParts {
  readonly settings: HeaderSettings & {
    readonly origin: string | undefined;
    readonly trustedProxies: number;
  };
  readonly logger: Logger;
  readonly live: Exchanges;
  readonly storage: AsyncLocalStorage<RequestContext>;
  readonly health: Health;
  readonly isDraining: () => boolean;
  readonly mayReport: () => boolean;
  readonly newRequestId: () => string;
  readonly newNonce: () => string;
}

/** Answers a request itself or calls `pass`, which hands it to the application. */
export type Guard = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void;

export function createGuard(parts: GuardParts): Guard {
  const { settings, logger, health } = parts;

  function handle(request: IncomingMessage, response: ServerResponse, requestId: string, pass: () => void) {
    const { method = "", url = "", headers, rawHeaders, socket } = request;
    const forwardedFor = [headers["x-forwarded-for"]].flat().join(",");
    const address = clientAddress(socket.remoteAddress, forwardedFor, settings.trustedProxies);
    const abort = new AbortController();
    const nonce = parts.newNonce();
    const exchange: Exchange = { response, abort };
    const context: RequestContext = {
      ...{ requestId, nonce, clientAddress: address, signal: abort.signal },
      untilWritable: () => untilWritable(response, abort.signal),
    };
    const verdict = judge({ method, url, headers, rawHeaders }, settings.origin);
    const path = "path" in verdict ? verdict.path : "";

    overrideHeaders(response, (status, given) => {
      if (parts.isDraining()) response.setHeader("Connection", "close");
      // A stream that begins while draining missed the signal to all streams. Not at once: its headers come first.
      if (parts.isDraining() && isStream(response)) setImmediate(() => abort.abort());
      return headersFor({ method, path, status, nonce, requestId, ...given }, settings);
    });
    const log = startRequestLine(request, exchange, context);
    parts.live.open(socket, exchange, () => logger[levelFor(path)](log(), "request"));

    if ("status" in verdict) return refuse(request, response, verdict);
    const probed = health.answer(path);
    if (probed instanceof Promise) return probed.then((answer) => send(response, answer));
    if (probed) return send(response, probed);
    if (path === REPORT_PATH && method === "POST") return takeReport(request, response);
    distrust(request);
    return parts.storage.run(context, pass);
  }

  async function takeReport(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const violation = parts.mayReport() ? readViolation(body) : undefined;
    if (violation) logger.warn(violation, "content security policy violated");
    send(response, plain(204, ""));
  }

  /** Fails closed: whatever broke, the visitor gets a 500 with its headers and the application gets nothing. */
  function fail(error: unknown, request: IncomingMessage, response: ServerResponse, requestId: string): void {
    // The visitor left while we read: nobody to answer.
    if (request.destroyed && !request.complete) return void response.destroy();
    logger.error({ err: error, id: requestId }, "a request could not be handled");
    if (response.headersSent) return void response.destroy();
    try {
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      // Set by hand as well: what broke may be what would have set them.
      for (const header of plainAnswerHeaders(500, requestId, settings)) response.setHeader(...header);
      refuse(request, response, plain(500));
    } catch {
      response.destroy();
    }
  }

  return (request, response, pass) => {
    let requestId = "";
    const failClosed = (error: unknown) => fail(error, request, response, requestId);
    try {
      requestId = parts.newRequestId();
      handle(request, response, requestId, pass)?.catch(failClosed);
    } catch (error) {
      failClosed(error);
    }
  };
}

/** Takes away what the application must not go by, now that the guard has judged. */
function distrust(request: IncomingMessage): void {
  // Stock Remix rewrites request.url by it (C12).
  delete request.headers["x-forwarded-host"];
  // Ids are ours, or a visitor could make two requests look like one.
  delete request.headers["x-request-id"];
  // Remix compares Origin with Host once more, knows no Sec-Fetch-Site, and answers a difference with a bare 500:
  // a browser that hides its origin (`null`) could then send no form at all.
  delete request.headers.origin;
}
