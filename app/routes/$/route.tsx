import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";

/** Redirects unknown paths to the landing page (specification, section 2). */
export function loader() {
  return seeOther(paths.landing);
}

export function action() {
  return seeOther(paths.landing);
}
