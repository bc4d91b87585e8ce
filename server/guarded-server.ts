import { randomUUID } from "node:crypto";
import http, { type RequestListener, type Server, type ServerOptions } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { shortenAddress } from "../app/lib/network-address.ts";
import { answerClientError, type ClientError, createRawResponse } from "./request/client-error.ts";
import type { InFlightRequests } from "./lifecycle/in-flight-requests.ts";
import type { Guard } from "./guard.ts";
import type { HeaderSettings } from "./response/response-headers.ts";

/** R14: a half-open connection ends within headers + check + spread, less than 15 s. */
export const TIMEOUTS = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 1_000,
  /** Over this time those are ended that one check has found: thousands at once would delay others. */
  spreadMs: 3_500,
  keepAliveMs: 65_000,
  /** A client may read nothing of its response for this long. */
  readMs: 30_000,
};
export type Timeouts = Readonly<typeof TIMEOUTS>;

export function serverOptions(timeouts: Timeouts): ServerOptions {
  return {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkEveryMs,
    // Longer than the usual proxy's 60 s, so that a proxy never sends on a connection that is being closed.
    keepAliveTimeout: timeouts.keepAliveMs,
    maxHeaderSize: 16 * 1024,
    // Node would answer a missing Host by itself, without our headers; limits.ts refuses it.
    requireHostHeader: false,
  };
}

export interface ServerDeps {
  readonly guard: Guard;
  readonly inFlightRequests: InFlightRequests;
  readonly logger: Logger;
  readonly settings: HeaderSettings;
  readonly timeouts: Timeouts;
  readonly isDraining: () => boolean;
}

export interface GuardedServer {
  readonly server: Server;
  readonly close: (closed: () => void) => void;
}

/** Puts the guard in front of every server of the process, by http.createServer: remix-serve leaves no other seam. */
export function guardHttpServers(deps: ServerDeps, created: (server: GuardedServer) => void): void {
  const { createServer } = http;
  const guarded = (first?: ServerOptions | RequestListener, second?: RequestListener): Server => {
    const [options, listener] = typeof first === "function" ? [{}, first] : [first ?? {}, second];
    const server = createServer({ ...options, ...serverOptions(deps.timeouts) });
    if (listener) server.on("request", listener);
    created(guardServer(server, deps));
    return server;
  };
  Object.assign(http, { createServer: guarded });
  // `import { createServer } from "node:http"` is a copy of the export: without this call it would stay unguarded.
  syncBuiltinESMExports();
}

function guardServer(
  server: Server,
  { guard, inFlightRequests, logger, settings, timeouts, isDraining }: ServerDeps,
): GuardedServer {
  const emit = server.emit.bind(server);
  const handle: RequestListener = (request, response) =>
    guard(request, response, () => void emit("request", request, response));
  // Wraps `emit` and not one listener: a listener added later cannot bypass it.
  server.emit = (event: string, ...args: unknown[]) => {
    if (event !== "request") return emit(event, ...args);
    const [request, response] = args as Parameters<RequestListener>;
    handle(request, response);
    return true;
  };
  // Node would answer both by itself: `100 Continue` for a body we will refuse, and a 417 without our headers.
  server.on("checkContinue", handle);
  server.on("checkExpectation", (request, response) => guard(request, response, () => response.destroy()));

  const raw = (status: number) => createRawResponse(status, randomUUID(), settings);
  server.on("clientError", (error: ClientError, socket: Socket) => {
    const answer = () => {
      const address = shortenAddress(socket.remoteAddress ?? "");
      const status = answerClientError(error, socket, inFlightRequests, raw);
      if (status !== undefined) logger.debug({ status, address }, "unreadable request");
    };
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") setTimeout(answer, Math.random() * timeouts.spreadMs);
    else answer();
  });
  // CONNECT asks for a tunnel; Node hands over the bare socket, to whose errors nobody listens any more.
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(raw(405), () => socket.destroy());
  });

  const close = server.close.bind(server);
  // remix-serve closes on the same signals as the drain, which still serves during its grace period.
  server.close = (closed) => (isDraining() ? server : close(closed));
  return { server, close };
}
