import { robotsTxt } from "~/discovery/crawler-files";
import { origin } from "~/services/container.server";

export function loader() {
  return new Response(robotsTxt(origin), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
