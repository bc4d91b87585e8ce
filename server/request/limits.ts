import type { IncomingHttpHeaders } from "node:http";
import { MAX_URL_BYTES } from "../../app/lib/max-url-bytes.ts";
import { toApiProblem, isApi } from "../response/api-response.ts";
import { REPORT_PATH } from "../response/content-policy.ts";
import { isCrossOrigin } from "./cross-origin.ts";
import { hostMatchesOrigin, isValidHost } from "./host.ts";
import { hasBody, plain, type PlainResponse, TOO_MANY_FIELDS, tooLong } from "../response/plain-response.ts";
import { readTarget, type RequestTarget } from "./request-target.ts";
import { exceedsJson, hasMorePairs } from "./count-fields.ts";

/** Limits of a request, enforced before it is parsed (C7, C8, C12, C25, R13, R16, R17). */
const MAX_HEADER_PAIRS = 100;
const MAX_QUERY_PARAMETERS = 100;
/** Above the largest form, a page of selected rows included. */
const MAX_FIELDS = 200;
/** The maximum nesting; the deepest call has three levels. */
const MAX_JSON_DEPTH = 16;
/** Enough for a bounce report about some thousand emails, counted as `exceedsJson` does. */
const MAX_BOUNCES_MEMBERS = 20_000;
const MAX_BODY_BYTES = 64 * 1024;
/** An email of 256 KiB, which JSON escapes may make four times as large. */
const MAX_EMAIL_BYTES = 1024 * 1024;
/** The text of an email: 20,000 characters, of which each may have four bytes, and each of these three signs in a form. */
const MAX_WRITING_BYTES = 256 * 1024;
const MAX_REPORT_BYTES = 8 * 1024;
/** For a list of addresses as a file, a file of people, and a mail provider's report. */
const MAX_ADDRESSES_BYTES = 2 * 1024 * 1024;
const MAX_PEOPLE_BYTES = 8 * 1024 * 1024;
const MAX_BOUNCES_BYTES = 256 * 1024;
/** A hundred devices, each with nine members or, of some browsers, a few more, and usually half a kilobyte. */
const MAX_DEVICES_BYTES = 256 * 1024;
const MAX_DEVICES_MEMBERS = 2000;

/** A thousand reports of who joined, each with a code of 62 characters and an address. */
const MAX_JOINS_BYTES = 256 * 1024;
const MAX_JOINS_MEMBERS = 4000;

export interface RequestFacts {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Node's flat list: name, value, name, value. */
  readonly rawHeaders: readonly string[];
}

const FORM_TYPE = "application/x-www-form-urlencoded";
const MULTIPART_TYPE = "multipart/form-data";
const JSON_TYPE = "application/json";
const REPORT_TYPES = ["application/csp-report", "application/reports+json", JSON_TYPE];
/** The forms with a file, also as Remix's data requests. */
const ADDRESSES_PATH = /^\/admin\/suppressions\/add(?:\.data)?$/;
const PEOPLE_PATH = /^\/admin\/people\/import(?:\.data)?$/;
/** The forms with the text of an email, likewise. */
const WRITING_PATH = /^\/admin\/(?:dashboard|templates\/[^/]+|automatic\/[^/]+)(?:\.data)?$/;
/** Mail providers may send the one-click form as multipart (RFC 8058, section 3.2). */
const UNSUBSCRIBE_PATH = /^\/unsubscribe\//;
const BOUNCES_PATH = "/api/bounces";
const JOINED_PATH = "/api/invitations/joined";
/** Body limits by path, in bytes; keys as in RequestTarget.path. */
const API_BODY_BYTES: Readonly<Record<string, number>> = {
  "/api/email/send-email": MAX_EMAIL_BYTES,
  [BOUNCES_PATH]: MAX_BOUNCES_BYTES,
  "/api/devices": MAX_DEVICES_BYTES,
  "/api/devices/remove": MAX_DEVICES_BYTES,
  [JOINED_PATH]: MAX_JOINS_BYTES,
};
/** Member limits of JSON by path, where they are not MAX_FIELDS; keys as in RequestTarget.path. */
const API_BODY_MEMBERS: Readonly<Record<string, number>> = {
  [BOUNCES_PATH]: MAX_BOUNCES_MEMBERS,
  "/api/devices": MAX_DEVICES_MEMBERS,
  "/api/devices/remove": MAX_DEVICES_MEMBERS,
  [JOINED_PATH]: MAX_JOINS_MEMBERS,
};
const PAGE_METHODS = ["GET", "HEAD", "POST", "OPTIONS"];
const API_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** The parameter of a loader's data in earlier versions of Remix, which logs an error for it (hardening C51). */
const EARLIER_DATA_PARAMETER = "_data";
const PROBE_METHODS = ["GET", "HEAD", "OPTIONS"];
const BODILESS_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Returns whether the path is a probe's, which the operator's programs request under any host name or address. */
const isProbe = (path: string) => path === "/healthz" || path === "/readyz" || path === "/metrics";

function listMethods(path: string): readonly string[] {
  if (isProbe(path)) return PROBE_METHODS;
  return isApi(path) ? API_METHODS : PAGE_METHODS;
}

/** Returns the Allow header of a path: forms need GET and POST, only the API needs more. */
export const getAllowedMethods = (path: string): string => listMethods(path).join(", ");

/** @returns the target of a valid request, or the reason for the refusal. */
export function validateRequest(
  request: RequestFacts,
  ownOrigin: string | undefined,
): RequestTarget | PlainResponse {
  if (request.rawHeaders.length > 2 * MAX_HEADER_PAIRS) return plain(431);
  if (Buffer.byteLength(request.url) > MAX_URL_BYTES) return plain(414);
  // OPTIONS may ask about the server as a whole.
  const isServerWide = request.method === "OPTIONS" && request.url === "*";
  const target = isServerWide ? { pathname: "*", path: "*" } : readTarget(request.url);
  if (!target) return plain(400);
  const refusal =
    rejectQuery(request.url) ??
    rejectHost(request, target.path, ownOrigin) ??
    rejectMethod(request.method, target.path) ??
    rejectDataVariant(target.path) ??
    rejectCrossOrigin(request, target.path, ownOrigin) ??
    rejectBody(request, target.path);
  if (!refusal) return target;
  return toApiProblem(refusal, target.path, request.requestId);
}

function rejectHost({ headers, rawHeaders }: RequestFacts, path: string, ownOrigin: string | undefined) {
  // Node keeps the first of several Host headers and hides the rest: a proxy may have used the last.
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  // Load balancers probe in HTTP/1.0, which needs no Host; the guard answers probes itself and uses none.
  if (count === 0 && isProbe(path)) return undefined;
  if (count !== 1 || !isValidHost(headers.host ?? "")) return plain(400);
  // Or they probe by address.
  if (!ownOrigin || isProbe(path)) return undefined;
  return hostMatchesOrigin(headers.host ?? "", ownOrigin) ? undefined : plain(421);
}

function rejectMethod(method: string, path: string) {
  if (!listMethods(path).includes(method)) return plain(405, undefined, getAllowedMethods(path));
  return method === "OPTIONS" ? plain(204, "", getAllowedMethods(path)) : undefined;
}

const rejectQuery = (url: string) =>
  hasMorePairs(url, MAX_QUERY_PARAMETERS) || hasEarlierDataParameter(url) ? plain(400) : undefined;

function hasEarlierDataParameter(url: string): boolean {
  const start = url.indexOf("?");
  const query = start < 0 ? "" : url.slice(start + 1);
  // Any of its letters may be percent-encoded.
  return /_data|%/i.test(query) && new URLSearchParams(query).has(EARLIER_DATA_PARAMETER);
}

/** Rejects `.data` URLs below /api: Remix gives every route one, but a call of the API has one URL. */
function rejectDataVariant(path: string) {
  return isApi(path) && path.endsWith(".data") ? plain(404, "There is nothing here.") : undefined;
}

function rejectBody(request: RequestFacts, path: string) {
  const { headers, method } = request;
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") return plain(417);
  const isEmpty = !hasBody(request);
  if (BODILESS_METHODS.has(method)) {
    return isEmpty ? undefined : plain(400, "A request of this kind carries no body. Send it without one.");
  }
  if (isEmpty && headers["content-type"] === undefined) return undefined;
  const { bytes, types } = getBodyRules(path);
  if (headers["transfer-encoding"] !== undefined) {
    // Two lengths of one body are how requests are smuggled (RFC 9112, section 6.1).
    if (headers["content-length"] !== undefined) return plain(400);
    if (headers["transfer-encoding"].toLowerCase() !== "chunked") return plain(411);
  } else if (!isEmpty && !(Number(headers["content-length"]) <= bytes)) {
    return plain(413, tooLong(bytes));
  }
  return types.includes(getMediaType(headers["content-type"] ?? "")) ? undefined : plain(415);
}

const getMediaType = (contentType: string) => contentType.split(";")[0]?.trim().toLowerCase() ?? "";

function getBodyRules(path: string): { bytes: number; types: readonly string[] } {
  if (path === REPORT_PATH) return { bytes: MAX_REPORT_BYTES, types: REPORT_TYPES };
  if (ADDRESSES_PATH.test(path)) return { bytes: MAX_ADDRESSES_BYTES, types: [FORM_TYPE, MULTIPART_TYPE] };
  if (PEOPLE_PATH.test(path)) return { bytes: MAX_PEOPLE_BYTES, types: [FORM_TYPE, MULTIPART_TYPE] };
  if (WRITING_PATH.test(path)) return { bytes: MAX_WRITING_BYTES, types: [FORM_TYPE] };
  if (UNSUBSCRIBE_PATH.test(path)) return { bytes: MAX_BODY_BYTES, types: [FORM_TYPE, MULTIPART_TYPE] };
  if (!isApi(path)) return { bytes: MAX_BODY_BYTES, types: [FORM_TYPE] };
  return { bytes: API_BODY_BYTES[path] ?? MAX_BODY_BYTES, types: [JSON_TYPE] };
}

/** Returns the body limit of a path in bytes. */
export const getBodyLimit = (path: string): number => getBodyRules(path).bytes;

/** Returns the body limit in bytes without a session or token; a bounce report is authenticated by its signature. */
export const getAnonymousBodyLimit = (path: string): number =>
  path === BOUNCES_PATH ? MAX_BOUNCES_BYTES : Math.min(MAX_BODY_BYTES, getBodyLimit(path));

/**
 * @returns the reason to refuse a body before it is parsed (C37). The parts of a form with a file are counted by its parser
 * (app/http/form-data.server.ts), which reads it in one pass.
 */
export function rejectFields(body: Buffer, contentType: string, path: string): PlainResponse | undefined {
  const type = getMediaType(contentType);
  if (type === MULTIPART_TYPE) return undefined;
  const text = body.toString("latin1");
  const members = API_BODY_MEMBERS[path] ?? MAX_FIELDS;
  const isTooMuch =
    type === FORM_TYPE
      ? hasMorePairs(text, MAX_FIELDS)
      : exceedsJson(text, { members, depth: MAX_JSON_DEPTH });
  return isTooMuch ? TOO_MANY_FIELDS : undefined;
}

function rejectCrossOrigin({ method, headers }: RequestFacts, path: string, ownOrigin: string | undefined) {
  const facts = {
    method,
    host: headers.host ?? "",
    secFetchSite: headers["sec-fetch-site"],
    origin: headers.origin,
    // Browsers send CSP reports by themselves, some with cookies; a report changes nothing.
    hasCookie: headers.cookie !== undefined && path !== REPORT_PATH,
  };
  return isCrossOrigin(facts, ownOrigin) ? plain(403) : undefined;
}
