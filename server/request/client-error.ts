import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { InFlightRequests } from "../lifecycle/in-flight-requests.ts";
import { getAllowedMethods } from "./limits.ts";
import { plain } from "../response/plain-response.ts";
import { type HeaderSettings, getPlainResponseHeaders } from "../response/response-headers.ts";

/** An error of Node's HTTP parser: there is no request, so the answer goes to the socket (R13, R14, R16). */
export interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** The connection stays open this long: closing it while the client sends would lose the response. */
const LINGER_MS = 500;

export function getErrorStatus({ code, rawPacket }: ClientError): number {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return 413;
  // A well-formed request line with an unknown method is not a malformed request (C8).
  const isRequestLine = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/.test(
    rawPacket?.toString("latin1") ?? "",
  );
  return code === "HPE_INVALID_METHOD" && isRequestLine ? 405 : 400;
}

export function createRawResponse(status: number, requestId: string, settings: HeaderSettings): string {
  const answer = plain(status, undefined, status === 405 ? getAllowedMethods("/") : undefined);
  const headers = getPlainResponseHeaders(answer, { requestId }, settings);
  headers.push("Date", new Date().toUTCString(), "Connection", "close");
  const lines = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${answer.message}`;
}

/** Answers a request that could not be parsed. @returns the status that was sent, undefined without one. */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  inFlightRequests: InFlightRequests,
  raw: (status: number) => string,
): number | undefined {
  const pending = inFlightRequests.on(socket);
  // The parser fails again on each later chunk of the input it already refused.
  if (socket.writableEnded) return undefined;
  const cut = () => void socket.destroy();
  if (!socket.writable || error.code === "ECONNRESET") return cut();
  setTimeout(cut, LINGER_MS).unref();
  // A response is under way: a second one would corrupt it.
  if (pending.some(({ response }) => response.headersSent)) return void socket.destroySoon();
  const status = getErrorStatus(error);
  for (const inFlight of pending) inFlight.rawStatus = status;
  if (status === 408) socket.end(raw(status), cut);
  else socket.end(raw(status));
  return status;
}
