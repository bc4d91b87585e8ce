import { paths } from "~/paths";

/** Begins of addresses that are for nobody's search: the back office and what hangs on a person or a token. */
const NOT_FOR_SEARCH = [paths.admin, paths.login, paths.logout, paths.unauthorized, "/unsubscribe"];

/** robots.txt (RFC 9309). `origin` without a path: the sitemap's address must be absolute. */
export function robotsTxt(origin: string): string {
  const rules = NOT_FOR_SEARCH.map((path) => `Disallow: ${path}\n`).join("");
  return `User-agent: *\n${rules}\nSitemap: ${origin}${paths.sitemap}\n`;
}
