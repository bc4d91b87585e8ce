import type { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { getNetwork, getSite } from "../app/lib/network-address.ts";
import { isPrivateAddress } from "../app/lib/private-address.ts";
import type { RequestContext } from "./bridge.ts";
import { type CachedResponse, sendCachedResponse } from "./cache/cached-response.ts";
import type { Health } from "./lifecycle/health.ts";
import type { InFlightRequest, InFlightRequests } from "./lifecycle/in-flight-requests.ts";
import { getPriority, type Sender } from "./load/concurrency-limiter.ts";
import { Place, type PlaceDeps } from "./load/place.ts";
import { untilWritable } from "./load/until-writable.ts";
import { readViolation } from "./observability/csp-report.ts";
import type { MetricsEndpoint } from "./observability/metrics-response.ts";
import type { Metrics } from "./observability/metrics.ts";
import { measureRequest, type RequestLog } from "./observability/request-log.ts";
import type { BodyReceiver } from "./request/body-receiver.ts";
import { clientAddress } from "./request/client-address.ts";
import { getAnonymousBodyLimit, getBodyLimit, rejectFields, validateRequest } from "./request/limits.ts";
import { readTarget } from "./request/request-target.ts";
import type { StaticFiles } from "./request/static-files.ts";
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
  /** A client may read nothing of its response for this long. */
  readonly readMs: number;
  readonly logger: Logger;
  readonly requestLog: Pick<RequestLog, "write">;
  readonly inFlightRequests: InFlightRequests;
  readonly storage: AsyncLocalStorage<RequestContext>;
  readonly health: Pick<Health, "answer">;
  readonly metrics: Pick<Metrics, "answered" | "shed">;
  readonly metricsEndpoint: Pick<MetricsEndpoint, "answer">;
  readonly isDraining: () => boolean;
  readonly mayReport: () => boolean;
  /** The concurrency limiter, and what counts the requests that wait. */
  readonly load: PlaceDeps;
  readonly files: StaticFiles;
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
  /** Returns whether there is a signed cookie of a session that has not ended (docs/decisions/0013). */
  hasSession(cookies: string | undefined): Promise<boolean>;
  /** Returns whether an Authorization header contains an active API token. */
  hasToken(authorization: string | undefined): Promise<boolean>;
}

/** A request whose body, if it has one, was received. */
interface ReceivedRequest {
  readonly sender: Sender;
  readonly hasSession: boolean;
  readonly body?: Buffer;
  /** The reason to refuse its fields. */
  readonly refusal?: PlainResponse | undefined;
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
    // A response that nobody reads would hold its memory forever (C38). One that is not written yet only waits.
    response.setTimeout(deps.readMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });

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
    if (probed) return respond(await probed, inFlight);
    const missing = deps.files.refuseMissing(verdict);
    return missing ? respond(missing, inFlight) : passOn(inFlight, pass);
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
    const received = await receive(inFlight);
    // The client left, or the body was refused while it arrived.
    if (!received) return;
    const { body, refusal } = received;
    if (body && inFlight.path === REPORT_PATH) {
      return respond(refusal ?? recordViolation(body), inFlight, true);
    }

    const place = createPlace(inFlight, received);
    try {
      const isAdmitted = await place.enter();
      if (place.isShed) return respondBusy(inFlight, place);
      if (!isAdmitted || inFlight.abort?.signal.aborted) return;
      // Queued as well: a flood of refusals would otherwise be answered in one turn of the event loop.
      if (refusal) return respond(refusal, inFlight, true);
      place.keepUntilEnd(inFlight.response);
      inFlight.isPassedOn = true;
      stripUntrustedHeaders(inFlight.request);
      deps.storage.run(createContext(inFlight, place), pass);
    } finally {
      place.leaveUnlessKept();
    }
  }

  /** Receives the body. @returns undefined when the request is over: its client left, or it was answered. */
  async function receive(inFlight: InFlightRequest): Promise<ReceivedRequest | undefined> {
    const { request, path } = inFlight;
    inFlight.abort = new AbortController();
    const { signal } = inFlight.abort;
    const sender: Sender = {
      network: getNetwork(inFlight.clientAddress),
      site: getSite(inFlight.clientAddress),
      // Without TRUST_PROXY a private address may be a proxy, behind which everybody is.
      isLimited: settings.trustedProxies > 0 || !isPrivateAddress(inFlight.clientAddress),
    };
    const hasSession = await deps.credentials.hasSession(request.headers.cookie);
    if (!hasBody(request)) return signal.aborted ? undefined : { sender, hasSession };
    const body = await receiveBody(inFlight, hasSession, sender);
    if (signal.aborted) return undefined;
    if ("status" in body) {
      respond(body, inFlight);
      return undefined;
    }
    const refusal = rejectFields(body, request.headers["content-type"] ?? "", path);
    return { sender, hasSession, body, refusal };
  }

  /** @returns the complete body, or the reason for the refusal. */
  async function receiveBody(
    { request, response, path }: InFlightRequest,
    hasSession: boolean,
    sender: Sender,
  ): Promise<Buffer | PlainResponse> {
    const { headers } = request;
    const isChunked = headers["transfer-encoding"] !== undefined;
    // The length of a chunked body is not known before its end.
    const length = isChunked ? undefined : Number(headers["content-length"]);
    const anonymousLimit = getAnonymousBodyLimit(path);
    const mayBeLarger =
      (length ?? getBodyLimit(path)) > anonymousLimit &&
      (hasSession || (await deps.credentials.hasToken(headers.authorization)));
    const limit = mayBeLarger ? getBodyLimit(path) : anonymousLimit;
    if (length !== undefined && length > limit) return plain(413, tooLong(limit));
    if (headers.expect !== undefined) response.writeContinue();
    const received = await deps.bodies.receive(request, { length, limit }, sender);
    if (received.ok) return received.body;
    if (received.error === "empty") return plain(411);
    return received.error === "too-long" ? plain(413, tooLong(limit)) : BUSY;
  }

  function createPlace(inFlight: InFlightRequest, { sender, hasSession }: ReceivedRequest): Place {
    const { request, verdict, path, abort } = inFlight;
    const { method = "" } = request;
    const isRead = method === "GET" || method === "HEAD";
    const isFile = isRead && "pathname" in verdict && deps.files.has(verdict.pathname);
    // express.static answers before the application, which costs next to nothing.
    if (isFile || !abort) return new Place(deps.load, undefined);
    const priority = getPriority(method, path, hasSession);
    return new Place(deps.load, { ...sender, priority, signal: abort.signal });
  }

  function respondBusy(inFlight: InFlightRequest, { priority }: Place): void {
    if (priority) deps.metrics.shed(priority);
    respond(BUSY, inFlight, true);
  }

  function createContext(inFlight: InFlightRequest, place: Place): RequestContext {
    const { requestId, clientAddress, response, abort } = inFlight;
    return {
      requestId,
      nonce: prepareResponse(inFlight, place),
      clientAddress,
      startWait: (dependency) => place.startWait(dependency),
      untilWritable: () => {
        // A response of unbounded length waits for its client most of the time.
        place.leave();
        return untilWritable(response, abort?.signal ?? AbortSignal.abort());
      },
    };
  }

  /** Applies our headers to the application's response. @returns the nonce of its scripts. */
  function prepareResponse({ request, response, requestId, path }: InFlightRequest, place: Place): string {
    const { method = "" } = request;
    const nonce = deps.newNonce();
    overrideHeaders(response, (applicationStatus, existing) => {
      let status = applicationStatus;
      if (place.isShed) {
        if (place.priority) deps.metrics.shed(place.priority);
        // The application sees an error of its own where too many requests wait for a dependency.
        if (status === 500) status = BUSY.status;
        if (status === BUSY.status && !response.hasHeader("Retry-After")) {
          response.setHeader("Retry-After", String(BUSY.retryAfterS));
        }
      }
      if (deps.isDraining()) response.setHeader("Connection", "close");
      const facts = { method, path, status, scripts: scriptsByNonce(nonce), requestId };
      return { status, headers: getResponseHeaders({ ...facts, ...existing }, settings) };
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

/** Removes headers that the application must not trust, after the guard has validated them. */
function stripUntrustedHeaders(request: IncomingMessage): void {
  // Stock Remix rewrites request.url by it (C12).
  delete request.headers["x-forwarded-host"];
  // Request ids are ours: otherwise a client could make two requests look like one.
  delete request.headers["x-request-id"];
  // Remix compares Origin with Host again and answers a hidden origin (`null`) with a bare 500.
  delete request.headers.origin;
}
