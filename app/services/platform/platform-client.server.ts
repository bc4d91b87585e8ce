import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import type { z } from "zod";
import { seconds } from "~/lib/durations";
import { oneLine, waitOf } from "~/lib/retry-after";
import { mebibytes } from "~/lib/sizes";
import { UpstreamError } from "~/lib/upstream-error";
import type { Clock } from "~/services/clock";
import { Breaker } from "./breaker";

const SERVICE = "platform";
const TIMEOUT_MS = seconds(10);
/** Maximum size of a response that is no log. */
const USUAL_BYTES = mebibytes(1);

export interface PlatformCall {
  /** Short description of the purpose, for the log. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below PLATFORM_API_URL: "/api/logger". */
  readonly path: string;
  /** Request body, sent as JSON. */
  readonly body?: object;
  /** Maximum size of the response; a longer one is an error. */
  readonly mostBytes?: number;
}

interface Answer {
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
  readonly #breaker: Breaker;
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
    this.#breaker = new Breaker(deps.elapsed ?? (() => performance.now()));
    const options = { keepAlive: true };
    this.#agent = isSecure ? new SecureAgent(options) : new PlainAgent(options);
    this.#request = isSecure ? secureRequest : plainRequest;
  }

  /**
   * Sends a request and returns the parsed response.
   * @throws UpstreamError
   */
  async ask<Reply>(call: PlatformCall, schema: z.ZodType<Reply>): Promise<Reply> {
    const { status, body, lost } = await this.#send(call);
    const failure = { service: SERVICE, operation: call.operation, status, handedOver: true };
    if (lost !== undefined) throw new UpstreamError({ ...failure, detail: lost });
    let reply: unknown;
    try {
      reply = JSON.parse(body.toString("utf8"));
    } catch (cause) {
      throw new UpstreamError({ ...failure, detail: "the reply is no JSON", cause });
    }
    const parsed = schema.safeParse(reply);
    if (parsed.success) return parsed.data;
    const { path = [], message = "" } = parsed.error.issues[0] ?? {};
    const detail = oneLine(`the reply is not as documented: ${path.join(".")} ${message}`);
    throw new UpstreamError({ ...failure, detail });
  }

  /**
   * Sends a request whose status is the result.
   * @returns the response body as one line. @throws UpstreamError
   */
  async tell(call: PlatformCall): Promise<string> {
    const { body } = await this.#send(call);
    return this.#wordsIn(body);
  }

  /** Closes idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  /**
   * Sends a request.
   * @returns a response with a success status.
   */
  async #send(call: PlatformCall): Promise<Answer> {
    const failure = { service: SERVICE, operation: call.operation };
    if (!this.#breaker.admits()) {
      const detail = "not asked: it failed five times in a row and is left alone for 30 seconds";
      throw new UpstreamError({ ...failure, handedOver: false, detail });
    }
    const answer = await this.#exchange(call).catch((lost: { error: Error; handedOver: boolean }) => {
      this.#breaker.failed();
      const { error: cause, handedOver } = lost;
      throw new UpstreamError({ ...failure, handedOver, detail: this.#safe(cause.message), cause });
    });
    const { status, body, retryAfter } = answer;
    if (status >= 500) this.#breaker.failed();
    else this.#breaker.answered();
    if (status >= 200 && status < 300) return answer;
    const retryAfterMs = waitOf(retryAfter, this.#clock());
    const detail = this.#wordsIn(body);
    throw new UpstreamError({ ...failure, status, handedOver: true, detail, retryAfterMs });
  }

  #exchange({ method, path, body, mostBytes = USUAL_BYTES }: PlatformCall): Promise<Answer> {
    return new Promise((settle, reject) => {
      const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const signal = AbortSignal.timeout(this.#timeoutMs);
      const reasonOf = (error: Error) =>
        signal.aborted ? new Error(`no answer within ${this.#timeoutMs / seconds(1)} s`) : error;
      let handedOver = false;
      const headers = {
        Authorization: `Bearer ${this.#token}`,
        Accept: "application/json",
        ...(content && { "Content-Type": "application/json", "Content-Length": content.length }),
      };
      const asking = this.#request(
        this.#base + path,
        { method, headers, agent: this.#agent, signal },
        (answer) => {
          const { statusCode: status = 0, headers } = answer;
          const chunks: Buffer[] = [];
          let bytes = 0;
          const done = (lost: string | undefined) =>
            settle({ status, retryAfter: headers["retry-after"], body: Buffer.concat(chunks), lost });
          answer.on("data", (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes <= mostBytes) return void chunks.push(chunk);
            done(`the reply is longer than ${mostBytes.toLocaleString("en")} bytes`);
            asking.destroy();
          });
          answer.once("end", () => done(undefined));
          // The status is enough for callers that ignore the body.
          answer.once("error", (error) => done(`the reply broke off: ${reasonOf(error).message}`));
        },
      );
      asking.once("finish", () => (handedOver = true));
      asking.once("error", (error) => reject({ error: reasonOf(error), handedOver }));
      asking.end(content);
    });
  }

  #wordsIn(body: Buffer): string {
    return this.#safe(body.subarray(0, 2000).toString("utf8"));
  }

  #safe(words: string): string {
    return oneLine(words.toWellFormed(), [this.#token]);
  }
}
