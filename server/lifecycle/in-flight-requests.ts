import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RequestTarget } from "../request/request-target.ts";
import type { PlainResponse } from "../response/plain-response.ts";

/** A request that the guard has not finished yet. */
export interface InFlightRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly verdict: RequestTarget | PlainResponse;
  /** RequestTarget.path, "" when the request is refused. */
  readonly path: string;
  /** Aborts when the client is gone or the server drains. */
  abort?: AbortController;
  /** Set when the application answers, not the guard. */
  isPassedOn?: boolean;
  /** Set when the guard wrote a response straight to the socket. */
  rawStatus?: number;
}

/**
 * Tracks in-flight requests by connection. A pipelined response that never got its turn emits no `close` of its
 * own, so the connection's end counts as well.
 */
export class InFlightRequests {
  readonly #bySocket = new Map<Socket, Map<InFlightRequest, () => void>>();

  /** @param closed called once, when the response is out or the client is gone. */
  open(socket: Socket, inFlight: InFlightRequest, closed: () => void): void {
    const onThisSocket = this.#bySocket.get(socket) ?? this.#watch(socket);
    const close = () => {
      if (!onThisSocket.delete(inFlight)) return;
      // An abort costs as much as the rest of a refusal, and nobody works for a response that is out.
      if (!inFlight.response.writableFinished) inFlight.abort?.abort();
      closed();
    };
    onThisSocket.set(inFlight, close);
    inFlight.response.on("close", close);
  }

  on(socket: Socket): readonly InFlightRequest[] {
    return [...(this.#bySocket.get(socket)?.keys() ?? [])];
  }

  /** Connections with at least one in-flight request. */
  connections(): Iterable<Socket> {
    return this.#bySocket.keys();
  }

  /** Aborts streams, which never end by themselves (R19); other requests are left to finish. */
  abortStreams(): void {
    for (const requests of this.#bySocket.values()) {
      for (const { response, abort } of requests.keys()) if (isStream(response)) abort?.abort();
    }
  }

  /** Counts all as closed without their responses, when the time limit is reached. */
  cut(): void {
    for (const requests of this.#bySocket.values()) for (const close of [...requests.values()]) close();
  }

  #watch(socket: Socket): Map<InFlightRequest, () => void> {
    const requests = new Map<InFlightRequest, () => void>();
    this.#bySocket.set(socket, requests);
    socket.once("close", () => {
      this.#bySocket.delete(socket);
      for (const close of [...requests.values()]) close();
    });
    return requests;
  }
}

/** Returns whether the response is a stream of server-sent events, the only responses without an end. */
export const isStream = (response: ServerResponse): boolean =>
  /^text\/event-stream\b/i.test(String(response.getHeader("content-type") ?? ""));
