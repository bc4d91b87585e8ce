import { brand } from "~/content/brand";
import { themeColors } from "~/content/brand-mark";
import { paths } from "~/paths";

/** Paths of the icons, by kind and size. */
export type IconPaths = Record<"any192" | "any512" | "maskable192" | "maskable512", string>;

const png = (src: string, size: number, purpose: "any" | "maskable") => ({
  src,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

/** What a browser needs to put a part of the site on a home screen (W3C Web Application Manifest). */
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

/** `display: browser`: a public page gains nothing from a window of its own, so nobody is offered to install it. */
export function webManifest(icons: IconPaths) {
  return {
    ...manifest(paths.landing, brand.name, icons),
    description: `${brand.tagline}.`,
    display: "browser",
  };
}

/** Operators keep the back office open all day: it may have a window of its own. The manifest is public, so it says nothing private. */
export function backOfficeManifest(icons: IconPaths) {
  return { ...manifest(paths.admin, `${brand.name} back office`, icons), display: "standalone" };
}
