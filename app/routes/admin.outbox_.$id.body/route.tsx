import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { readOutboxEmail } from "~/http/outbox-email.server";
import { seeOther } from "~/http/redirects.server";
import { sandboxedEmail } from "~/http/sandboxed-email.server";
import { access, outbox } from "~/services/container.server";

/** Serves the HTML part of an outbox email, as an email program shows it, but for links that the operator may not see. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const email = await readOutboxEmail(outbox, params.id ?? "", operator);
  return email ? sandboxedEmail(email.html) : seeOther(paths.outbox);
}
