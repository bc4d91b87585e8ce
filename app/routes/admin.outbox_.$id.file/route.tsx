import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { readOutboxEmail } from "~/http/outbox-email.server";
import { seeOther } from "~/http/redirects.server";
import { access, outbox } from "~/services/container.server";

/** Serves an outbox email as a file that email programs open. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const id = params.id ?? "";
  const email = await readOutboxEmail(outbox, id, operator);
  if (!email) return seeOther(paths.outbox);
  const { source } = email;
  if (source === undefined) return seeOther(paths.outboxEmail(id));
  return new Response(source, {
    headers: {
      "Content-Type": "message/rfc822",
      "Content-Disposition": `attachment; filename="${id.replace(/[^\w-]/g, "")}.eml"`,
    },
  });
}
