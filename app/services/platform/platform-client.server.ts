import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import type { z } from "zod";
import { seconds } from "~/lib/durations";
import { toOneLine, parseRetryAfter } from "~/lib/retry-after";
import { mebibytes } from "~/lib/sizes";
import { UpstreamError } from "~/lib/upstream-error";
import type { Clock } from "~/services/clock";
import { CircuitBreaker } from "./circuit-breaker";

const SERVICE = "platform";
const TIMEOUT_MS = seconds(10);
/** Maximum size of a response that is no log. */
const MAX_RESPONSE_BYTES = mebibytes(1);

export interface PlatformCall {
  /** Short description of the purpose, for the log. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below PLATFORM_API_URL: "/api/logger". */
  readonly path: string;
  /** Request body, sent as JSON. */
  readonly body?: object;
  /** Maximum size of the response; a longer one is an error. */
  readonly maxBytes?: number;
}

interface PlatformResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
  /** Reason why the body cannot be used; undefined when it is complete. */
  readonly lost: string | undefined;
}

/**
 * Client of the marketed application's own backend, the specification's {api}: JSON with a bearer token. It
 * uses node:http and not fetch, because only node:http tells whether a request without a response was handed
 * over: then it may have been acted on. No redirect is followed, since the token would be sent along.
 *
 * Every result but success is an UpstreamError, whose detail never contains the token.
 */
export class PlatformClient {
  readonly #base: string;
  readonly #token: string;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #breaker: CircuitBreaker;
  readonly #agent: PlainAgent;
  readonly #request: typeof plainRequest;

  constructor(deps: {
    /** PLATFORM_API_URL. */
    url: string;
    token: string;
    clock: Clock;
    timeoutMs?: number;
    elapsed?: () => number;
  }) {
    const isSecure = deps.url.startsWith("https:");
    this.#base = deps.url.replace(/\/+$/, "");
    this.#token = deps.token;
    this.#clock = deps.clock;
    this.#timeoutMs = deps.timeoutMs ?? TIMEOUT_MS;
    this.#breaker = new CircuitBreaker(deps.elapsed ?? (() => performance.now()));
    const options = { keepAlive: true };
    this.#agent = isSecure ? new SecureAgent(options) : new PlainAgent(options);
    this.#request = isSecure ? secureRequest : plainRequest;
  }

  /**
   * Sends a request and returns the parsed response.
   * @throws UpstreamError
   */
  async request<Reply>(call: PlatformCall, schema: z.ZodType<Reply>): Promise<Reply> {
    const { status, body, lost } = await this.#send(call);
    const failure = { service: SERVICE, operation: call.operation, status, handedOver: true };
    if (lost !== undefined) throw new UpstreamError({ ...failure, detail: lost });
    let reply: unknown;
    try {
      reply = JSON.parse(body.toString("utf8"));
    } catch (cause) {
      throw new UpstreamError({ ...failure, detail: "the reply is not JSON", cause });
    }
    const parsed = schema.safeParse(reply);
    if (parsed.success) return parsed.data;
    const { path = [], message = "" } = parsed.error.issues[0] ?? {};
    const detail = toOneLine(`the reply is not as documented: ${path.join(".")} ${message}`);
    throw new UpstreamError({ ...failure, detail });
  }

  /**
   * Sends a request whose status is the result.
   * @returns the response body as one line. @throws UpstreamError
   */
  async send(call: PlatformCall): Promise<string> {
    const { body } = await this.#send(call);
    return this.#toMessage(body);
  }

  /** Closes idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  /**
   * Sends a request.
   * @returns a response with a success status.
   */
  async #send(call: PlatformCall): Promise<PlatformResponse> {
    const failure = { service: SERVICE, operation: call.operation };
    if (!this.#breaker.allows()) {
      const detail = "not called: it failed five times in a row, so calls pause for 30 seconds";
      throw new UpstreamError({ ...failure, handedOver: false, detail });
    }
    const response = await this.#perform(call).catch((lost: { error: Error; handedOver: boolean }) => {
      this.#breaker.recordFailure();
      const { error: cause, handedOver } = lost;
      throw new UpstreamError({ ...failure, handedOver, detail: this.#toSafeLine(cause.message), cause });
    });
    const { status, body, retryAfter } = response;
    if (status >= 500) this.#breaker.recordFailure();
    else this.#breaker.recordSuccess();
    if (status >= 200 && status < 300) return response;
    const retryAfterMs = parseRetryAfter(retryAfter, this.#clock());
    const detail = this.#toMessage(body);
    throw new UpstreamError({ ...failure, status, handedOver: true, detail, retryAfterMs });
  }

  #perform({ method, path, body, maxBytes = MAX_RESPONSE_BYTES }: PlatformCall): Promise<PlatformResponse> {
    return new Promise((settle, reject) => {
      const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const signal = AbortSignal.timeout(this.#timeoutMs);
      const getReason = (error: Error) =>
        signal.aborted ? new Error(`no answer within ${this.#timeoutMs / seconds(1)} s`) : error;
      let handedOver = false;
      const headers = {
        Authorization: `Bearer ${this.#token}`,
        Accept: "application/json",
        ...(content && { "Content-Type": "application/json", "Content-Length": content.length }),
      };
      const request = this.#request(
        this.#base + path,
        { method, headers, agent: this.#agent, signal },
        (response) => {
          const { statusCode: status = 0, headers } = response;
          const chunks: Buffer[] = [];
          let bytes = 0;
          const done = (lost: string | undefined) =>
            settle({ status, retryAfter: headers["retry-after"], body: Buffer.concat(chunks), lost });
          response.on("data", (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes <= maxBytes) return void chunks.push(chunk);
            done(`the reply is longer than ${maxBytes.toLocaleString("en")} bytes`);
            request.destroy();
          });
          response.once("end", () => done(undefined));
          // The status is enough for callers that ignore the body.
          response.once("error", (error) => done(`the reply broke off: ${getReason(error).message}`));
        },
      );
      request.once("finish", () => (handedOver = true));
      request.once("error", (error) => reject({ error: getReason(error), handedOver }));
      request.end(content);
    });
  }

  #toMessage(body: Buffer): string {
    return this.#toSafeLine(body.subarray(0, 2000).toString("utf8"));
  }

  #toSafeLine(text: string): string {
    return toOneLine(text.toWellFormed(), [this.#token]);
  }
}
