import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ClientRequest, type IncomingMessage } from "node:http";

const CREATED = "http.client.request.created";
/** Status that firebase-admin retries by itself. */
const RETRIED_STATUS = 503;

/** Progress of a unit of work's only request when the SDK has no response. */
export interface Lost {
  /** Whether the request was written completely, so that the service may act on it. */
  readonly handedOver: boolean;
  /** Status and headers, when at least those arrived. */
  readonly answer: { readonly status: number; readonly retryAfter: string | undefined } | undefined;
  readonly detail: string;
}

/**
 * Limits a unit of work to one request to a host. firebase-admin repeats a request up to four times after a
 * 503, a reset or a timeout, has no option against that, and does not report it: a device could get a message
 * twice, and the queue's own retry delays (hardening R10) would be added to the SDK's. So its requests are
 * observed through Node's diagnostics_channel; the SDK itself is not modified.
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

  /**
   * Runs the work.
   * @returns its result, or how its request was lost: after a 503, a broken connection, or the timeout.
   */
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

  // Published within the async context of the work, before the request is sent.
  readonly #watch = (message: unknown): void => {
    const attempt = this.#storage.getStore();
    const { request } = message as { request?: unknown };
    if (attempt && request instanceof ClientRequest && request.host === this.#host) attempt.take(request);
  };
}

class Attempt {
  readonly #loss = Promise.withResolvers<Lost>();
  readonly lost = this.#loss.promise;
  #isOver = false;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #handedOver = false;

  take(request: ClientRequest): void {
    if (this.#isOver || this.#request) return void request.destroy(new Error("Not tried a second time"));
    this.#request = request;
    request.once("finish", () => (this.#handedOver = true));
    request.once("error", (error) => this.lose(error.message));
    request.once("response", (response) => {
      this.#response = response;
      // The SDK reads the body, so that the connection can be reused; then it waits for a retry, in vain.
      if (response.statusCode === RETRIED_STATUS) this.lose(response.statusMessage ?? "");
    });
  }

  /** Reports the request as lost. Only the first call has an effect. */
  lose(detail: string): void {
    const { statusCode: status = 0, headers } = this.#response ?? {};
    const answer = this.#response && { status, retryAfter: headers?.["retry-after"] };
    this.#loss.resolve({ handedOver: this.#handedOver, answer, detail });
  }

  /** Ends the attempt and destroys a request still in flight. */
  end(): void {
    this.#isOver = true;
    if (this.#response?.statusCode !== RETRIED_STATUS) this.#request?.destroy();
  }
}
