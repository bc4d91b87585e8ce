import { paths } from "../../app/paths.ts";

const SCREEN = /^\/admin(?:\/[\w-]+)?$/;
const screens = Object.values(paths).flatMap((path) =>
  typeof path === "string" && SCREEN.test(path) ? [path] : [],
);

/**
 * Kinds of routes (docs/metrics.md): a metric keeps each value of a label as long as the process lives, so a kind
 * is one of a fixed list and never input.
 */
const SECTIONS = new Set(["admin", "api", "updates"]);
const KINDS = new Set<string>([
  ...screens,
  "/",
  "/early-access",
  "/updates",
  "/updates/confirm",
  "/contact",
  "/unsubscribe",
  "/invitation",
  "/confirm-email",
  "/i",
  "/login",
  "/logout",
  "/unauthorized",
  "/static",
  "/csp-report",
  "/healthz",
  "/readyz",
  "/metrics",
  "/api/accounts",
  "/api/bounces",
  "/api/broadcast",
  "/api/devices",
  "/api/devicetoken",
  "/api/email",
  "/api/invitations",
  "/api/logger",
  "/api/openapi.json",
  "/api/people",
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
