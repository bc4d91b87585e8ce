/** Prefixes of paths that search engines must not index: the back office, and pages tied to a person or a token. */
export const NOT_FOR_SEARCH = [
  "/admin",
  "/login",
  "/logout",
  "/unauthorized",
  "/unsubscribe",
  "/updates/confirm",
] as const;

/**
 * Returns X-Robots-Tag, for crawlers that have the URL from elsewhere than robots.txt
 * (app/discovery/crawler-files.ts). `/login.data` counts as the login page, `/administration` not as /admin.
 */
export const getRobotsTag = (path: string): string | undefined =>
  NOT_FOR_SEARCH.some((begin) => path.startsWith(begin) && /^$|^[/.]/.test(path.slice(begin.length)))
    ? "noindex"
    : undefined;
