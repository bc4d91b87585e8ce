import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { access, mailPreviews } from "~/services/container.server";

/** Opened by itself or in a frame of ours, it runs nothing, loads nothing and submits nothing (hardening C17). */
const SHUT_IN =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'";

/** The mail of a draft or a send, as a reader's program shows it. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const mail = await mailPreviews.previewMail(params.id ?? "");
  if (!mail) return seeOther(paths.dashboard);
  return new Response(mail.html, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": SHUT_IN },
  });
}
