import type { Socket } from "node:net";

/** A client may read nothing of a pending response for this long. */
const STALLED_MS = 30_000;
const CHECK_INTERVAL_MS = 5_000;

/** The bytes read by each connection's client, and the time of its last progress. */
type Taken = Map<Socket, { readonly taken: number; readonly since: number }>;

/** Closes connections whose client reads nothing of its response, which would hold its memory forever (C38). */
export class StalledReaders {
  readonly #connections: () => Iterable<Socket>;
  readonly #now: () => number;
  #waiting: Taken = new Map();

  /** @param connections lists those with an in-flight response. @param now milliseconds, only ever compared. */
  constructor(connections: () => Iterable<Socket>, now: () => number) {
    this.#connections = connections;
    this.#now = now;
  }

  /** Starts checking, without keeping the process alive for it. */
  watch(): this {
    setInterval(this.check, CHECK_INTERVAL_MS).unref();
    return this;
  }

  readonly check = (): void => {
    const now = this.#now();
    const queued: Taken = new Map();
    for (const connection of this.#connections()) {
      if (connection.writableLength === 0) continue;
      // bytesWritten counts from the first byte, including data still buffered in this process.
      const taken = connection.bytesWritten - connection.writableLength;
      const before = this.#waiting.get(connection);
      const since = before?.taken === taken ? before.since : now;
      if (now - since >= STALLED_MS) connection.destroy();
      else queued.set(connection, { taken, since });
    }
    this.#waiting = queued;
  };
}
