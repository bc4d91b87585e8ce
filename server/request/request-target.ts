/**
 * A request's path, read as the application's URL parser will read it, so that `/x/../admin`, `/%61dmin` and `/ADMIN`
 * are judged as the /admin they end up at.
 */
export interface RequestTarget {
  /** Dot segments resolved, still percent-encoded, without the query: fit for a log line. */
  readonly pathname: string;
  /** Decoded, lower case (routes match in any case), without a slash at the end: for comparing only. */
  readonly path: string;
}

// Never resolved: it only lends the parser a scheme and a host.
const ANY_HOST = "http://host";

/** Most paths: nothing in them to resolve, decode or write small. For the speed of cached pages (memoize.ts). */
const PLAIN = /^\/(?:[a-z0-9_-]+(?:\/[a-z0-9_-]+)*)?$/;

/** @returns undefined for what is no path of ours: an absolute form, malformed percent-encoding (R13), or a NUL. */
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
    return { pathname, path: path.toLowerCase().replace(/\/+$/, "") || "/" };
  } catch {
    return undefined;
  }
}

/** Query and fragment may carry what people typed, so they are cut before anything else looks. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "");
