import { sitemapXml } from "~/discovery/crawler-files";
import { origin } from "~/services/container.server";

export function loader() {
  return new Response(sitemapXml(origin), {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
