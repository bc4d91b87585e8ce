import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { sandboxedMail } from "~/http/sandboxed-mail.server";
import { access, mailPreviews } from "~/services/container.server";

/** Serves the email of a draft or a campaign, as an email program shows it. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const mail = await mailPreviews.previewMail(params.id ?? "");
  return mail ? sandboxedMail(mail.html) : seeOther(paths.dashboard);
}
