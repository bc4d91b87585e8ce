import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { access } from "~/services/container.server";

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  // Keeps the notice in the query.
  return seeOther(paths.dashboard + new URL(request.url).search);
}
