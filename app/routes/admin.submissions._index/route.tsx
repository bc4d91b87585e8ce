import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { access } from "~/services/container.server";

/** Redirects to the first of the three tables. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return seeOther(paths.submissionTable("early-access"));
}
