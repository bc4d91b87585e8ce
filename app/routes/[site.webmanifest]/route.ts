import { brand } from "~/content/brand";
import { respondWithManifest } from "~/discovery/web-manifest";
import { paths } from "~/paths";

export function loader() {
  const description = `${brand.tagline}.`;
  return respondWithManifest({ path: paths.landing, name: brand.name, description, display: "browser" });
}
