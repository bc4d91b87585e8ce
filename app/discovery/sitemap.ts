import { paths } from "~/paths";

/** The pages with a canonical address of their own: the forms over the landing page name it as theirs. */
const PAGES = [paths.landing];

/** sitemap.xml (sitemaps.org, protocol 0.9). `origin` without a path. */
export function sitemapXml(origin: string): string {
  const urls = PAGES.map((path) => `  <url><loc>${escapeXml(origin + path)}</loc></url>\n`).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}</urlset>\n`;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
