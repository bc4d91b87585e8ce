import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { readForm } from "~/http/form-data.server";
import { toAdminPath } from "~/lib/admin-path";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { access, appearanceCookie } from "~/services/container.server";

/** Redirects: a GET changes nothing and there is no page. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireUser(request);
  return seeOther(paths.admin);
}

export async function action({ request }: ActionFunctionArgs) {
  await access.requireUser(request);
  const form = firstValues(await readForm(request));
  return seeOther(toAdminPath([form.returnTo ?? ""]), {
    "Set-Cookie": await appearanceCookie.change(request, form),
  });
}

export { stayOnPage as clientAction } from "~/components/keep-form";
