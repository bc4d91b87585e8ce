import { getLandingTexts } from "~/content/landing";
import { respondWithManifest } from "~/discovery/web-manifest";
import { paths } from "~/paths";
import { brand } from "~/services/container.server";

export function loader() {
  const description = `${getLandingTexts(brand).tagline}.`;
  return respondWithManifest({ path: paths.landing, name: brand.name, description, display: "browser" });
}
