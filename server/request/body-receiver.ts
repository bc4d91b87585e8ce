import type { IncomingMessage } from "node:http";
import type { Sender } from "../load/concurrency-limiter.ts";

/** The maximum of unfinished bodies of one network. */
const NETWORK_BODIES = 64;
const NETWORK_BYTES = 4 * 1024 * 1024;
/** The maximum of all networks together, in bytes. */
const BYTES = 64 * 1024 * 1024;

interface Receiving extends Sender {
  readonly request: IncomingMessage;
  readonly chunks: Buffer[];
  bytes: number;
  readonly end: (received: Received) => void;
}

/** "left": the client is gone. "too-many": its network sends too much at once. */
export type Received = { ok: true; body: Buffer } | { ok: false; error: "left" | "too-many" };

/**
 * Receives bodies before the application sees their requests, so that a slow sender takes no place (hardening
 * C38). A network with too many loses its newest; beyond the total the network that holds most loses its oldest.
 */
export class BodyReceiver {
  /** Unfinished bodies by network, in the order of their arrival. */
  readonly #byNetwork = new Map<string, Set<Receiving>>();
  #bytes = 0;

  /**
   * Resolves when the body is complete and put back into the request, which then reads as if never consumed.
   * @param length the Content-Length, beyond which Node's parser does not read.
   */
  receive(request: IncomingMessage, length: number, sender: Sender): Promise<Received> {
    const { network, isLimited } = sender;
    const own = this.#byNetwork.get(network) ?? new Set();
    if (isLimited && own.size >= NETWORK_BODIES) return Promise.resolve({ ok: false, error: "too-many" });
    this.#byNetwork.set(network, own);
    return new Promise((resolve) => {
      const left = () => receiving.end({ ok: false, error: "left" });
      const read = () => this.#read(receiving, length);
      const receiving: Receiving = {
        ...sender,
        request,
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

  get bytes(): number {
    return this.#bytes;
  }

  #read(receiving: Receiving, length: number): void {
    const { request, chunks } = receiving;
    let chunk: Buffer | null;
    while ((chunk = request.read() as Buffer | null) !== null) {
      chunks.push(chunk);
      receiving.bytes += chunk.length;
      this.#bytes += chunk.length;
      if (receiving.bytes >= length) {
        const body = Buffer.concat(chunks);
        // Synchronously: in the next turn the request has ended and accepts nothing back.
        request.unshift(body);
        return receiving.end({ ok: true, body });
      }
    }
    if (receiving.isLimited && this.#countBytes(receiving.network) > NETWORK_BYTES) {
      return receiving.end({ ok: false, error: "too-many" });
    }
    if (this.#bytes > BYTES) this.#abortOldest();
  }

  #countBytes(network: string): number {
    let bytes = 0;
    for (const receiving of this.#byNetwork.get(network) ?? []) bytes += receiving.bytes;
    return bytes;
  }

  #abortOldest(): void {
    const networks = [...this.#byNetwork.keys()];
    const largest = networks.reduce((a, b) => (this.#countBytes(b) > this.#countBytes(a) ? b : a));
    const [oldest] = this.#byNetwork.get(largest) ?? [];
    oldest?.end({ ok: false, error: "too-many" });
  }
}
