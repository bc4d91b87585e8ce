import { once } from "node:events";
import { Agent, request as ask } from "node:https";
import type { IncomingMessage } from "node:http";
import { seconds } from "~/lib/durations";
import { mebibytes } from "~/lib/sizes";

/** Timeout of one request with its response; a call of a port may need several. */
const REQUEST_TIMEOUT_MS = seconds(25);
const MAX_RESPONSE_BYTES = mebibytes(5);
/** Shorter than Google's idle timeout, so that an idle connection is nearly always usable. */
const IDLE_MS = seconds(20);
const TOKEN_HOST = "oauth2.googleapis.com";

export interface GoogleTransportOptions {
  /** http://host:port of a proxy for every call to Google (CONNECT). */
  readonly proxy?: string | undefined;
  /** Maximum number of connections per Google host; each carries one request at a time (HTTP/1.1). */
  readonly connections?: number;
  readonly timeoutMs?: number;
  /** Certificates trusted instead of the public ones; for tests. */
  readonly ca?: string;
}

/** Transport of every call to Google, including access tokens, in place of its library's `fetch`. */
export interface GoogleTransport {
  readonly fetch: typeof fetch;
  close(): void;
}

/** A request without a response. */
class LostRequestError extends Error {
  override name = "LostRequest";
  /**
   * Whether the request was written completely, so that Google may act on it. False for requests of an access
   * token, which change nothing.
   */
  readonly handedOver: boolean;

  constructor(message: string, handedOver: boolean) {
    super(message);
    this.handedOver = handedOver;
  }
}

/** The response exceeds 5 MB. */
export class ResponseTooLargeError extends LostRequestError {}

/**
 * Opens a transport with its own `fetch`, because no other reports whether a lost request was handed over.
 * Redirects are not followed (hardening C22), and nothing is retried.
 */
export function openGoogleTransport(options: GoogleTransportOptions = {}): GoogleTransport {
  const { proxy, connections = 10, timeoutMs = REQUEST_TIMEOUT_MS, ca } = options;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    timeout: IDLE_MS,
    // NODE_ENV only satisfies the type. Node does not count connections that a proxy is still opening.
    ...(proxy && { proxyEnv: { NODE_ENV: "production", HTTPS_PROXY: proxy } }),
    ...(ca && { ca }),
  });
  return {
    async fetch(input, { method = "GET", headers, body, signal } = {}) {
      // Sets the content type of the body, as fetch does.
      const wanted = new Request(input, { method, headers, body });
      const content = Buffer.from(await wanted.arrayBuffer());
      const url = new URL(wanted.url);
      const isForToken = url.hostname === TOKEN_HOST;
      const late = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
      const request = ask(url, {
        agent,
        method,
        signal: late,
        headers: { ...Object.fromEntries(wanted.headers), "accept-encoding": "identity" },
      });
      let handedOver = false;
      request.once("finish", () => (handedOver = !isForToken));
      // The error of a lost request is reported where it is awaited.
      request.on("error", () => undefined);
      request.end(content);
      try {
        const [response] = (await once(request, "response")) as [IncomingMessage];
        const answer = toResponse(response, await readBody(response));
        // The library does not validate this response; a captive portal returns 200 too.
        const isJson = answer.headers.get("content-type")?.startsWith("application/json");
        if (isForToken && answer.ok && !isJson) throw new Error("The response did not come from Google");
        return answer;
      } catch (error) {
        request.destroy();
        if (error instanceof ResponseTooLargeError) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        throw new LostRequestError(late.aborted ? "Google took too long" : reason, handedOver);
      }
    },
    close: () => agent.destroy(),
  };
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES)
      throw new ResponseTooLargeError("Google's response is larger than 5 MB", true);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toResponse({ statusCode = 0, statusMessage, headers }: IncomingMessage, content: Buffer): Response {
  const hasNoBody = statusCode === 204 || statusCode === 304;
  const named = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
  return new Response(hasNoBody ? null : new Uint8Array(content), {
    status: statusCode,
    statusText: statusMessage ?? "",
    headers: named,
  });
}
