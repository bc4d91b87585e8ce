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

/** The header set of every answer (C15, C16, C35): pure, so that one table can prove it. */
export interface HeaderSettings {
  /** ORIGIN is https: only then may browsers be told never to use http again. */
  readonly https: boolean;
  readonly development: boolean;
  /** Whom the push engine and analytics on public pages speak to; nobody by default. */
  readonly connectHosts?: readonly string[];
  /** Whose scripts public pages may load beside ours; nobody's by default. */
  readonly scriptHosts?: readonly string[];
}

/** What the application or its middleware set before, "" when nothing. */
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
  /** Which scripts may run if it is a document (content-policy.ts). */
  readonly scripts: string;
  readonly requestId: string;
}

/** Name -> value; undefined takes the header away. */
export type HeaderChanges = Readonly<Record<string, string | undefined>>;

const ALWAYS = {
  "X-Content-Type-Options": "nosniff",
  // no-referrer would make browsers send `Origin: null` on form posts (hardening reference, section 3).
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "Origin-Agent-Cluster": "?1",
  "X-Permitted-Cross-Domain-Policies": "none",
  "X-Powered-By": undefined,
  Server: undefined,
} as const;

/** The login page leads on to them without a new document, under its own policy. */
const BACK_OFFICE = /^\/(?:admin|login|unauthorized)(?:\/|$)/;

export function getResponseHeaders(facts: ResponseFacts, settings: HeaderSettings): HeaderChanges {
  const isDocument = /^text\/html\b/i.test(facts.contentType);
  const policy = getPolicy(facts, isDocument, settings);
  const isOwnDocumentPolicy = policy !== undefined && isDocument && !isSandboxPolicy(policy);
  return {
    ...ALWAYS,
    "X-Request-Id": facts.requestId,
    "Strict-Transport-Security": settings.https ? "max-age=63072000; includeSubDomains" : undefined,
    // A preview may be framed by our own pages, and says so in its policy: the two headers must agree.
    "X-Frame-Options": policy && /frame-ancestors 'self'(?:;|\s*$)/.test(policy) ? "SAMEORIGIN" : "DENY",
    "Content-Security-Policy": policy,
    "Reporting-Endpoints": isOwnDocumentPolicy ? `csp="${REPORT_PATH}"` : undefined,
    "Cache-Control": getCacheControl({ ...facts, isDocument }),
    "X-Robots-Tag": getRobotsTag(facts.path),
    // Documents differ by who asks; the rest keeps what it had.
    ...(isDocument ? { Vary: mergeVary(facts.vary, ["Cookie", "Sec-Fetch-Site"]) } : {}),
  };
}

/**
 * A 304 carries none: browsers write its headers over those stored with the body, and this answer's nonce, or the
 * strict policy of a body-less answer, would then stop the stored document's scripts.
 */
function getPolicy(facts: ResponseFacts, isDocument: boolean, settings: HeaderSettings): string | undefined {
  if (facts.status === 304) return undefined;
  if (isSandboxPolicy(facts.contentSecurityPolicy)) return facts.contentSecurityPolicy;
  if (!isDocument) return isWorker(facts.path) ? WORKER_POLICY : OTHER_POLICY;
  const isBackOffice = BACK_OFFICE.test(facts.path);
  // Nobody is asked for push messages in the back office, and nobody's visits are counted there.
  const { development, connectHosts = [], scriptHosts = [] } = settings;
  return createDocumentPolicy({
    scripts: facts.scripts,
    scriptHosts: isBackOffice ? [] : scriptHosts,
    framesOwn: isBackOffice,
    connects: isBackOffice ? [] : connectHosts,
    development,
  });
}

/** As a list, name, value, name, value: what writeHead takes without a look at it. */
export function headerList(changes: HeaderChanges): string[] {
  const list: string[] = [];
  for (const name in changes) {
    const value = changes[name];
    if (value !== undefined) list.push(name, value);
  }
  return list;
}

/** What is known of the request that a plain answer is for; one that could not be read has neither method nor path. */
export interface Asked {
  readonly requestId: string;
  readonly method?: string;
  readonly path?: string;
}

/** All headers of a plain answer of our own, in which nobody else has a say: name, value, name, value. */
export function getPlainResponseHeaders(
  answer: PlainResponse,
  asked: Asked,
  settings: HeaderSettings,
): string[] {
  const { status, message, allow, retryAfterS, contentType = "text/plain; charset=utf-8" } = answer;
  const facts = { ...NOTHING_GIVEN, method: "GET", path: "", ...asked, status, contentType };
  const list = headerList(getResponseHeaders(facts, settings));
  if (retryAfterS !== undefined) list.push("Retry-After", String(retryAfterS));
  if (allow !== undefined) list.push("Allow", allow);
  if (status !== 204) list.push("Content-Length", String(Buffer.byteLength(message)));
  if (message) list.push("Content-Type", contentType);
  return list;
}

const NOTHING_GIVEN = { scripts: "", contentSecurityPolicy: "", cacheControl: "", vary: "" };
