import any192 from "brand-image:icon-192.png";
import any512 from "brand-image:icon-512.png";
import maskable192 from "brand-image:icon-maskable-192.png";
import maskable512 from "brand-image:icon-maskable-512.png";
import { backOfficeManifest } from "~/discovery/web-manifest";

/** Not under /admin: browsers fetch a manifest without cookies. */
export function loader() {
  return new Response(JSON.stringify(backOfficeManifest({ any192, any512, maskable192, maskable512 })), {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": "public, max-age=3600" },
  });
}
