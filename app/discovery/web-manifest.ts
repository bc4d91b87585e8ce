import { themeColors } from "~/content/brand-mark";
import any192 from "~/images/icon-192.png";
import any512 from "~/images/icon-512.png";
import maskable192 from "~/images/icon-maskable-192.png";
import maskable512 from "~/images/icon-maskable-512.png";

const png = (src: string, size: number, purpose: "any" | "maskable") => ({
  src,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

interface SitePart {
  path: string;
  name: string;
  description?: string;
  /** browser: a public page needs no window of its own. */
  display: "browser" | "standalone";
}

/** Responds with a manifest for adding a part of the site to a home screen (W3C Web Application Manifest). */
export function respondWithManifest({ path, name, ...more }: SitePart): Response {
  const manifest = {
    lang: "en",
    background_color: themeColors.light.background,
    theme_color: themeColors.light.background,
    id: path,
    start_url: path,
    scope: path,
    name,
    short_name: name,
    icons: [
      png(any192, 192, "any"),
      png(any512, 512, "any"),
      png(maskable192, 192, "maskable"),
      png(maskable512, 512, "maskable"),
    ],
    ...more,
  };
  return new Response(JSON.stringify(manifest), {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": "public, max-age=3600" },
  });
}
