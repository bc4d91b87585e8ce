import type { IncomingMessage } from "node:http";
import { shortenAddress } from "../app/lib/network-address.ts";
import type { Exchange } from "./exchanges.ts";
import { redactPath } from "./path-redaction.ts";
import { remember } from "./remember.ts";

/**
 * The one line per request (C23, C24): what happened, not who the person is. No query, cookie, user agent or body;
 * JSON escapes every control character, so that nothing sent can forge a line.
 */
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Absent when the visitor left before an answer began. */
  readonly status: number | undefined;
  readonly ms: number;
  readonly bytes: number;
  readonly address: string;
  /** The connection ended before the answer did. */
  readonly aborted: boolean;
}

/** One visitor's requests come in bunches. */
const shorten = remember(shortenAddress, 1000);

/** What a request's line is made of. */
export interface Described {
  readonly request: IncomingMessage;
  readonly exchange: Exchange;
  readonly requestId: string;
  readonly clientAddress: string;
}

/** @returns what to call when the response has closed. */
export function startRequestLine(described: Described): () => RequestLine {
  const { exchange, requestId, clientAddress } = described;
  const { method = "", url = "", socket } = described.request;
  const startedAt = performance.now();
  const bytesBefore = socket.bytesWritten;
  return () => ({
    id: requestId,
    method,
    path: redactPath(url),
    status: exchange.response.headersSent ? exchange.response.statusCode : exchange.rawStatus,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    bytes: socket.bytesWritten - bytesBefore,
    address: shorten(clientAddress),
    aborted: !exchange.response.writableFinished,
  });
}

/** Assets and probes come in numbers that would bury the rest, and a log that is watched would be full of being watched. */
export const levelFor = (path: string): "debug" | "info" =>
  path.startsWith("/static/") ||
  path.startsWith("/admin/logs/newest") ||
  path === "/healthz" ||
  path === "/readyz" ||
  path === "/metrics"
    ? "debug"
    : "info";
