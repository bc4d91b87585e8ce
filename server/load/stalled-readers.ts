import type { Socket } from "node:net";

/** How long a client may take nothing of the response that waits for it. */
const STALLED_MS = 30_000;
const LOOK_EVERY_MS = 5_000;

export type Connection = Pick<Socket, "bytesWritten" | "writableLength" | "destroy">;

/** How many bytes were taken, and since when it is so many. */
type Taken = Map<Connection, { readonly taken: number; readonly since: number }>;

/** Ends connections whose client takes nothing of its response, which would hold its memory for ever (hardening C38). */
export class StalledReaders {
  readonly #connections: () => Iterable<Connection>;
  readonly #now: () => number;
  /** Of connections with something to take. */
  #waiting: Taken = new Map();

  /**
   * @param connections those on which a response is under way.
   * @param now milliseconds, only ever compared.
   */
  constructor(connections: () => Iterable<Connection>, now: () => number) {
    this.#connections = connections;
    this.#now = now;
  }

  /** Looks from now on, without keeping the process alive for it. */
  watch(): this {
    setInterval(this.look, LOOK_EVERY_MS).unref();
    return this;
  }

  readonly look = (): void => {
    const now = this.#now();
    const queued: Taken = new Map();
    for (const connection of this.#connections()) {
      if (connection.writableLength === 0) continue;
      // What was written counts from the first byte, also what still waits in this process.
      const taken = connection.bytesWritten - connection.writableLength;
      const before = this.#waiting.get(connection);
      const since = before?.taken === taken ? before.since : now;
      if (now - since >= STALLED_MS) connection.destroy();
      else queued.set(connection, { taken, since });
    }
    this.#waiting = queued;
  };
}
