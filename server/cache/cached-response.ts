import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants } from "node:zlib";
import { compressBrotli, compressGzip, type Encoding, getEncoding } from "../response/content-encoding.ts";
import { toHeaderList, type HeaderSettings, getResponseHeaders } from "../response/response-headers.ts";

/** A response prepared once for everybody, in each encoding, with every header but the request id. */
export type CachedResponse = Readonly<Record<Encoding, Variant>>;

interface Variant {
  /** Strong validator: differs for other bytes, also for the same text in another encoding. */
  readonly etag: string;
  readonly body: Buffer;
  /** Name, value, name, value: the form that writeHead passes through unchecked. */
  readonly headers: readonly string[];
  /** Headers of a 304, which update a stored copy. */
  readonly unchangedHeaders: readonly string[];
}

export interface CacheableContent {
  /** RequestTarget.path of its URL. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** Allowed scripts (content-policy.ts), "" when it is not a document. */
  readonly scripts: string;
}

/** Compresses at the highest level, off the event loop. @param compressed the body in Brotli, where it exists. */
export async function createCachedResponse(
  content: CacheableContent,
  settings: HeaderSettings,
  compressed?: Buffer,
): Promise<CachedResponse> {
  const { body } = content;
  const [br, zipped] = await Promise.all([
    compressed ?? compressBrotli(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
    compressGzip(body, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  const variant = (encoding: Encoding, bytes: Buffer): Variant => {
    const etag = encoding === "identity" ? `"${hash}"` : `"${hash}-${encoding}"`;
    const etagHeaders = ["ETag", etag];
    const bodyHeaders = ["Content-Type", content.contentType, "Content-Length", String(bytes.length)];
    if (encoding !== "identity") bodyHeaders.push("Content-Encoding", encoding);
    return {
      etag,
      body: bytes,
      headers: [...bodyHeaders, ...etagHeaders, ...getCommonHeaders(content, 200, settings)],
      unchangedHeaders: [...etagHeaders, ...getCommonHeaders(content, 304, settings)],
    };
  };
  return { br: variant("br", br), gzip: variant("gzip", zipped), identity: variant("identity", body) };
}

function getCommonHeaders(content: CacheableContent, status: number, settings: HeaderSettings) {
  const facts = { ...content, method: "GET", status, requestId: "" };
  const existing = { contentSecurityPolicy: "", cacheControl: "", vary: "Accept-Encoding" };
  const { "X-Request-Id": _, ...own } = getResponseHeaders({ ...facts, ...existing }, settings);
  // getResponseHeaders rewrites Vary for a document and leaves it unchanged for anything else.
  return toHeaderList({ Vary: existing.vary, ...own });
}

/** Answers GET or HEAD, including conditional requests (If-None-Match). */
export function sendCachedResponse(
  cached: CachedResponse,
  { headers }: IncomingMessage,
  response: ServerResponse,
  requestHeaders: readonly string[],
): void {
  const variant = cached[getEncoding(headers["accept-encoding"] ?? "")];
  const known = headers["if-none-match"];
  if (known !== undefined && isKnown(known, variant.etag)) {
    response.writeHead(304, [...variant.unchangedHeaders, ...requestHeaders]);
    response.end();
  } else {
    response.writeHead(200, [...variant.headers, ...requestHeaders]);
    // Node omits the body of a HEAD response.
    response.end(variant.body);
  }
}

/** If-None-Match compares weakly: `W/` makes no difference (RFC 9110, section 13.1.2). */
function isKnown(header: string, etag: string): boolean {
  if (header === etag || header.trim() === "*") return true;
  return header.split(",").some((entry) => entry.trim().replace(/^W\//, "") === etag);
}
