import { NOT_FOR_SEARCH, paths } from "~/paths";

/** Renders robots.txt (RFC 9309). `origin` has no path: the sitemap's address must be absolute. */
export function robotsTxt(origin: string): string {
  const rules = NOT_FOR_SEARCH.map((path) => `Disallow: ${path}\n`).join("");
  return `User-agent: *\n${rules}\nSitemap: ${origin}${paths.sitemap}\n`;
}

/** Renders sitemap.xml (sitemaps.org, protocol 0.9): the landing page alone, the forms' canonical address too. */
export function sitemapXml(origin: string): string {
  const url = (origin + paths.landing).replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n  <url><loc>${url}</loc></url>\n</urlset>\n`;
}
