import type { LoaderFunctionArgs } from "@remix-run/node";
import { seeOther } from "~/http/redirects.server";
import { sandboxedEmail } from "~/http/sandboxed-email.server";
import { paths } from "~/paths";
import { access, emailPreviews } from "~/services/container.server";
import { SAMPLES } from "~/lib/email-sample";

/** Serves the email of a template, as an email program shows it. `?for=nameless`: see Sample. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const wanted = new URL(request.url).searchParams.get("for");
  const sample = SAMPLES.find((known) => known === wanted) ?? "first";
  const email = await emailPreviews.previewTemplate(params.id ?? "");
  return email ? sandboxedEmail(email[sample].html) : seeOther(paths.templates);
}
