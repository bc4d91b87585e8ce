import { data } from "@remix-run/node";
import { readForm } from "~/http/form-data.server";
import { messages } from "~/content/messages";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { confirmations } from "~/services/container.server";

/** Confirms, or with `intent=new-link` sends another email; the page then shows the link's state. */
export async function submitConfirmation(token: string, request: Request) {
  const { intent } = await readForm(request);
  const here = paths.confirmUpdates(encodeURIComponent(token));
  if (intent !== "new-link") {
    const state = await confirmations.confirm(token, getRequestOrigin(request));
    if (state === "unknown") return data({ failure: undefined }, { status: 404 });
    return seeOther(state === "open" ? `${here}?notice=confirmed` : here);
  }
  const outcome = await confirmations.sendNewLink(token);
  if (outcome.ok) return seeOther(`${here}?notice=link-sent`);
  if (outcome.error === "limited") {
    const { retryAfterSeconds } = outcome;
    const failure = messages.confirmUpdates.linkSentLately(Math.ceil(retryAfterSeconds / 60));
    return data({ failure }, { status: 429, headers: { "Retry-After": String(retryAfterSeconds) } });
  }
  return outcome.error === "confirmed" ? seeOther(here) : data({ failure: undefined }, { status: 404 });
}
