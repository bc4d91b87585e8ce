/** Content Security Policies (C15, C16). One string per kind of answer, so that tests can compare them exactly. */

/** For whatever is no document: it may load nothing and nobody may frame it. */
export const OTHER_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** For the push worker, which lives by its own answer's policy: the icon of what it shows, and nothing else (C29). */
export const WORKER_POLICY = "default-src 'none'; img-src 'self'; frame-ancestors 'none'";

/** Where browsers report violations; answered by the guard itself (csp-report.ts). */
export const REPORT_PATH = "/csp-report";

/** The scripts of a page made for one request: those that carry its nonce, and the modules they load. */
export const scriptsByNonce = (nonce: string): string => `'nonce-${nonce}' 'strict-dynamic'`;

/** The scripts of a page kept for many: our files, and the inline ones whose SHA-256 (base64) is known. */
export const scriptsByHash = (hashes: readonly string[]): string =>
  ["'self'", ...hashes.map((hash) => `'sha256-${hash}'`)].join(" ");

/** What Firebase's code on the page speaks to: installations, registrations, sign-in, ID tokens. */
export const FIREBASE_HOSTS = [
  "https://firebaseinstallations.googleapis.com",
  "https://fcmregistrations.googleapis.com",
  "https://identitytoolkit.googleapis.com",
  "https://securetoken.googleapis.com",
] as const;

/** Google's tag, which Firebase's analytics fetches once a visitor agreed. */
export const ANALYTICS_SCRIPT_HOSTS = ["https://www.googletagmanager.com"] as const;

/** What analytics speaks to: the app's configuration, and where visits are counted. */
export const ANALYTICS_HOSTS = ["https://firebase.googleapis.com", "https://*.google-analytics.com"] as const;

export interface DocumentTrust {
  /** One of the two above. */
  readonly scripts: string;
  /** Whose scripts may run beside ours. */
  readonly scriptHosts: readonly string[];
  /** Pages of the back office show mails in frames of their own. */
  readonly framesOwn: boolean;
  /** Whom its scripts may speak to beside us. */
  readonly connects: readonly string[];
  /** Vite injects <style> elements and listens on a web socket. */
  readonly development: boolean;
}

/** For documents. */
export function createDocumentPolicy({
  scripts,
  scriptHosts,
  framesOwn,
  connects,
  development,
}: DocumentTrust): string {
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

/** A route may shut its own document in harder (a mail's preview): a policy that begins with `sandbox` stays. */
export const isSandboxPolicy = (policy: string): boolean => /^sandbox(?:[\s;]|$)/.test(policy);
