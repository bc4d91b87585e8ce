import { CAPABILITY_PATHS, paths } from "../../app/paths.ts";
import { getCacheControl, isWorker, mergeVary } from "../cache/cache-policy.ts";
import {
  createDocumentPolicy,
  isSandboxPolicy,
  OTHER_POLICY,
  REPORT_PATH,
  WORKER_POLICY,
} from "./content-policy.ts";
import type { PlainResponse } from "./plain-response.ts";
import { getRobotsTag } from "./search-policy.ts";

/** Settings of the headers of every response (C15, C16, C35). */
export interface HeaderSettings {
  /** Says whether ORIGIN is https: only then may browsers be told never to use http again. */
  readonly https: boolean;
  readonly development: boolean;
  /** Hosts to which the push engine and analytics connect on public pages; none by default. */
  readonly connectHosts?: readonly string[];
  /** Hosts whose scripts public pages may load; none by default. */
  readonly scriptHosts?: readonly string[];
}

/** Headers set by the application or its middleware, "" when unset. */
export interface ExistingHeaders {
  readonly contentType: string;
  readonly contentSecurityPolicy: string;
  readonly cacheControl: string;
  readonly vary: string;
}

export interface ResponseFacts extends ExistingHeaders {
  readonly method: string;
  /** RequestTarget.path, "" when the request was refused. */
  readonly path: string;
  readonly status: number;
  /** The scripts allowed if it is a document (content-policy.ts). */
  readonly scripts: string;
  readonly requestId: string;
}

/** Name -> value; undefined removes the header. */
export type HeaderChanges = Readonly<Record<string, string | undefined>>;

const ALWAYS = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Powered-By": undefined,
  Server: undefined,
} as const;

/** What an asset needs not, because it is what browsers do by default: a first visit fetches some 30. */
const OF_PAGES = {
  // no-referrer would make browsers send `Origin: null` on form posts (hardening reference, section 3).
  "Referrer-Policy": "strict-origin-when-cross-origin",
} as const;

/** What browsers read of a document only: a first visit fetches some 30 scripts, pictures and fonts besides. */
const OF_DOCUMENTS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "Origin-Agent-Cluster": "?1",
  "X-Permitted-Cross-Domain-Policies": "none",
} as const;

/** The login page navigates to the back office without a new document, under its own policy. */
const BACK_OFFICE = /^\/(?:admin|login|unauthorized)(?:\/|$)/;

export function getResponseHeaders(facts: ResponseFacts, settings: HeaderSettings): HeaderChanges {
  const isDocument = /^text\/html\b/i.test(facts.contentType);
  const policy = getPolicy(facts, isDocument, settings);
  const isOwnDocumentPolicy = policy !== undefined && isDocument && !isSandboxPolicy(policy);
  return {
    ...ALWAYS,
    ...(isAsset(facts) ? {} : OF_PAGES),
    ...(isCapability(facts) ? { "Referrer-Policy": "strict-origin" } : {}),
    ...(isInvite(facts) ? { "Referrer-Policy": "no-referrer" } : {}),
    "X-Request-Id": facts.requestId,
    "Strict-Transport-Security": settings.https ? "max-age=63072000; includeSubDomains" : undefined,
    "X-Frame-Options": getFraming(facts, policy),
    "Content-Security-Policy": policy,
    "Reporting-Endpoints": isOwnDocumentPolicy ? `csp="${REPORT_PATH}"` : undefined,
    "Cache-Control": getCacheControl({ ...facts, isDocument }),
    "X-Robots-Tag": getRobotsTag(facts.path),
    // Documents differ by session; other responses keep their Vary.
    ...(isDocument ? { ...OF_DOCUMENTS, Vary: mergeVary(facts.vary, ["Cookie", "Sec-Fetch-Site"]) } : {}),
  };
}

/** Returns whether its address is a secret, which a page that it leads to could tell others, such as Google Analytics. */
const isCapability = ({ path }: ResponseFacts): boolean =>
  CAPABILITY_PATHS.some((segments) => path.startsWith(`/${segments.join("/")}/`));

/** Returns whether it leads to the application by an invitation, whose link nobody else is to learn. */
const isInvite = ({ path, status }: ResponseFacts): boolean =>
  status === 302 && path.startsWith(paths.invite(""));

/** Returns whether it is a file of the build. */
const isAsset = ({ path, status }: ResponseFacts): boolean => status < 400 && path.startsWith("/static/");

/**
 * Returns who may frame it. An email's preview is framed by our own pages, as its policy says: the two headers must agree.
 * An asset is no document, and its policy forbids frames.
 */
function getFraming(facts: ResponseFacts, policy: string | undefined): string | undefined {
  if (isAsset(facts)) return undefined;
  return policy && /frame-ancestors 'self'(?:;|\s*$)/.test(policy) ? "SAMEORIGIN" : "DENY";
}

/** Returns the policy; a 304 has none, because its headers, a new nonce too, replace those of the stored document. */
function getPolicy(facts: ResponseFacts, isDocument: boolean, settings: HeaderSettings): string | undefined {
  if (facts.status === 304) return undefined;
  if (isSandboxPolicy(facts.contentSecurityPolicy)) return facts.contentSecurityPolicy;
  if (!isDocument) return isWorker(facts.path) ? WORKER_POLICY : OTHER_POLICY;
  const isBackOffice = BACK_OFFICE.test(facts.path);
  // The back office neither asks for push permission nor counts visits.
  const { development, connectHosts = [], scriptHosts = [] } = settings;
  return createDocumentPolicy({
    scripts: facts.scripts,
    scriptHosts: isBackOffice ? [] : scriptHosts,
    framesOwn: isBackOffice,
    connects: isBackOffice ? [] : connectHosts,
    development,
  });
}

/** Converts headers to a list, name, value, name, value: the form that writeHead passes through unchecked. */
export function toHeaderList(changes: HeaderChanges): string[] {
  const list: string[] = [];
  for (const name in changes) {
    const value = changes[name];
    if (value !== undefined) list.push(name, value);
  }
  return list;
}

/**
 * Returns all headers of a response of the guard's own: name, value, name, value.
 * @param request a malformed one has neither method nor path.
 */
export function getPlainResponseHeaders(
  answer: PlainResponse,
  request: { readonly requestId: string; readonly method?: string; readonly path?: string },
  settings: HeaderSettings,
): string[] {
  const { status, message, allow, location, retryAfterS, contentType = "text/plain; charset=utf-8" } = answer;
  const facts = { ...NO_EXISTING_HEADERS, method: "GET", path: "", ...request, status, contentType };
  const list = toHeaderList(getResponseHeaders(facts, settings));
  if (retryAfterS !== undefined) list.push("Retry-After", String(retryAfterS));
  if (allow !== undefined) list.push("Allow", allow);
  if (location !== undefined) list.push("Location", location);
  if (status !== 204) list.push("Content-Length", String(Buffer.byteLength(message)));
  if (message) list.push("Content-Type", contentType);
  return list;
}

const NO_EXISTING_HEADERS = { scripts: "", contentSecurityPolicy: "", cacheControl: "", vary: "" };
