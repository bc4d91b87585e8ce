import { MAX_URL_BYTES } from "./max-url-bytes";

const FALLBACK = "/admin";
/** An arbitrary host: it only matters whether the parsed value stays on it. */
const ORIGIN = "http://here.invalid";
// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Returns the path to go to after login, or after a form that many screens have (hardening C13, specification section 2):
 * the only value of redirectTo, if it is a path under /admin of this site as a browser would parse it, else /admin.
 */
export function toAdminPath(values: readonly string[]): string {
  const [value, ...others] = values;
  if (value === undefined || others.length > 0 || value.length > MAX_URL_BYTES) return FALLBACK;
  // Only the path leads elsewhere: a search may be for any text.
  const [path = ""] = value.split("?", 1);
  const decoded = decode(path);
  if (!value.startsWith("/") || CONTROL.test(value + decoded) || decoded.includes("\\")) return FALLBACK;
  const url = URL.parse(value, ORIGIN);
  if (url?.origin !== ORIGIN || url.pathname.includes("//")) return FALLBACK;
  const isAdmin = url.pathname === "/admin" || url.pathname.startsWith("/admin/");
  return isAdmin ? url.pathname + url.search : FALLBACK;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "\\";
  }
}
