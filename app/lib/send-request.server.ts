import {
  request as plainRequest,
  type Agent,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http";
import { request as secureRequest } from "node:https";
import { grouped } from "./format-number";

interface HttpRequest {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer | undefined;
  /** Of the URL's protocol. */
  readonly agent: Agent;
  /** Limit of the request with its whole response; `message` explains that it was exceeded. */
  readonly timeout: { readonly ms: number; readonly message: string };
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes: number;
}

/** A response, or a request without one. */
export type HttpReply = HttpResponse | LostRequest;

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Undefined when the body is complete; the reason is like "broke off: ...". */
  readonly lost: { readonly isTooLarge: boolean; readonly reason: string } | undefined;
}

interface LostRequest {
  /** Whether it was written completely, so that the other side may act on it. */
  readonly handedOver: boolean;
  readonly reason: string;
}

/**
 * Sends a request with node:http, which tells whether a request without a response was handed over (undici counts a
 * body as sent before the socket took it). Follows no redirect, and throws for nothing that the other side or the
 * network does. Settles at the time limit whatever events come: a response of 101 has no end (hardening R53).
 */
export function sendRequest(url: URL, wanted: HttpRequest): Promise<HttpReply> {
  const { method, headers, body, agent, timeout, signal, maxBytes } = wanted;
  return new Promise((resolve) => {
    let handedOver = false;
    let isLate = false;
    const getReason = (error: Error) => (isLate || signal?.aborted ? timeout.message : error.message);
    const settle = (reply: HttpReply) => {
      clearTimeout(timer);
      resolve(reply);
    };
    /** The server took the request, and what it did with it is unknown. */
    const settleSwitched = () => settle({ handedOver: true, reason: "the server switched protocols (101)" });
    /** Settles a request that ends before its response is complete. */
    let breakOff = (error: Error) => settle({ handedOver, reason: getReason(error) });
    const send = url.protocol === "https:" ? secureRequest : plainRequest;
    const request = send(url, { method, headers, agent, ...(signal && { signal }) }, (response) => {
      const { statusCode: status = 0, headers } = response;
      // Without an Upgrade header it comes as a response.
      if (status === 101) {
        settleSwitched();
        return void request.destroy();
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      const done = (lost?: HttpResponse["lost"]) =>
        settle({ status, headers, body: Buffer.concat(chunks), lost });
      breakOff = (error) => done({ isTooLarge: false, reason: `broke off: ${getReason(error)}` });
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxBytes) return void chunks.push(chunk);
        done({ isTooLarge: true, reason: `is longer than ${grouped(maxBytes)} bytes` });
        request.destroy();
      });
      response.once("end", () => done());
      response.once("error", (error) => breakOff(error));
    });
    // With an AbortSignal instead, a request costs a third more.
    const timer = setTimeout(() => {
      isLate = true;
      const error = new Error(timeout.message);
      request.destroy(error);
      breakOff(error);
    }, timeout.ms);
    request.on("error", (error) => breakOff(error));
    request.once("upgrade", (_response, socket) => {
      socket.destroy();
      settleSwitched();
    });
    // After every other event; the last way to settle.
    request.once("close", () => breakOff(new Error("the connection was closed")));
    request.once("finish", () => (handedOver = true));
    request.end(body);
  });
}
