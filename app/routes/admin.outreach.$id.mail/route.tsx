import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { sandboxedEmail } from "~/http/sandboxed-email.server";
import { access, emailPreviews } from "~/services/container.server";

/** Serves the email of a draft or a campaign, as an email program shows it. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const email = await emailPreviews.previewEmail(params.id ?? "");
  return email ? sandboxedEmail(email.html) : seeOther(paths.dashboard);
}
