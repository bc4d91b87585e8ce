import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";

/** Unknown paths redirect to the landing page (specification, section 2). */
export function loader() {
  return seeOther(paths.landing);
}

export function action() {
  return seeOther(paths.landing);
}
