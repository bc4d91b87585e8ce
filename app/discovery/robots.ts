import { paths } from "~/paths";
import { NOT_FOR_SEARCH } from "../../server/response/search-policy";

/** robots.txt (RFC 9309). `origin` without a path: the sitemap's address must be absolute. */
export function robotsTxt(origin: string): string {
  const rules = NOT_FOR_SEARCH.map((path) => `Disallow: ${path}\n`).join("");
  return `User-agent: *\n${rules}\nSitemap: ${origin}${paths.sitemap}\n`;
}
