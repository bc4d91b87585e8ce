/** The facts on which Cache-Control depends (C35, section 3 of the hardening reference). */
export interface CacheFacts {
  readonly method: string;
  /** RequestTarget.path: decoded and lower case. */
  readonly path: string;
  readonly status: number;
  readonly isDocument: boolean;
  /** Set by the application or express.static, "" when unset. */
  readonly cacheControl: string;
}

const NO_STORE = "no-store";
/** Stored by the visitor's own browser only, and revalidated before each use. */
const OWN_BROWSER = "private, no-cache";
const VISITOR_FORM = /^\/(?:early-access|updates|contact)$/;
/** Public: it describes the API and holds no data. Caches revalidate it by its ETag. */
const PUBLIC_CALL = "/api/openapi.json";
const PRIVATE_PATH = /^\/(?:admin.*|(?:login|logout|unauthorized|api)(?:\/.*)?)$/s;

/** Returns whether the path is a service worker's script, by its name. */
export const isWorker = (path: string): boolean => path.endsWith("-sw.js");

/** @returns the Cache-Control of this response. The application can make it stricter, never looser. */
export function getCacheControl({ method, path, status, isDocument, cacheControl }: CacheFacts): string {
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  // Back leads to a rejected form: Chromium shows an error page instead of a response it may not store.
  const isRefusedForm = method === "POST" && status >= 400 && status < 500 && isDocument;
  if (isRefusedForm && VISITOR_FORM.test(path)) return OWN_BROWSER;
  if (status >= 400 || isRedirect || (method !== "GET" && method !== "HEAD")) return NO_STORE;
  const isPrivate = path.endsWith(".data") || (PRIVATE_PATH.test(path) && path !== PUBLIC_CALL);
  if (isPrivate || /\bno-store\b/i.test(cacheControl)) return NO_STORE;
  if (isDocument) return OWN_BROWSER;
  // Only hashed assets are below this path: other content has another URL.
  if (path.startsWith("/static/")) return "public, max-age=31536000, immutable";
  if (isWorker(path)) return "no-cache";
  if (cacheControl) return cacheControl;
  // A 304 must not forbid storing the response it confirms; what nobody decided about is not stored.
  return status === 304 ? OWN_BROWSER : NO_STORE;
}

/** Adds names to a Vary header, each once. */
export function mergeVary(existing: string, names: readonly string[]): string {
  const present = existing
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  if (present.includes("*")) return "*";
  const known = new Set(present.map((name) => name.toLowerCase()));
  return [...present, ...names.filter((name) => !known.has(name.toLowerCase()))].join(", ");
}
