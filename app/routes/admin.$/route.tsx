import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { access } from "~/services/container.server";

/**
 * Redirects unknown paths to the landing page. Requires a session first, so that only operators learn which
 * paths are unknown.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.landing);
}

export async function action({ request }: ActionFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.landing);
}
