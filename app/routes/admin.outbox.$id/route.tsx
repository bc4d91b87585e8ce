import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { access, outbox } from "~/services/container.server";

/** A mail as it was written, headers and all: plain text, which no browser runs. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const mail = await outbox?.read(params.id ?? "");
  if (mail === undefined) return seeOther(paths.outbox);
  return new Response(mail, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Content-Disposition": "inline" },
  });
}
