import type { LookupAddress } from "node:dns";
import { Agent, request } from "node:https";
import { seconds } from "~/lib/durations";
import { givenLookup, publicLookup } from "~/lib/public-lookup";

/** What the push service answered, or how far the message came without an answer. */
export type PushAnswer =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: string }
  | { readonly handedOver: boolean; readonly detail: string };

export interface PushTransportOptions {
  /** Certificates to trust instead of the public ones; for tests. */
  readonly ca?: string;
  /** Resolves names otherwise than the system does; for tests. */
  readonly resolve?: (name: string) => LookupAddress;
  readonly timeoutMs?: number;
  /** Connections to one push service at most. */
  readonly connections?: number;
}

const TIMEOUT_MS = seconds(10);
const CONNECTIONS = 50;
const KEPT_BODY_BYTES = 1024;

/**
 * Posts to push services and to nothing else (C22): https with certificates checked, no redirect followed, and a name that
 * leads into a private network is not connected to. The address that was checked is the one that is used.
 */
export class PushTransport {
  readonly #agent: Agent;
  readonly #timeoutMs: number;

  constructor({ ca, resolve, timeoutMs = TIMEOUT_MS, connections = CONNECTIONS }: PushTransportOptions = {}) {
    this.#timeoutMs = timeoutMs;
    const own = { lookup: resolve ? givenLookup(resolve) : publicLookup, ...(ca && { ca }) };
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, ...own });
  }

  post(endpoint: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<PushAnswer> {
    return new Promise((settle) => {
      let handedOver = false;
      const signal = AbortSignal.timeout(this.#timeoutMs);
      const lost = (error: Error) => settle({ handedOver, detail: reasonOf(error, signal) });
      const sent = { ...headers, "Content-Length": String(body.length) };
      const asking = request(
        endpoint,
        { method: "POST", headers: sent, agent: this.#agent, signal },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8");
          answer.on("data", (chunk: string) => (text = (text + chunk).slice(0, KEPT_BODY_BYTES)));
          const { statusCode: status = 0, headers } = answer;
          const done = () => settle({ status, retryAfter: headers["retry-after"], body: text });
          // The status is the answer; what breaks off behind it takes nothing back.
          answer.once("end", done).once("error", done);
        },
      );
      asking.once("error", lost);
      asking.once("finish", () => (handedOver = true));
      asking.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

const reasonOf = (error: Error, signal: AbortSignal): string =>
  signal.aborted ? "The push service took too long" : error.message;
