import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A request being answered. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Tells whoever works on it that nobody waits any more. */
  abort?: AbortController;
  /** Set when the application answers, not the guard. */
  isPassedOn?: boolean;
  /** Set when the guard wrote an answer past the response, straight to the socket. */
  rawStatus?: number;
}

/**
 * Every request in flight, by connection. A pipelined response that never got its turn emits no `close` of its own,
 * so the connection's end counts as well.
 */
export class Exchanges {
  readonly #bySocket = new Map<Socket, Map<Exchange, () => void>>();

  /** @param closed called once, when the answer is out or the visitor is gone. */
  open(socket: Socket, exchange: Exchange, closed: () => void): void {
    const onThisSocket = this.#bySocket.get(socket) ?? this.#watch(socket);
    const close = () => {
      if (!onThisSocket.delete(exchange)) return;
      exchange.abort?.abort();
      closed();
    };
    onThisSocket.set(exchange, close);
    exchange.response.on("close", close);
  }

  on(socket: Socket): readonly Exchange[] {
    return [...(this.#bySocket.get(socket)?.keys() ?? [])];
  }

  /** Connections with at least one of them. */
  connections(): Iterable<Socket> {
    return this.#bySocket.keys();
  }

  /** Long streams never end by themselves: on drain they are told to (R19). All others are left to finish. */
  abortStreams(): void {
    for (const exchanges of this.#bySocket.values()) {
      for (const { response, abort } of exchanges.keys()) if (isStream(response)) abort?.abort();
    }
  }

  /** Counts all as closed, without their answers: time is up. */
  cut(): void {
    for (const exchanges of this.#bySocket.values()) for (const close of [...exchanges.values()]) close();
  }

  #watch(socket: Socket): Map<Exchange, () => void> {
    const exchanges = new Map<Exchange, () => void>();
    this.#bySocket.set(socket, exchanges);
    socket.once("close", () => {
      this.#bySocket.delete(socket);
      for (const close of [...exchanges.values()]) close();
    });
    return exchanges;
  }
}

/** Server-sent events are the only answers of ours without an end. */
export const isStream = (response: ServerResponse): boolean =>
  /^text\/event-stream\b/i.test(String(response.getHeader("content-type") ?? ""));
