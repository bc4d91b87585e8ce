import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { access, outbox } from "~/services/container.server";

/** Serves an outbox email as a file that email programs open. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const id = params.id ?? "";
  const source = await outbox?.read(id);
  if (source === undefined) return seeOther(paths.outbox);
  return new Response(source, {
    headers: {
      "Content-Type": "message/rfc822",
      "Content-Disposition": `attachment; filename="${id.replace(/[^\w-]/g, "")}.eml"`,
    },
  });
}
