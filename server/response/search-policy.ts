/** Begins of addresses that are for nobody's search: the back office, and what hangs on a person or a token. */
export const NOT_FOR_SEARCH = [
  "/admin",
  "/login",
  "/logout",
  "/unauthorized",
  "/unsubscribe",
  "/updates/confirm",
] as const;

/**
 * X-Robots-Tag beside robots.txt (app/discovery/crawler-files.ts): the one holds off who asks first, the other who has the
 * address from elsewhere. `/login.data` is the login page's too, `/administration` is none of ours.
 * @param path RequestTarget.path: decoded and lower case
 */
export const getRobotsTag = (path: string): string | undefined =>
  NOT_FOR_SEARCH.some((begin) => path.startsWith(begin) && /^$|^[/.]/.test(path.slice(begin.length)))
    ? "noindex"
    : undefined;
