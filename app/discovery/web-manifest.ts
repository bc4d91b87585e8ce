import { brand } from "~/content/brand";
import { themeColors } from "~/content/brand-mark";
import { paths } from "~/paths";

export type IconPaths = Record<"any192" | "any512" | "maskable192" | "maskable512", string>;

const png = (src: string, size: number, purpose: "any" | "maskable") => ({
  src,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

/** Creates a manifest for adding a part of the site to a home screen (W3C Web Application Manifest). */
function manifest(path: string, name: string, icons: IconPaths) {
  return {
    lang: "en",
    background_color: themeColors.light.background,
    theme_color: themeColors.light.background,
    id: path,
    start_url: path,
    scope: path,
    name,
    short_name: name,
    icons: [
      png(icons.any192, 192, "any"),
      png(icons.any512, 512, "any"),
      png(icons.maskable192, 192, "maskable"),
      png(icons.maskable512, 512, "maskable"),
    ],
  };
}

/** Creates the public site's manifest. `display: browser`: a public page needs no window of its own. */
export function webManifest(icons: IconPaths) {
  return {
    ...manifest(paths.landing, brand.name, icons),
    description: `${brand.tagline}.`,
    display: "browser",
  };
}

/** Creates the back office's manifest, which may have its own window. It is public: nothing private in it. */
export function backOfficeManifest(icons: IconPaths) {
  return { ...manifest(paths.admin, `${brand.name} back office`, icons), display: "standalone" };
}
