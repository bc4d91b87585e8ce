import { respondWithManifest } from "~/discovery/web-manifest";
import { paths } from "~/paths";
import { brand } from "~/services/container.server";

/** Not under /admin: browsers fetch a manifest without cookies. Nothing private is in it. */
export function loader() {
  const name = `${brand.name} back office`;
  return respondWithManifest({ path: paths.admin, name, display: "standalone" });
}
