import type { IncomingMessage } from "node:http";

/** Of one network: connections that campaign a body, and the bytes held for them. */
const NETWORK_BODIES = 64;
const NETWORK_BYTES = 4 * 1024 * 1024;
/** Of everybody. */
const BYTES = 64 * 1024 * 1024;

interface Receiving {
  readonly request: IncomingMessage;
  readonly network: string;
  readonly isLimited: boolean;
  readonly chunks: Buffer[];
  bytes: number;
  readonly end: (received: Received) => void;
}

/** "left": the client is gone. "too-many": its network sends too much at once. */
export type Received = { ok: true; body: Buffer } | { ok: false; error: "left" | "too-many" };

/**
 * Receives bodies before the application sees their requests, so that a slow sender takes nobody's place (hardening C38). How
 * much is held meanwhile is bounded: a network's newest body is refused when that network has too many; when everybody together
 * has too many, the oldest body of the network that holds most is given up, which is never that of somebody who just came.
 */
export class BodyReceiver {
  /** For each network, in the order of their arrival. */
  readonly #byNetwork = new Map<string, Set<Receiving>>();
  #bytes = 0;

  /**
   * Resolves when the body is whole. It is put back into the request then, which reads as if nobody had touched it.
   * @param length the Content-Length, which Node's parser does not read beyond.
   * @param sender `isLimited` is false for a peer that may be a proxy for everybody.
   */
  receive(
    request: IncomingMessage,
    length: number,
    sender: { readonly network: string; readonly isLimited: boolean },
  ): Promise<Received> {
    const { network, isLimited } = sender;
    const own = this.#byNetwork.get(network) ?? new Set();
    if (isLimited && own.size >= NETWORK_BODIES) {
      return Promise.resolve({ ok: false, error: "too-many" });
    }
    this.#byNetwork.set(network, own);
    return new Promise((resolve) => {
      const left = () => receiving.end({ ok: false, error: "left" });
      const read = () => this.#read(receiving, length);
      const receiving: Receiving = {
        request,
        network,
        isLimited,
        chunks: [],
        bytes: 0,
        end: (received) => {
          request.off("readable", read).off("close", left).off("error", left);
          own.delete(receiving);
          if (own.size === 0) this.#byNetwork.delete(network);
          this.#bytes -= receiving.bytes;
          resolve(received);
        },
      };
      own.add(receiving);
      request.on("readable", read).on("close", left).on("error", left);
    });
  }

  /** How many bytes of unfinished bodies are held. */
  get bytes(): number {
    return this.#bytes;
  }

  #read(receiving: Receiving, length: number): void {
    const { request, chunks } = receiving;
    let chunk = request.read() as Buffer | null;
    while (chunk !== null) {
      chunks.push(chunk);
      receiving.bytes += chunk.length;
      this.#bytes += chunk.length;
      if (receiving.bytes >= length) {
        const body = Buffer.concat(chunks);
        // In this turn: in the next one the request has ended, and takes nothing back.
        request.unshift(body);
        return receiving.end({ ok: true, body });
      }
      chunk = request.read() as Buffer | null;
    }
    if (receiving.isLimited && this.#bytesOf(receiving.network) > NETWORK_BYTES) {
      return receiving.end({ ok: false, error: "too-many" });
    }
    if (this.#bytes > BYTES) this.#giveUpOldest();
  }

  #bytesOf(network: string): number {
    let bytes = 0;
    for (const receiving of this.#byNetwork.get(network) ?? []) bytes += receiving.bytes;
    return bytes;
  }

  #giveUpOldest(): void {
    const networks = [...this.#byNetwork.keys()];
    const largest = networks.reduce((a, b) => (this.#bytesOf(b) > this.#bytesOf(a) ? b : a));
    const [oldest] = this.#byNetwork.get(largest) ?? [];
    oldest?.end({ ok: false, error: "too-many" });
  }
}
