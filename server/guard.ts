import type { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { limitKey } from "../app/lib/network-address.ts";
import { isPrivateAddress } from "../app/lib/private-address.ts";
import type { RequestContext } from "./bridge.ts";
import { type CachedResponse, sendCachedResponse } from "./cache/cached-response.ts";
import type { Health } from "./lifecycle/health.ts";
import type { InFlightRequest, InFlightRequests } from "./lifecycle/in-flight-requests.ts";
import { type ConcurrencyLimiter, getPriority, type Leave, type Sender } from "./load/concurrency-limiter.ts";
import { untilWritable } from "./load/until-writable.ts";
import { readViolation } from "./observability/csp-report.ts";
import type { MetricsEndpoint } from "./observability/metrics-response.ts";
import type { Metrics } from "./observability/metrics.ts";
import { measureRequest, type RequestLog } from "./observability/request-log.ts";
import type { BodyReceiver } from "./request/body-receiver.ts";
import { clientAddress } from "./request/client-address.ts";
import { getAnonymousBodyLimit, rejectFields, validateRequest } from "./request/limits.ts";
import { readTarget } from "./request/request-target.ts";
import { toApiProblem } from "./response/api-response.ts";
import { REPORT_PATH, scriptsByNonce } from "./response/content-policy.ts";
import {
  BUSY,
  hasBody,
  plain,
  type PlainResponse,
  refuse,
  send,
  tooLong,
} from "./response/plain-response.ts";
import {
  type HeaderSettings,
  getResponseHeaders,
  getPlainResponseHeaders,
} from "./response/response-headers.ts";
import { overrideHeaders } from "./response/write-head.ts";

export interface GuardDeps {
  readonly settings: HeaderSettings & {
    readonly origin: string | undefined;
    readonly trustedProxies: number;
  };
  readonly logger: Logger;
  readonly requestLog: Pick<RequestLog, "write">;
  readonly inFlightRequests: InFlightRequests;
  readonly storage: AsyncLocalStorage<RequestContext>;
  readonly health: Pick<Health, "answer">;
  readonly metrics: Pick<Metrics, "answered" | "shed">;
  readonly metricsEndpoint: Pick<MetricsEndpoint, "answer">;
  readonly isDraining: () => boolean;
  readonly mayReport: () => boolean;
  readonly limiter: ConcurrencyLimiter;
  readonly bodies: BodyReceiver;
  readonly credentials: Credentials;
  readonly newRequestId: () => string;
  readonly newNonce: () => string;
  /** Returns the request context of a page renderer's request, undefined for a client's. */
  readonly getOwnContext: (socket: Socket) => RequestContext | undefined;
  /** Returns a cached response for this request, synchronously or not; undefined when the application answers. */
  readonly getCachedResponse: (
    request: IncomingMessage,
  ) => CachedResponse | undefined | Promise<CachedResponse | undefined>;
}

/** Credential checks by the application, without side effects. */
export interface Credentials {
  /** Returns whether there is a signed session cookie; only the application can verify the session. */
  hasSession(cookies: string | undefined): Promise<boolean>;
  /** Returns whether an Authorization header contains an active API token. */
  hasToken(authorization: string | undefined): Promise<boolean>;
}

/** Answers a request or calls `pass`, which hands it to the application. */
export type Guard = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void;

export function createGuard(deps: GuardDeps): Guard {
  const { settings, logger, health } = deps;

  function handle(request: IncomingMessage, response: ServerResponse, requestId: string, pass: () => void) {
    const own = deps.getOwnContext(request.socket);
    if (own) return deps.storage.run(own, pass);

    const { method = "", url = "", headers, rawHeaders, socket } = request;
    const connection = deps.inFlightRequests.getConnection(socket);
    const forwardedFor = String(headers["x-forwarded-for"] ?? "");
    const verdict = validateRequest({ requestId, method, url, headers, rawHeaders }, settings.origin);
    const path = "path" in verdict ? verdict.path : "";
    const inFlight: InFlightRequest = {
      request,
      response,
      requestId,
      clientAddress: clientAddress(connection.address, forwardedFor, settings.trustedProxies),
      verdict,
      path,
      startedAt: performance.now(),
      bytesBefore: socket.bytesWritten,
      closed: record,
    };
    deps.inFlightRequests.open(connection, inFlight);

    const cached = path === "" ? undefined : deps.getCachedResponse(request);
    if (!(cached instanceof Promise)) return respondFrom(cached, inFlight, pass);
    // The client may have left while the page was rendered.
    return cached.then((later) => (response.destroyed ? undefined : respondFrom(later, inFlight, pass)));
  }

  /** Counts and logs a request whose response has closed. */
  function record(inFlight: InFlightRequest): void {
    const ended = measureRequest(inFlight);
    deps.metrics.answered(inFlight.path, ended);
    deps.requestLog.write(inFlight, ended);
  }

  function respondFrom(cached: CachedResponse | undefined, inFlight: InFlightRequest, pass: () => void) {
    if (!cached) return answer(inFlight, pass);
    const { request, response, requestId } = inFlight;
    const ownHeaders = ["X-Request-Id", requestId];
    if (deps.isDraining()) ownHeaders.push("Connection", "close");
    return sendCachedResponse(cached, request, response, ownHeaders);
  }

  /** Answers a request that is not cached: the guard its own few paths, the application the rest. */
  async function answer(inFlight: InFlightRequest, pass: () => void): Promise<void> {
    const { request, verdict, path } = inFlight;
    if ("status" in verdict) return respond(verdict, inFlight);
    const probed = health.answer(path) ?? deps.metricsEndpoint.answer(path, request.headers);
    return probed ? respond(await probed, inFlight) : passOn(inFlight, pass);
  }

  /** @param isReceived whether the body was received, so that the connection can be kept. */
  function respond(own: PlainResponse, inFlight: InFlightRequest, isReceived = false): void {
    const { request, response, path, requestId } = inFlight;
    const plainResponse = toApiProblem(own, path, requestId);
    const { method = "" } = request;
    const headers = getPlainResponseHeaders(plainResponse, { method, path, requestId }, settings);
    if (deps.isDraining()) headers.push("Connection", "close");
    if (isReceived) send(response, plainResponse, headers);
    else refuse(request, response, plainResponse, headers);
  }

  /** Hands the request to the application once its body is received and the limiter admits it (C37, C38). */
  async function passOn(inFlight: InFlightRequest, pass: () => void): Promise<void> {
    const { request, response, path } = inFlight;
    const { method = "", headers } = request;
    inFlight.abort = new AbortController();
    const { signal } = inFlight.abort;
    const sender: Sender = {
      network: limitKey(inFlight.clientAddress),
      isLimited: settings.trustedProxies > 0 || !isPrivateAddress(inFlight.clientAddress),
    };
    const hasSession = await deps.credentials.hasSession(headers.cookie);
    let refusal: PlainResponse | undefined;
    if (hasBody(request)) {
      const body = await receiveBody(inFlight, hasSession, sender);
      if (signal.aborted) return;
      if ("status" in body) return respond(body, inFlight);
      refusal = rejectFields(body, headers["content-type"] ?? "", path);
      if (path === REPORT_PATH) return respond(refusal ?? recordViolation(body), inFlight, true);
    }

    const priority = getPriority(method, path, hasSession);
    const leave = priority && (await deps.limiter.enter({ ...sender, priority, signal }));
    if (signal.aborted) return leave?.();
    if (priority && !leave) {
      deps.metrics.shed(priority);
      return respond(BUSY, inFlight, true);
    }
    if (refusal) {
      // Queued as well: a flood of refusals would otherwise be answered in one turn of the event loop.
      leave?.();
      return respond(refusal, inFlight, true);
    }
    if (leave) leaveAtEnd(response, leave);
    inFlight.isPassedOn = true;
    stripUntrustedHeaders(request);
    const context: RequestContext = {
      requestId: inFlight.requestId,
      nonce: prepareResponse(inFlight),
      clientAddress: inFlight.clientAddress,
      untilWritable: () => {
        // A response of unbounded length waits for its client most of the time.
        leave?.();
        return untilWritable(response, signal);
      },
    };
    return deps.storage.run(context, pass);
  }

  /** @returns the complete body, or the reason for the refusal. */
  async function receiveBody(
    { request, response, path }: InFlightRequest,
    hasSession: boolean,
    sender: Sender,
  ): Promise<Buffer | PlainResponse> {
    const { headers } = request;
    const length = Number(headers["content-length"]);
    const limit = getAnonymousBodyLimit(path);
    if (length > limit && !hasSession && !(await deps.credentials.hasToken(headers.authorization))) {
      return plain(413, tooLong(limit));
    }
    if (headers.expect !== undefined) response.writeContinue();
    const received = await deps.bodies.receive(request, length, sender);
    return received.ok ? received.body : BUSY;
  }

  /** Applies our headers to the application's response. @returns the nonce of its scripts. */
  function prepareResponse({ request, response, requestId, path }: InFlightRequest): string {
    const { method = "" } = request;
    const nonce = deps.newNonce();
    overrideHeaders(response, (status, existing) => {
      if (deps.isDraining()) response.setHeader("Connection", "close");
      const facts = { method, path, status, scripts: scriptsByNonce(nonce), requestId };
      return getResponseHeaders({ ...facts, ...existing }, settings);
    });
    return nonce;
  }

  function recordViolation(body: Buffer): PlainResponse {
    const violation = deps.mayReport() ? readViolation(body.toString()) : undefined;
    if (violation) logger.warn(violation, "content security policy violated");
    return plain(204, "");
  }

  /** Fails closed: on any error the client gets a 500 with our headers, and the application gets nothing. */
  function fail(error: unknown, request: IncomingMessage, response: ServerResponse, requestId: string): void {
    // The client disconnected while its body was read: there is nobody to answer.
    if (request.destroyed && !request.complete) return void response.destroy();
    logger.error({ err: error, id: requestId }, "a request could not be handled");
    if (response.headersSent) return void response.destroy();
    try {
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      const path = readTarget(request.url ?? "")?.path ?? "";
      const failure = toApiProblem(plain(500), path, requestId);
      refuse(request, response, failure, getPlainResponseHeaders(failure, { requestId }, settings));
    } catch {
      response.destroy();
    }
  }

  return (request, response, pass) => {
    let requestId = "";
    try {
      requestId = deps.newRequestId();
      handle(request, response, requestId, pass)?.catch((error: unknown) =>
        fail(error, request, response, requestId),
      );
    } catch (error) {
      fail(error, request, response, requestId);
    }
  };
}

/** Releases the place when the response ends or the client leaves: sending buffered data is no work. */
function leaveAtEnd(response: ServerResponse, leave: Leave): void {
  const end = response.end.bind(response) as (...chunk: unknown[]) => ServerResponse;
  response.end = (...chunk: unknown[]) => {
    leave();
    return end(...chunk);
  };
  response.once("close", leave);
}

/** Removes headers that the application must not trust, after the guard has validated them. */
function stripUntrustedHeaders(request: IncomingMessage): void {
  // Stock Remix rewrites request.url by it (C12).
  delete request.headers["x-forwarded-host"];
  // Request ids are ours: otherwise a client could make two requests look like one.
  delete request.headers["x-request-id"];
  // Remix compares Origin with Host again and answers a hidden origin (`null`) with a bare 500.
  delete request.headers.origin;
}
