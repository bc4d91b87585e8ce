import type { LoaderFunctionArgs } from "@remix-run/node";
import { report } from "~/http/action-result.server";
import { sandboxedEmail } from "~/http/sandboxed-email.server";
import { paths } from "~/paths";
import { access, automaticEmails } from "~/services/container.server";

/** Serves an automatic email: the text it was sent with, what is known of the person now, and links that do nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const email = await automaticEmails.composeSent(params.id ?? "");
  return email ? sandboxedEmail(email.html) : report("automatic-email-gone", paths.automatic);
}
