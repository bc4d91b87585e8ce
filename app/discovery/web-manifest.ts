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

const iconList = (icons: IconPaths) => [
  png(icons.any192, 192, "any"),
  png(icons.any512, 512, "any"),
  png(icons.maskable192, 192, "maskable"),
  png(icons.maskable512, 512, "maskable"),
];

const LOOK = {
  lang: "en",
  background_color: themeColors.light.background,
  theme_color: themeColors.light.background,
};

/**
 * What a browser needs to put the site on a home screen (W3C Web Application Manifest). `display: browser`: a public page
 * gains nothing from a window of its own, so nobody is offered to install it.
 */
export function webManifest(icons: IconPaths) {
  return {
    ...LOOK,
    id: paths.landing,
    start_url: paths.landing,
    scope: paths.landing,
    name: brand.name,
    short_name: brand.name,
    description: `${brand.tagline}.`,
    display: "browser",
    icons: iconList(icons),
  };
}

/** The same for the back office, which operators keep open all day: it may have a window of its own. Public, so it says nothing private. */
export function backOfficeManifest(icons: IconPaths) {
  const name = `${brand.name} back office`;
  return {
    ...LOOK,
    id: paths.admin,
    start_url: paths.admin,
    scope: paths.admin,
    name,
    short_name: name,
    display: "standalone",
    icons: iconList(icons),
  };
}
