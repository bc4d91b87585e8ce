import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { within } from "../../app/lib/within.ts";

/** A response of the guard's own, in one plain sentence; a refusal's says what to do. */
export interface PlainResponse {
  readonly status: number;
  readonly message: string;
  /** For 405 and for OPTIONS: the supported methods. */
  readonly allow?: string;
  /** For 303: the path to which the request is redirected. */
  readonly location?: string;
  /** For 503: the delay before the next attempt, in seconds. */
  readonly retryAfterS?: number;
  /** Plain text by default. */
  readonly contentType?: string;
}

const SENTENCES: Readonly<Record<number, string>> = {
  400: "This request is not valid. Check the address for typing mistakes and try again.",
  403: "This came from another site, so nothing was changed. Open the page on this site and send it from there.",
  404: "There is nothing at this address. Start again from the home page.",
  405: "This address does not answer that kind of request. Open it in a browser instead.",
  408: "Your request took too long to arrive. Check your connection and try again.",
  411: "Your request did not say how long its body is. Send it again with a Content-Length header.",
  413: tooLong(64 * 1024),
  414: "This address is too long. Start again from the home page.",
  415: "This page cannot read data of that kind. Fill in the form on the page and send it again.",
  417: "This server does not support the Expect header. Send the request again without it.",
  421: "This server does not answer for that name. Check the address and try again.",
  431: "Your browser sent too many or too long headers. Delete this site's cookies and try again.",
  500: "Something went wrong on our side. Please try again in a moment.",
  503: "This server is receiving more requests than it can answer at once. Wait a few seconds and try again.",
};

/** @param bytes the body limit of this path. */
export function tooLong(bytes: number): string {
  const limit = bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`;
  return `That is more than this page accepts at once: the limit is ${limit}. Shorten it and send it again.`;
}

export const plain = (status: number, message = SENTENCES[status] ?? "", allow?: string): PlainResponse =>
  allow === undefined ? { status, message } : { status, message, allow };

/** For a body with more fields than any form or call has (limits.ts). */
export const TOO_MANY_FIELDS: PlainResponse = plain(
  413,
  "That has more fields than any form here. Go back, reload the page and send it again.",
);

/** For a request that was shed (load/concurrency-limiter.ts). */
export const BUSY: PlainResponse = { ...plain(503), retryAfterS: 5 };

/** Returns whether a body follows the headers (RFC 9112, section 6.3). */
export const hasBody = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;

/** Sends all headers in one list (name, value, name, value): setting each cost more than the rest of a refusal. */
export function send(response: ServerResponse, answer: PlainResponse, headers: string[]): void {
  response.writeHead(answer.status, headers);
  response.end(answer.message);
}

const LINGER_MS = 2000;

/**
 * Sends a refusal without reading the body, and without keeping the connection alive, on which the body follows.
 * The body is discarded for `LINGER_MS`: closing while the client sends would lose the response.
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: PlainResponse,
  headers: string[],
): void {
  if (!hasBody(request)) return send(response, answer, headers);
  response.shouldKeepAlive = false;
  response.writeHead(answer.status, headers);
  response.write(answer.message);
  const end = () => response.end();
  void within(LINGER_MS, finished(request.resume())).then(end, end);
}
