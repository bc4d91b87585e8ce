/**
 * Kinds of routes (docs/metrics.md): a metric keeps each value of a label as long as the process lives, so a kind
 * is one of a fixed list and never input.
 */
const SECTIONS = new Set(["admin", "api", "updates"]);
const KINDS = new Set([
  "/",
  "/early-access",
  "/updates",
  "/updates/confirm",
  "/contact",
  "/unsubscribe",
  "/login",
  "/logout",
  "/unauthorized",
  "/static",
  "/csp-report",
  "/healthz",
  "/readyz",
  "/metrics",
  "/admin",
  "/admin/activity",
  "/admin/appearance",
  "/admin/dashboard",
  "/admin/logs",
  "/admin/mirrors",
  "/admin/notifications",
  "/admin/outbox",
  "/admin/outreach",
  "/admin/password-reset",
  "/admin/people",
  "/admin/quarantine",
  "/admin/resouces-monitor",
  "/admin/search",
  "/admin/second-factor",
  "/admin/sessions",
  "/admin/shortcuts",
  "/admin/submissions",
  "/admin/suppressions",
  "/admin/tokens",
  "/admin/users",
  "/api/accounts",
  "/api/bounces",
  "/api/broadcast",
  "/api/devicetoken",
  "/api/email",
  "/api/logger",
  "/api/openapi.json",
  "/api/resourcemonitor",
  "/api/signups",
  "/api/tenant",
  "/api/visitor",
]);

/** All values that `getRouteKind` may return. */
export const ROUTE_KINDS: readonly string[] = [...KINDS, "refused", "file", "unknown"];

/** @param path RequestTarget.path: decoded, lower case, "" when the guard refused the request before it was known. */
export function getRouteKind(path: string): string {
  if (KINDS.has(path)) return path;
  if (path === "") return "refused";
  if (path === "/_root.data") return "/";
  const page = path.endsWith(".data") ? path.slice(0, -".data".length) : path;
  const [, first = "", second] = page.split("/", 3);
  const kind = SECTIONS.has(first) && second !== undefined ? `/${first}/${second}` : `/${first}`;
  if (KINDS.has(kind)) return kind;
  return second === undefined && first.includes(".") ? "file" : "unknown";
}
