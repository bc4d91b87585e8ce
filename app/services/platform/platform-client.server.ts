import { Agent as PlainAgent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import type { z } from "zod";
import { seconds } from "~/lib/durations";
import { toOneLine } from "~/lib/one-line";
import { parseRetryAfter } from "~/lib/retry-after";
import { sendRequest } from "~/lib/send-request.server";
import { mebibytes } from "~/lib/sizes";
import { parseReply, UpstreamError } from "~/lib/upstream-error";
import type { Clock } from "~/services/service-deps";

const SERVICE = "platform";
const TIMEOUT_MS = seconds(10);
/** Maximum size of a response that is no log. */
const MAX_RESPONSE_BYTES = mebibytes(1);

interface PlatformCall {
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

/**
 * Client of the marketed application's own backend, the specification's {api}: JSON with a bearer token. No
 * redirect is followed, since the token would be sent along.
 *
 * Every result but success is an UpstreamError, whose detail never contains the token.
 */
export class PlatformClient {
  readonly #base: string;
  readonly #token: string;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #breaker: ReturnType<typeof createCircuitBreaker>;
  readonly #agent: PlainAgent;

  constructor(deps: {
    /** PLATFORM_API_URL. */
    url: string;
    token: string;
    clock: Clock;
    timeoutMs?: number;
    elapsed?: () => number;
  }) {
    this.#base = deps.url.replace(/\/+$/, "");
    this.#token = deps.token;
    this.#clock = deps.clock;
    this.#timeoutMs = deps.timeoutMs ?? TIMEOUT_MS;
    this.#breaker = createCircuitBreaker(deps.elapsed ?? (() => performance.now()));
    // Each call has a new connection: the platform may just be closing a kept one, and nobody could tell whether
    // it applied a broadcast that was lost there.
    this.#agent = deps.url.startsWith("https:") ? new SecureAgent() : new PlainAgent();
  }

  /**
   * Sends a request and returns the parsed response.
   * @throws UpstreamError
   */
  async request<Reply>(call: PlatformCall, schema: z.ZodType<Reply>): Promise<Reply> {
    const { status, body, lost } = await this.#send(call);
    const answered = { service: SERVICE, operation: call.operation, status, handedOver: true };
    if (lost) throw new UpstreamError({ ...answered, detail: `the reply ${lost.reason}` });
    return parseReply(body.toString(), schema, answered);
  }

  /**
   * Sends a request whose status is the result.
   * @returns the beginning of the response body, as one line. @throws UpstreamError
   */
  async send(call: PlatformCall): Promise<string> {
    const { body } = await this.#send(call);
    return this.#toMessage(body);
  }

  /** @returns a response with a success status, whose body may be incomplete. */
  async #send({ operation, method, path, body: content, maxBytes = MAX_RESPONSE_BYTES }: PlatformCall) {
    const failure = { service: SERVICE, operation };
    if (!this.#breaker.allows()) {
      const detail = "not called: it failed five times in a row, so calls pause for 30 seconds";
      throw new UpstreamError({ ...failure, handedOver: false, detail });
    }
    const reply = await sendRequest(new URL(this.#base + path), {
      method,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        Accept: "application/json",
        ...(content && { "Content-Type": "application/json" }),
      },
      body: content && Buffer.from(JSON.stringify(content)),
      agent: this.#agent,
      timeout: { ms: this.#timeoutMs, message: `no answer within ${this.#timeoutMs / seconds(1)} s` },
      maxBytes,
    });
    if ("handedOver" in reply) {
      this.#breaker.recordFailure();
      const { handedOver, reason } = reply;
      throw new UpstreamError({ ...failure, handedOver, detail: this.#toSafeLine(reason) });
    }
    const { status, headers, body } = reply;
    if (status >= 500) this.#breaker.recordFailure();
    else this.#breaker.recordSuccess();
    if (status >= 200 && status < 300) return reply;
    const retryAfterMs = parseRetryAfter(headers["retry-after"], this.#clock());
    const detail = this.#toMessage(body);
    throw new UpstreamError({ ...failure, status, handedOver: true, detail, retryAfterMs });
  }

  #toMessage(body: Buffer): string {
    return this.#toSafeLine(body.subarray(0, 2000).toString());
  }

  #toSafeLine(text: string): string {
    return toOneLine(text.toWellFormed(), [this.#token]);
  }
}

/** Consecutive failures that open the breaker, and for how long it stays open. */
const MAX_FAILURES = 5;
const OPEN_MS = seconds(30);

/**
 * Circuit breaker for an unavailable system: after five consecutive failures calls fail at once for 30 seconds;
 * then one call is let through, and the others keep failing until it is answered.
 * @param elapsed returns milliseconds of a monotonic clock.
 */
function createCircuitBreaker(elapsed: () => number) {
  let failures = 0;
  let openUntil = 0;
  const open = () => {
    openUntil = elapsed() + OPEN_MS;
  };
  return {
    /** Returns whether a call may be sent now. */
    allows(): boolean {
      if (failures < MAX_FAILURES) return true;
      if (elapsed() < openUntil) return false;
      open();
      return true;
    },

    recordSuccess(): void {
      failures = 0;
    },

    recordFailure(): void {
      failures += 1;
      open();
    },
  };
}
