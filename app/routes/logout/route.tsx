import type { ActionFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { access } from "~/services/container.server";

/** Nothing changes on GET: a link or a prefetch never signs anybody out. */
export function loader() {
  return seeOther(paths.admin);
}

export async function action({ request }: ActionFunctionArgs) {
  return seeOther(paths.login, {
    "Set-Cookie": await access.signOut(request),
    // Also what the browser keeps of the pages for its Back button.
    "Clear-Site-Data": '"cache"',
  });
}

export { stayOnPage as clientAction } from "~/components/keep-form";
