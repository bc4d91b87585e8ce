import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { plainAddress } from "../../app/lib/network-address.ts";
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
  /** The time of its arrival, by performance.now(). */
  readonly startedAt: number;
  /** The bytes written to its connection before it. */
  readonly bytesBefore: number;
  /** Called once, when the response is out or the client is gone. */
  readonly closed: (inFlight: InFlightRequest) => void;
  /** Aborts when the client is gone, or at the end of the drain. */
  abort?: AbortController;
  /** Set when the application answers, not the guard. */
  isPassedOn?: boolean;
  /** Set when the guard wrote a response straight to the socket. */
  rawStatus?: number;
}

/** A client's connection, as long as it lasts. */
export interface Connection {
  /** The address at its other end, parsed once: "unknown" when the socket is closed already. */
  readonly address: string;
  /** In the order of their arrival: more than one only where a client pipelines them. */
  readonly requests: InFlightRequest[];
}

/**
 * Tracks in-flight requests by connection. A pipelined response that never got its turn emits no `close` of its
 * own, so the connection's end counts as well.
 */
export class InFlightRequests {
  readonly #connections = new Map<Socket, Connection>();

  getConnection(socket: Socket): Connection {
    return this.#connections.get(socket) ?? this.#watch(socket);
  }

  /** Tracks a request until its response is out or the client is gone. */
  open({ requests }: Connection, inFlight: InFlightRequest): void {
    requests.push(inFlight);
    inFlight.response.on("close", () => close(requests, inFlight));
  }

  on(socket: Socket): readonly InFlightRequest[] {
    return [...(this.#connections.get(socket)?.requests ?? [])];
  }

  /** Counts all as closed without their responses, when the time limit is reached. */
  cut(): void {
    for (const { requests } of this.#connections.values()) closeAll(requests);
  }

  #watch(socket: Socket): Connection {
    const { remoteAddress } = socket;
    const address = remoteAddress ? plainAddress(remoteAddress) : "unknown";
    const connection: Connection = { address, requests: [] };
    this.#connections.set(socket, connection);
    socket.once("close", () => {
      this.#connections.delete(socket);
      closeAll(connection.requests);
    });
    return connection;
  }
}

function closeAll(requests: InFlightRequest[]): void {
  for (const inFlight of [...requests]) close(requests, inFlight);
}

function close(requests: InFlightRequest[], inFlight: InFlightRequest): void {
  const index = requests.indexOf(inFlight);
  if (index < 0) return;
  requests.splice(index, 1);
  // An abort costs as much as the rest of a refusal, and nobody works for a response that is out.
  if (!inFlight.response.writableFinished) inFlight.abort?.abort();
  inFlight.closed(inFlight);
}
