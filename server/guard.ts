import type { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { RequestContext } from "./bridge.ts";
import { forPrograms, isApi } from "./api-answer.ts";
import { clientAddress } from "./client-address.ts";
import { REPORT_PATH, scriptsByNonce } from "./content-policy.ts";
import { readBody, readViolation } from "./csp-report.ts";
import { type Exchange, type Exchanges, isStream } from "./exchanges.ts";
import type { Health } from "./health.ts";
import { type KeptAnswer, sendKept } from "./kept-answer.ts";
import { carriesSession } from "./landing-request.ts";
import { judge } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import type { Scrapes } from "./metrics-answer.ts";
import { BUSY, plain, type PlainAnswer, refuse, send } from "./plain-answer.ts";
import { type Described, type RequestLog, startRequestLine } from "./request-log.ts";
import { readTarget, type RequestTarget } from "./request-target.ts";
import { type HeaderSettings, headersFor, plainAnswerHeaders } from "./response-headers.ts";
import { type Room, standingOf } from "./room.ts";
import { untilWritable } from "./until-writable.ts";
import { overrideHeaders } from "./write-head.ts";

export interface GuardParts {
  readonly settings: HeaderSettings & {
    readonly origin: string | undefined;
    readonly trustedProxies: number;
  };
  readonly logger: Logger;
  readonly requestLog: Pick<RequestLog, "write">;
  readonly live: Exchanges;
  readonly storage: AsyncLocalStorage<RequestContext>;
  readonly health: Health;
  readonly metrics: Pick<Metrics, "answered" | "sentAway">;
  readonly scrapes: Pick<Scrapes, "answer">;
  readonly isDraining: () => boolean;
  readonly mayReport: () => boolean;
  readonly room: Room;
  readonly newRequestId: () => string;
  readonly newNonce: () => string;
  /** What the application is told about a request of our own (page-renderer.ts), undefined for a visitor's. */
  readonly ownContext: (socket: Socket) => RequestContext | undefined;
  /** An answer held ready for this request, now or soon; undefined when the application makes it. */
  readonly keptAnswer: (request: IncomingMessage) => KeptAnswer | undefined | Promise<KeptAnswer | undefined>;
}

/** A visitor's request on its way through the guard. */
interface Visit extends Described {
  readonly response: ServerResponse;
  readonly verdict: RequestTarget | PlainAnswer;
  /** RequestTarget.path, "" when the request is refused. */
  readonly path: string;
}

/** Answers a request itself or calls `pass`, which hands it to the application. */
export type Guard = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void;

export function createGuard(parts: GuardParts): Guard {
  const { settings, logger, health } = parts;

  function handle(request: IncomingMessage, response: ServerResponse, requestId: string, pass: () => void) {
    const own = parts.ownContext(request.socket);
    if (own) return parts.storage.run(own, pass);

    const { method = "", url = "", headers, rawHeaders, socket } = request;
    const forwardedFor = String(headers["x-forwarded-for"] ?? "");
    const address = clientAddress(socket.remoteAddress, forwardedFor, settings.trustedProxies);
    const verdict = judge({ requestId, method, url, headers, rawHeaders }, settings.origin);
    const path = "path" in verdict ? verdict.path : "";
    const exchange: Exchange = { response };
    const visit: Visit = { request, response, requestId, clientAddress: address, verdict, path, exchange };
    const end = startRequestLine(visit);
    parts.live.open(socket, exchange, () => {
      const ended = end();
      parts.metrics.answered(path, ended);
      // The application can be told that nobody waits any more; the guard has no need of that.
      parts.requestLog.write(path, ended, exchange.abort === undefined);
    });

    const kept = path === "" ? undefined : parts.keptAnswer(request);
    if (!(kept instanceof Promise)) return kept ? give(kept, visit) : answer(visit, pass);
    return kept.then((later) => {
      // The visitor may have left while the page was rendered.
      if (!response.destroyed) return later ? give(later, visit) : answer(visit, pass);
    });
  }

  function give(kept: KeptAnswer, { request, response, requestId }: Visit): void {
    const ownHeaders = ["X-Request-Id", requestId];
    if (parts.isDraining()) ownHeaders.push("Connection", "close");
    sendKept(kept, request, response, ownHeaders);
  }

  /** Makes an answer for this one request: the guard its own few, the application the rest. */
  function answer(visit: Visit, pass: () => void): void | Promise<void> {
    const { request, response, requestId, clientAddress, verdict, path, exchange } = visit;
    const { method = "", headers } = request;
    const say = (own: PlainAnswer) => refuse(request, response, own, headersOf(own, visit));

    if ("status" in verdict) return say(verdict);
    const probed = health.answer(path) ?? parts.scrapes.answer(path, headers);
    if (probed instanceof Promise) return probed.then(say);
    if (probed) return say(probed);
    if (path === REPORT_PATH && method === "POST") return takeReport(visit);

    const standing = standingOf(method, path, carriesSession(headers.cookie, settings.https));
    const leave = standing && parts.room.enter(standing);
    if (standing && !leave) {
      parts.metrics.sentAway(standing);
      return say(isApi(path) ? forPrograms(BUSY, requestId) : BUSY);
    }
    if (leave) response.once("close", leave);

    const nonce = parts.newNonce();
    overrideHeaders(response, (status, given) => {
      // A stream has all the time in the world; what waits in the application are the others.
      if (isStream(response)) leave?.();
      if (parts.isDraining()) response.setHeader("Connection", "close");
      // A stream that begins while draining missed the signal to all streams. Not at once: its headers come first.
      if (parts.isDraining() && isStream(response)) setImmediate(() => exchange.abort?.abort());
      const facts = { method, path, status, scripts: scriptsByNonce(nonce), requestId };
      return headersFor({ ...facts, ...given }, settings);
    });
    distrust(request);
    exchange.abort = new AbortController();
    const { signal } = exchange.abort;
    const context: RequestContext = {
      ...{ requestId, nonce, clientAddress, signal },
      untilWritable: () => untilWritable(response, signal),
    };
    return parts.storage.run(context, pass);
  }

  /** Name, value, name, value. */
  function headersOf(own: PlainAnswer, { request, path, requestId }: Visit): string[] {
    const { method = "" } = request;
    const headers = plainAnswerHeaders(own, { method, path, requestId }, settings);
    if (parts.isDraining()) headers.push("Connection", "close");
    return headers;
  }

  async function takeReport(visit: Visit): Promise<void> {
    const body = await readBody(visit.request);
    const violation = parts.mayReport() ? readViolation(body) : undefined;
    if (violation) logger.warn(violation, "content security policy violated");
    const thanks = plain(204, "");
    send(visit.response, thanks, headersOf(thanks, visit));
  }

  /** Fails closed: whatever broke, the visitor gets a 500 with its headers and the application gets nothing. */
  function fail(error: unknown, request: IncomingMessage, response: ServerResponse, requestId: string): void {
    // The visitor left while we read: nobody to answer.
    if (request.destroyed && !request.complete) return void response.destroy();
    logger.error({ err: error, id: requestId }, "a request could not be handled");
    if (response.headersSent) return void response.destroy();
    try {
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      const isCall = isApi(readTarget(request.url ?? "")?.path ?? "");
      const answer = isCall ? forPrograms(plain(500), requestId) : plain(500);
      refuse(request, response, answer, plainAnswerHeaders(answer, { requestId }, settings));
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
