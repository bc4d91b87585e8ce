import type { IncomingMessage } from "node:http";
import type { Sender } from "../load/concurrency-limiter.ts";

/** The maximum of unfinished bodies of one network. */
const NETWORK_BODIES = 64;
const NETWORK_BYTES = 4 * 1024 * 1024;
/** How many times as much a site may send, which has many networks (hardening C49). */
const SITE_SHARE = 4;
/** The maximum of all networks together, in bytes. */
const BYTES = 64 * 1024 * 1024;

interface Receiving extends Sender {
  readonly request: IncomingMessage;
  readonly size: BodySize;
  readonly chunks: Buffer[];
  bytes: number;
  readonly end: (received: Received) => void;
}

export interface BodySize {
  /** The Content-Length, beyond which Node's parser does not read; undefined for a chunked body. */
  readonly length: number | undefined;
  /** The maximum of a chunked body, counted as it arrives (hardening R49). */
  readonly limit: number;
}

/**
 * "left": the client is gone. "too-many": its network sends too much at once. "too-long": a chunked body exceeds its
 * limit. "empty": it has no bytes, so that there is nothing to put back and the application would wait for its end.
 */
export type Received =
  { ok: true; body: Buffer } | { ok: false; error: "left" | "too-many" | "too-long" | "empty" };

/**
 * Receives bodies before the application sees their requests, so that a slow sender takes no place (hardening
 * C38). A network with too many loses its newest; beyond the total the site that holds most loses its oldest.
 */
export class BodyReceiver {
  /** Unfinished bodies by site, in the order of their arrival. */
  readonly #bySite = new Map<string, Set<Receiving>>();
  #bytes = 0;

  /** Resolves when the body is complete and put back into the request, which then reads as if never consumed. */
  receive(request: IncomingMessage, size: BodySize, sender: Sender): Promise<Received> {
    // None of the events that end a request is to come.
    if (request.destroyed) return Promise.resolve({ ok: false, error: "left" });
    const { site, network, isLimited } = sender;
    const own = this.#bySite.get(site) ?? new Set();
    if (
      isLimited &&
      (own.size >= SITE_SHARE * NETWORK_BODIES || countBodies(own, network) >= NETWORK_BODIES)
    ) {
      return Promise.resolve({ ok: false, error: "too-many" });
    }
    this.#bySite.set(site, own);
    return new Promise((resolve) => {
      const left = () => receiving.end({ ok: false, error: "left" });
      const ended = () => receiving.end({ ok: false, error: "empty" });
      const read = () => this.#read(receiving);
      const receiving: Receiving = {
        ...sender,
        request,
        size,
        chunks: [],
        bytes: 0,
        end: (received) => {
          request.off("readable", read).off("end", ended).off("close", left).off("error", left);
          own.delete(receiving);
          if (own.size === 0) this.#bySite.delete(site);
          this.#bytes -= receiving.bytes;
          resolve(received);
        },
      };
      own.add(receiving);
      request.on("readable", read).on("end", ended).on("close", left).on("error", left);
    });
  }

  get bytes(): number {
    return this.#bytes;
  }

  #read(receiving: Receiving): void {
    const { request, chunks, size } = receiving;
    let chunk: Buffer | null;
    while ((chunk = request.read() as Buffer | null) !== null) {
      chunks.push(chunk);
      receiving.bytes += chunk.length;
      this.#bytes += chunk.length;
      if (size.length === undefined && receiving.bytes > size.limit) {
        return receiving.end({ ok: false, error: "too-long" });
      }
      if (size.length !== undefined && receiving.bytes >= size.length) return putBack(receiving);
    }
    // A chunked body has ended once its last chunk, which is empty, was parsed.
    if (size.length === undefined && request.complete && receiving.bytes > 0) return putBack(receiving);
    if (receiving.isLimited && this.#isTooMuch(receiving)) {
      return receiving.end({ ok: false, error: "too-many" });
    }
    if (this.#bytes > BYTES) this.#abortOldest();
  }

  #isTooMuch({ site, network, size }: Receiving): boolean {
    const own = this.#bySite.get(site) ?? [];
    // A signed-in operator may send one file that is larger.
    const allowed = Math.max(NETWORK_BYTES, size.limit);
    return (
      countBytes(own) > SITE_SHARE * NETWORK_BYTES ||
      countBytes([...own].filter((each) => each.network === network)) > allowed
    );
  }

  #abortOldest(): void {
    const sites = [...this.#bySite.values()];
    const [oldest] = sites.reduce((a, b) => (countBytes(b) > countBytes(a) ? b : a));
    oldest?.end({ ok: false, error: "too-many" });
  }
}

/** Synchronously: in the next turn the request has ended and accepts nothing back. */
function putBack({ request, chunks, end }: Receiving): void {
  const body = Buffer.concat(chunks);
  request.unshift(body);
  end({ ok: true, body });
}

function countBodies(bodies: Iterable<Receiving>, network: string): number {
  return [...bodies].filter((each) => each.network === network).length;
}

function countBytes(bodies: Iterable<Receiving>): number {
  let bytes = 0;
  for (const receiving of bodies) bytes += receiving.bytes;
  return bytes;
}
