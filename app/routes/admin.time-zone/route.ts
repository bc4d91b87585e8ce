import type { LoaderFunctionArgs } from "@remix-run/node";
import { seeOther } from "~/http/redirects.server";
import { paths } from "~/paths";
import { access } from "~/services/container.server";

/** Redirects to the account screen, which has the form. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.ownTimeZone);
}
