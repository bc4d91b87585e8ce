import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ClientRequest, type IncomingMessage } from "node:http";

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
