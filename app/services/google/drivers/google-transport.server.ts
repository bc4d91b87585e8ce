import { Agent } from "node:https";
import { seconds } from "~/lib/durations";
import { sendRequest, type HttpResponse } from "~/lib/send-request.server";
import { mebibytes } from "~/lib/sizes";
import { TOKEN_HOST } from "../google-answer";

/** Timeout of one request with its response; a call of a port may need several. */
const REQUEST_TIMEOUT_MS = seconds(25);
const MAX_RESPONSE_BYTES = mebibytes(5);
/** Shorter than Google's idle timeout, so that an idle connection is nearly always usable. */
const IDLE_MS = seconds(20);

interface GoogleTransportOptions {
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
  /** Whether Google may act on it: it was written completely, and does not ask only for an access token. */
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
      const url = new URL(wanted.url);
      const isForToken = url.hostname === TOKEN_HOST;
      const reply = await sendRequest(url, {
        method,
        headers: { ...Object.fromEntries(wanted.headers), "accept-encoding": "identity" },
        body: Buffer.from(await wanted.arrayBuffer()),
        agent,
        timeout: { ms: timeoutMs, message: "Google took too long" },
        signal: signal ?? undefined,
        maxBytes: MAX_RESPONSE_BYTES,
      });
      if ("handedOver" in reply) throw new LostRequestError(reply.reason, reply.handedOver && !isForToken);
      if (reply.lost?.isTooLarge)
        throw new ResponseTooLargeError("Google's response is larger than 5 MB", !isForToken);
      if (reply.lost) throw new LostRequestError(`The response ${reply.lost.reason}`, !isForToken);
      // The library does not validate this response; a captive portal returns 200 too.
      const isJson = reply.headers["content-type"]?.startsWith("application/json");
      if (isForToken && reply.status < 300 && !isJson) {
        throw new LostRequestError("The response did not come from Google", false);
      }
      return toResponse(reply);
    },
    close: () => agent.destroy(),
  };
}

function toResponse({ status, headers, body }: HttpResponse): Response {
  const hasNoBody = status === 204 || status === 304;
  return new Response(hasNoBody ? null : new Uint8Array(body), {
    status,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
  });
}
