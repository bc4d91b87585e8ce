import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { access } from "~/services/container.server";

/** Redirects unknown paths to the landing page, but only operators: others do not learn which are unknown. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.landing);
}

export async function action({ request }: ActionFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.landing);
}
