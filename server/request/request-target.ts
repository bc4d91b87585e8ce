/** A path as the application's URL parser resolves it: `/x/../admin`, `/%61dmin` and `/ADMIN` are /admin. */
export interface RequestTarget {
  /** Dot segments resolved, still percent-encoded, without the query: fit for a log line. */
  readonly pathname: string;
  /** Decoded, lower case (routes match in any case), without a slash at the end: for comparing only. */
  readonly path: string;
}

// Never resolved: only supplies the scheme and host that the URL parser needs.
const ANY_HOST = "http://host";

/** Most paths, which need no resolving, decoding or lower-casing. A fast path for cached pages (memoize.ts). */
const PLAIN = /^\/(?:[a-z0-9_-]+(?:\/[a-z0-9_-]+)*)?$/;

/** From the first slash of a run: beginning at each one takes quadratic time (hardening C52). */
const TRAILING_SLASHES = /(?<!\/)\/+$/;

/** @returns undefined for an invalid path: an absolute form, malformed percent-encoding (R13), or a NUL. */
export function readTarget(url: string): RequestTarget | undefined {
  if (PLAIN.test(url)) return { pathname: url, path: url };
  if (!url.startsWith("/")) return undefined;
  const raw = withoutQuery(url);
  try {
    // Express decodes the path as sent, Remix the path as resolved: both must succeed.
    const asSent = decodeURIComponent(raw);
    const { pathname } = new URL(ANY_HOST + raw);
    const path = decodeURIComponent(pathname);
    if (asSent.includes("\0") || path.includes("\0")) return undefined;
    return { pathname, path: path.toLowerCase().replace(TRAILING_SLASHES, "") || "/" };
  } catch {
    return undefined;
  }
}

/** Removes query and fragment, which may contain personal input, before anything is logged or compared. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "");
