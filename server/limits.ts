import type { IncomingHttpHeaders } from "node:http";
import { REPORT_PATH } from "./content-policy.ts";
import { isCrossOrigin } from "./cross-origin.ts";
import { hostMatchesOrigin, isValidHost } from "./host.ts";
import { hasBody, plain, type PlainAnswer } from "./plain-answer.ts";
import { readTarget, type RequestTarget } from "./request-target.ts";

/** What a request may be, before anything of it is parsed (C7, C8, C12, C25, R13, R16, R17). */
export const MAX_URL_BYTES = 2048;
export const MAX_HEADER_PAIRS = 100;
export const MAX_BODY_BYTES = 64 * 1024;
export const MAX_REPORT_BYTES = 8 * 1024;

export interface RequestFacts {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Node's flat list: name, value, name, value. */
  readonly rawHeaders: readonly string[];
}

const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];
const REPORT_TYPES = ["application/csp-report", "application/reports+json", "application/json"];
const PAGE_METHODS = ["GET", "HEAD", "POST", "OPTIONS"];
const API_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const PROBE_METHODS = ["GET", "HEAD", "OPTIONS"];
const BODILESS_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

const isApi = (path: string) => path.startsWith("/api/");
const isProbe = (path: string) => path === "/healthz" || path === "/readyz";

function methodsOf(path: string): readonly string[] {
  if (isProbe(path)) return PROBE_METHODS;
  return isApi(path) ? API_METHODS : PAGE_METHODS;
}

/** The Allow header of a path: forms need GET and POST, only the API needs more. */
export const allowedMethods = (path: string): string => methodsOf(path).join(", ");

/** @returns where the request may go on to, or why it may not. */
export function judge(request: RequestFacts, ownOrigin: string | undefined): RequestTarget | PlainAnswer {
  if (request.rawHeaders.length > 2 * MAX_HEADER_PAIRS) return plain(431);
  if (Buffer.byteLength(request.url) > MAX_URL_BYTES) return plain(414);
  // OPTIONS may ask about the server as a whole.
  const isServerWide = request.method === "OPTIONS" && request.url === "*";
  const target = isServerWide ? { pathname: "*", path: "*" } : readTarget(request.url);
  if (!target) return plain(400);
  return (
    refuseHost(request, target.path, ownOrigin) ??
    refuseMethod(request.method, target.path) ??
    refuseBody(request, target.path) ??
    refuseOrigin(request, target.path, ownOrigin) ??
    target
  );
}

function refuseHost({ headers, rawHeaders }: RequestFacts, path: string, ownOrigin: string | undefined) {
  // Node keeps the first of several and hides the rest: a proxy may have gone by the last.
  const count = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  ).length;
  // Load balancers probe in HTTP/1.0, which needs no Host; the guard answers them itself and uses none.
  if (count === 0 && isProbe(path)) return undefined;
  if (count !== 1 || !isValidHost(headers.host ?? "")) return plain(400);
  // Or they probe by address.
  if (!ownOrigin || isProbe(path)) return undefined;
  return hostMatchesOrigin(headers.host ?? "", ownOrigin) ? undefined : plain(421);
}

function refuseMethod(method: string, path: string) {
  if (!methodsOf(path).includes(method)) return plain(405, undefined, allowedMethods(path));
  return method === "OPTIONS" ? plain(204, "", allowedMethods(path)) : undefined;
}

function refuseBody(request: RequestFacts, path: string) {
  const { headers, method } = request;
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") return plain(417);
  if (!hasBody(request)) return undefined;
  if (BODILESS_METHODS.has(method))
    return plain(400, "A request of this kind carries no body. Send it without one.");
  if (headers["transfer-encoding"] !== undefined) return plain(411);
  const { bytes, types } = bodyRules(path);
  if (!(Number(headers["content-length"]) <= bytes)) return plain(413);
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
  return types.includes(type) ? undefined : plain(415);
}

function bodyRules(path: string): { bytes: number; types: readonly string[] } {
  if (path === REPORT_PATH) return { bytes: MAX_REPORT_BYTES, types: REPORT_TYPES };
  return { bytes: MAX_BODY_BYTES, types: isApi(path) ? [...FORM_TYPES, "application/json"] : FORM_TYPES };
}

function refuseOrigin({ method, headers }: RequestFacts, path: string, ownOrigin: string | undefined) {
  const facts = {
    method,
    host: headers.host ?? "",
    secFetchSite: headers["sec-fetch-site"],
    origin: headers.origin,
    // Browsers send reports by themselves, some with cookies and without either header; a report changes nothing.
    hasCookie: headers.cookie !== undefined && path !== REPORT_PATH,
  };
  return isCrossOrigin(facts, ownOrigin) ? plain(403) : undefined;
}
