import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { sandboxedEmail } from "~/http/sandboxed-email.server";
import { access, outbox } from "~/services/container.server";

/** Serves the HTML part of an outbox email, as an email program shows it. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const email = await outbox?.parse(params.id ?? "");
  return email ? sandboxedEmail(email.html) : seeOther(paths.outbox);
}
