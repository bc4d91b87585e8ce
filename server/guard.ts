import type { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { RequestContext } from "./bridge.ts";
import { forPrograms, isApi } from "./response/api-response.ts";
import { limitKey } from "../app/lib/network-address.ts";
import { isPrivateAddress } from "../app/lib/private-address.ts";
import { clientAddress } from "./request/client-address.ts";
import { REPORT_PATH, scriptsByNonce } from "./response/content-policy.ts";
import { readViolation } from "./observability/csp-report.ts";
import { type Exchange, type Exchanges, isStream } from "./lifecycle/in-flight-requests.ts";
import type { Health } from "./lifecycle/health.ts";
import { type KeptAnswer, sendKept } from "./cache/cached-response.ts";
import { refuseFields, takesOfStrangers, validateRequest } from "./request/limits.ts";
import { type ConcurrencyLimiter, getPriority, type Leave } from "./load/concurrency-limiter.ts";
import type { Metrics } from "./observability/metrics.ts";
import type { Scrapes } from "./observability/metrics-response.ts";
import { BUSY, hasBody, plain, type PlainAnswer, refuse, send, tooLong } from "./response/plain-response.ts";
import { remember } from "./request/remember.ts";
import type { BodyReceiver } from "./request/body-receiver.ts";
import { type Described, type RequestLog, startRequestLine } from "./observability/request-log.ts";
import { readTarget, type RequestTarget } from "./request/request-target.ts";
import { type HeaderSettings, headersFor, plainAnswerHeaders } from "./response/response-headers.ts";
import { untilWritable } from "./load/until-writable.ts";
import { overrideHeaders } from "./response/write-head.ts";

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
  readonly metrics: Pick<Metrics, "answered" | "shed">;
  readonly scrapes: Pick<Scrapes, "answer">;
  readonly isDraining: () => boolean;
  readonly mayReport: () => boolean;
  readonly limiter: ConcurrencyLimiter;
  readonly bodies: BodyReceiver;
  readonly credentials: Credentials;
  readonly newRequestId: () => string;
  readonly newNonce: () => string;
  /** What the application is told about a request of our own (page-renderer.ts), undefined for a visitor's. */
  readonly ownContext: (socket: Socket) => RequestContext | undefined;
  /** An answer held ready for this request, now or soon; undefined when the application makes it. */
  readonly keptAnswer: (request: IncomingMessage) => KeptAnswer | undefined | Promise<KeptAnswer | undefined>;
}

/** What the application knows of who asks, without doing anything for them. */
export interface Credentials {
  /** Whether a session cookie came along whose signature is good; only the application can tell whether the session is. */
  hasSession(cookies: string | undefined): Promise<boolean>;
  /** Whether an Authorization header holds an API token that works. */
  hasToken(authorization: string | undefined): Promise<boolean>;
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
    const verdict = validateRequest({ requestId, method, url, headers, rawHeaders }, settings.origin);
    const path = "path" in verdict ? verdict.path : "";
    const exchange: Exchange = { response };
    const visit: Visit = { request, response, requestId, clientAddress: address, verdict, path, exchange };
    const end = startRequestLine(visit);
    parts.live.open(socket, exchange, () => {
      const ended = end();
      parts.metrics.answered(path, ended);
      parts.requestLog.write(path, ended, !exchange.isPassedOn);
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
    const { request, verdict, path } = visit;
    if ("status" in verdict) return say(verdict, visit);
    const probed = health.answer(path) ?? parts.scrapes.answer(path, request.headers);
    if (probed instanceof Promise) return probed.then((own) => say(own, visit));
    if (probed) return say(probed, visit);
    return passOn(visit, pass);
  }

  /** @param isWhole whether the body was received, so that the connection can be kept. */
  function say(own: PlainAnswer, visit: Visit, isWhole = false): void {
    const { request, response, path, requestId } = visit;
    const answer = isApi(path) ? forPrograms(own, requestId) : own;
    if (isWhole) send(response, answer, headersOf(answer, visit));
    else refuse(request, response, answer, headersOf(answer, visit));
  }

  /** Hands the request to the application, once its body is here and there is a place for the work (C37, C38). */
  async function passOn(visit: Visit, pass: () => void): Promise<void> {
    const { request, response, path, exchange } = visit;
    const { method = "", headers } = request;
    exchange.abort = new AbortController();
    const { signal } = exchange.abort;
    const network = limitKey(visit.clientAddress);
    const isLimited = settings.trustedProxies > 0 || !isPrivate(visit.clientAddress);

    const hasSession = await parts.credentials.hasSession(headers.cookie);
    let refusal: PlainAnswer | undefined;
    if (hasBody(request)) {
      const body = await receiveBody(visit, hasSession, { network, isLimited });
      if (signal.aborted) return;
      if ("status" in body) return say(body, visit);
      refusal = refuseFields(body, headers["content-type"] ?? "", path);
      if (path === REPORT_PATH) return refusal ? say(refusal, visit, true) : takeReport(body, visit);
    }

    const priority = getPriority(method, path, hasSession);
    const leave = priority && (await parts.limiter.enter({ priority, network, isLimited, signal }));
    if (signal.aborted) return leave?.();
    if (priority && !leave) {
      parts.metrics.shed(priority);
      return say(BUSY, visit, true);
    }
    if (refusal) {
      // In its turn as well: a flood of them would otherwise be answered in one turn of the event loop.
      leave?.();
      return say(refusal, visit, true);
    }
    if (leave) leaveAtEnd(response, leave);
    exchange.isPassedOn = true;
    stripUntrustedHeaders(request);
    const context: RequestContext = {
      requestId: visit.requestId,
      nonce: prepareResponse(visit, leave),
      clientAddress: visit.clientAddress,
      signal,
      untilWritable: () => {
        // An answer of any length waits for its reader most of the time.
        leave?.();
        return untilWritable(response, signal);
      },
    };
    return parts.storage.run(context, pass);
  }

  /** @returns the whole body, or why the request is refused. */
  async function receiveBody(
    { request, response, path }: Visit,
    hasSession: boolean,
    sender: { readonly network: string; readonly isLimited: boolean },
  ): Promise<Buffer | PlainAnswer> {
    const { headers } = request;
    const length = Number(headers["content-length"]);
    const strangers = takesOfStrangers(path);
    if (length > strangers && !hasSession && !(await parts.credentials.hasToken(headers.authorization))) {
      return plain(413, tooLong(strangers));
    }
    if (headers.expect !== undefined) response.writeContinue();
    const received = await parts.bodies.receive(request, length, sender);
    return received.ok ? received.body : BUSY;
  }

  /** Sees to the headers of the application's answer. @returns the nonce of its scripts. */
  function prepareResponse({ request, response, requestId, path, exchange }: Visit, leave?: Leave): string {
    const { method = "" } = request;
    const nonce = parts.newNonce();
    overrideHeaders(response, (status, given) => {
      // A stream has all the time in the world, and works only now and then.
      if (isStream(response)) leave?.();
      if (parts.isDraining()) response.setHeader("Connection", "close");
      // A stream that begins while draining missed the signal to all streams. Not at once: its headers come first.
      if (parts.isDraining() && isStream(response)) setImmediate(() => exchange.abort?.abort());
      const facts = { method, path, status, scripts: scriptsByNonce(nonce), requestId };
      return headersFor({ ...facts, ...given }, settings);
    });
    return nonce;
  }

  /** Name, value, name, value. */
  function headersOf(own: PlainAnswer, { request, path, requestId }: Visit): string[] {
    const { method = "" } = request;
    const headers = plainAnswerHeaders(own, { method, path, requestId }, settings);
    if (parts.isDraining()) headers.push("Connection", "close");
    return headers;
  }

  function takeReport(body: Buffer, visit: Visit): void {
    const violation = parts.mayReport() ? readViolation(body.toString()) : undefined;
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

/** One visitor's requests come in bunches. */
const isPrivate = remember(isPrivateAddress, 1000);

/**
 * Gives a place back when the application has ended its answer or the client has left: what the client still has to take is no
 * work.
 */
function leaveAtEnd(response: ServerResponse, leave: Leave): void {
  const end = response.end.bind(response) as (...chunk: unknown[]) => ServerResponse;
  response.end = (...chunk: unknown[]) => {
    leave();
    return end(...chunk);
  };
  response.once("close", leave);
}

/** Takes away what the application must not go by, now that the guard has judged. */
function stripUntrustedHeaders(request: IncomingMessage): void {
  // Stock Remix rewrites request.url by it (C12).
  delete request.headers["x-forwarded-host"];
  // Ids are ours, or a visitor could make two requests look like one.
  delete request.headers["x-request-id"];
  // Remix compares Origin with Host once more, knows no Sec-Fetch-Site, and answers a difference with a bare 500:
  // a browser that hides its origin (`null`) could then send no form at all.
  delete request.headers.origin;
}
