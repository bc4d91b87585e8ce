import { expect, it } from "vitest";
import { robotsTxt, sitemapXml } from "./crawler-files";

it("robots.txt disallows the private parts and has the sitemap", () => {
  expect(robotsTxt("https://launch.example.com")).toBe(
    "User-agent: *\nDisallow: /admin\nDisallow: /login\nDisallow: /logout\nDisallow: /unauthorized\nDisallow: /invitation\nDisallow: /confirm-email\nDisallow: /unsubscribe\nDisallow: /updates/confirm\nDisallow: /i/\n\nSitemap: https://launch.example.com/sitemap.xml\n",
  );
});

it("the sitemap lists only the landing page, as XML", () => {
  expect(sitemapXml("https://a.example")).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n  <url><loc>https://a.example/</loc></url>\n</urlset>\n',
  );
  expect(sitemapXml("https://a.example/?a&<b>")).toContain(
    "<loc>https://a.example/?a&#38;&#60;b&#62;/</loc>",
  );
});
