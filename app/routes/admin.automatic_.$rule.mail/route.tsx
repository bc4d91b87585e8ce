import type { LoaderFunctionArgs } from "@remix-run/node";
import { seeOther } from "~/http/redirects.server";
import { sandboxedEmail } from "~/http/sandboxed-email.server";
import { isAutomaticRule } from "~/lib/automatic-rules";
import { paths } from "~/paths";
import { access, automaticEmails } from "~/services/container.server";
import { SAMPLES } from "~/lib/email-sample";

/** Serves the saved email of a rule, as an email program shows it. `?for=nameless`: see Sample. */
export async function loader({ request, params: { rule = "" } }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  if (!isAutomaticRule(rule)) return seeOther(paths.automatic);
  const wanted = new URL(request.url).searchParams.get("for");
  const sample = SAMPLES.find((known) => known === wanted) ?? "first";
  return sandboxedEmail((await automaticEmails.previewEmail(rule))[sample].html);
}
