/** Content Security Policies (C15, C16), a string per kind of response, so that tests compare them exactly. */

/** For responses that are not documents: they may load nothing and nobody may frame them. */
export const OTHER_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** For the push worker, under its own response's policy: it may load a notification's icon, nothing else (C29). */
export const WORKER_POLICY = "default-src 'none'; img-src 'self'; frame-ancestors 'none'";

/** The path to which browsers report violations; answered by the guard itself (csp-report.ts). */
export const REPORT_PATH = "/csp-report";

/** Allows the scripts of a page rendered for one request: those with its nonce, and the modules they load. */
export const scriptsByNonce = (nonce: string): string => `'nonce-${nonce}' 'strict-dynamic'`;

/** Allows the scripts of a cached page: our files, and inline ones with a known SHA-256 (base64). */
export const scriptsByHash = (hashes: readonly string[]): string =>
  ["'self'", ...hashes.map((hash) => `'sha256-${hash}'`)].join(" ");

/** Hosts to which Firebase's code on the page connects: installations, registrations, sign-in, ID tokens. */
export const FIREBASE_HOSTS = [
  "https://firebaseinstallations.googleapis.com",
  "https://fcmregistrations.googleapis.com",
  "https://identitytoolkit.googleapis.com",
  "https://securetoken.googleapis.com",
] as const;

/** Google's tag, which Firebase's analytics loads once a visitor has agreed. */
export const ANALYTICS_SCRIPT_HOSTS = ["https://www.googletagmanager.com"] as const;

/** Hosts to which analytics connects: the app's configuration, and the counting of visits. */
export const ANALYTICS_HOSTS = ["https://firebase.googleapis.com", "https://*.google-analytics.com"] as const;

interface DocumentTrust {
  /** The result of `scriptsByNonce` or `scriptsByHash`. */
  readonly scripts: string;
  readonly scriptHosts: readonly string[];
  /** Says whether the page may frame our own pages: the back office shows emails in frames. */
  readonly framesOwn: boolean;
  readonly connects: readonly string[];
  /** Vite injects <style> elements and listens on a web socket. */
  readonly development: boolean;
}

export function createDocumentPolicy(trust: DocumentTrust): string {
  const { scripts, scriptHosts, framesOwn, connects, development } = trust;
  return [
    "default-src 'none'",
    ["script-src", scripts, ...scriptHosts].join(" "),
    development ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...(development ? ["ws:"] : []), ...connects].join(" "),
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    ...(framesOwn ? ["frame-src 'self'"] : []),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    `report-uri ${REPORT_PATH}`,
    "report-to csp",
  ].join("; ");
}

/** Returns whether a route set a stricter policy, which stays: an email's preview begins with `sandbox`. */
export const isSandboxPolicy = (policy: string): boolean => /^sandbox(?:[\s;]|$)/.test(policy);
