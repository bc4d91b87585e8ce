import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { LookupAddress } from "node:dns";
import { ClientRequest } from "node:http";
import type { IncomingMessage } from "node:http";
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

const CREATED = "http.client.request.created";
/** What firebase-admin would try again by itself. */
const TRIED_AGAIN = 503;

/** How far the only request of a piece of work came when the SDK had no answer to give. */
export interface Lost {
  /** It was written to its end, so whoever took it may act on it. */
  readonly handedOver: boolean;
  /** Its head, when at least that came. */
  readonly answer: { readonly status: number; readonly retryAfter: string | undefined } | undefined;
  readonly detail: string;
}

/**
 * Lets a piece of work make one request to a host, and no second one. firebase-admin repeats a request up to four times after
 * a 503, a reset or a timeout, has no option against that, and says nothing of it: a device could get a message twice, and the
 * ledger's own waits (hardening R10) would come on top of the SDK's. So its requests are watched where Node announces them
 * (diagnostics_channel); nothing of the SDK is changed.
 */
export class SingleRequest {
  readonly #host: string;
  readonly #timeoutMs: number;
  readonly #storage = new AsyncLocalStorage<Attempt>();

  constructor(host: string, timeoutMs: number) {
    this.#host = host;
    this.#timeoutMs = timeoutMs;
    subscribe(CREATED, this.#watch);
  }

  /** @returns what the work came to, or how its request was lost: after a 503, a broken connection, or the timeout. */
  async during<T>(work: () => Promise<T>): Promise<{ done: T } | { lost: Lost }> {
    const attempt = new Attempt();
    const late = setTimeout(() => attempt.lose("Google took too long"), this.#timeoutMs);
    try {
      const done = this.#storage.run(attempt, work).then((done) => ({ done }));
      return await Promise.race([done, attempt.lost.then((lost) => ({ lost }))]);
    } finally {
      clearTimeout(late);
      attempt.end();
    }
  }

  close(): void {
    unsubscribe(CREATED, this.#watch);
  }

  // Announced inside the work that makes the request, before it is sent.
  readonly #watch = (message: unknown): void => {
    const attempt = this.#storage.getStore();
    const { request } = message as { request?: unknown };
    if (attempt && request instanceof ClientRequest && request.host === this.#host) attempt.take(request);
  };
}

class Attempt {
  readonly lost: Promise<Lost>;
  readonly #lose: (lost: Lost) => void;
  #isOver = false;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #handedOver = false;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Lost>();
    this.lost = promise;
    this.#lose = resolve;
  }

  take(request: ClientRequest): void {
    if (this.#isOver || this.#request) return void request.destroy(new Error("Not tried a second time"));
    this.#request = request;
    request.once("finish", () => (this.#handedOver = true));
    request.once("error", (error) => this.lose(error.message));
    request.once("response", (response) => {
      this.#response = response;
      // The SDK reads the rest, so that the connection stays; then it waits, in vain.
      if (response.statusCode === TRIED_AGAIN) this.lose(response.statusMessage ?? "");
    });
  }

  /** Only the first call counts. */
  lose(detail: string): void {
    const { statusCode: status = 0, headers } = this.#response ?? {};
    const answer = this.#response && { status, retryAfter: headers?.["retry-after"] };
    this.#lose({ handedOver: this.#handedOver, answer, detail });
  }

  /** A request that is still under way is of no use to anybody. */
  end(): void {
    this.#isOver = true;
    if (this.#response?.statusCode !== TRIED_AGAIN) this.#request?.destroy();
  }
}
