import { readForm } from "~/form-data.server";
import { typed } from "~/lib/parse-form";
import type { NoticeCode } from "~/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { originOf } from "~/request-context.server";
import { outreach } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** The buttons of a campaign's page. What the campaign's status does not allow any more changes nothing, and the page says so. */
export async function actOnSend(id: string, request: Request, person: SignedIn): Promise<Response> {
  const { intent = "", decision = "" } = typed(await readForm(request));
  if (intent === "copy") {
    const draft = await outreach.copyAsDraft(id, person.email);
    if (!draft) return seeOther(`${paths.sends}?notice=campaign-gone`);
    return seeOther(`${paths.dashboard}?${new URLSearchParams({ draft, notice: "draft-copied" })}#outreach`);
  }
  const by = { by: person.email, ...originOf(request) };
  if (intent === "retry-failed") {
    const outcome = await outreach.retryFailed(id, by);
    if (outcome.ok && outcome.changed + outcome.suppressed > 0) {
      const counts = { retried: String(outcome.changed), suppressed: String(outcome.suppressed) };
      return seeOther(`${paths.outreachSend(id)}?${new URLSearchParams(counts)}`);
    }
    return refuse(id, outcome.ok ? "nothing-to-retry" : REFUSALS[outcome.error]);
  }
  return refuse(id, await act(id, { intent, decision }, by));
}

function refuse(id: string, refusal: NoticeCode | undefined): Response {
  // A campaign that does not exist has no page.
  if (refusal === "campaign-gone") return seeOther(`${paths.sends}?notice=${refusal}`);
  return seeOther(`${paths.outreachSend(id)}${refusal ? `?notice=${refusal}` : ""}`);
}

/** @returns what the page says when nothing was done */
async function act(
  id: string,
  { intent, decision }: { intent: string; decision: string },
  by: Parameters<typeof outreach.pause>[1],
): Promise<NoticeCode | undefined> {
  switch (intent) {
    case "pause":
    case "resume":
    case "begin":
    case "cancel": {
      const outcome = await outreach[intent](id, by);
      return outcome.ok ? undefined : REFUSALS[outcome.error];
    }
    case "decide": {
      if (decision !== "resend" && decision !== "count-as-sent") return undefined;
      const outcome = await outreach.decideUncertain(id, decision, by);
      if (!outcome.ok) return REFUSALS[outcome.error];
      return outcome.changed > 0 ? undefined : "nothing-uncertain";
    }
  }
}

const REFUSALS = {
  "unknown-send": "campaign-gone",
  "wrong-state": "campaign-unchanged",
  cancelled: "campaign-unchanged",
} as const satisfies Record<string, NoticeCode>;
