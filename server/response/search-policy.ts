import { NOT_FOR_SEARCH } from "../../app/paths.ts";

/**
 * Returns X-Robots-Tag, for crawlers that have the URL from elsewhere than robots.txt
 * (app/discovery/crawler-files.ts). `/login.data` counts as the login page, `/administration` not as /admin.
 */
export const getRobotsTag = (path: string): string | undefined =>
  NOT_FOR_SEARCH.some((begin) => isBelow(path, begin.replace(/\/$/, ""))) ? "noindex" : undefined;

const isBelow = (path: string, begin: string) =>
  path.startsWith(begin) && /^$|^[/.]/.test(path.slice(begin.length));
