import { data } from "@remix-run/node";
import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import type { FormValues } from "~/lib/parse-form";
import type { NoticeCode } from "~/content/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { originOf } from "~/http/request-context.server";
import { appearanceCookie, outreach } from "~/services/container.server";
import type { Operator } from "~/services/outreach/outreach.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { readSchedule, refusedTime } from "../admin.dashboard/read-schedule";

/** The buttons of a campaign's page. What the campaign's status does not allow any more changes nothing, and the page says so. */
export async function actOnCampaign(id: string, request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { intent = "", decision = "" } = typed(form);
  if (intent === "copy") {
    const draft = await outreach.copyAsDraft(id, person.email);
    if (!draft) return seeOther(`${paths.campaigns}?notice=campaign-gone`);
    return seeOther(`${paths.dashboard}?${new URLSearchParams({ draft, notice: "draft-copied" })}#outreach`);
  }
  const by = { by: person.email, ...originOf(request) };
  if (intent === "reschedule") return reschedule(id, { form, request, by });
  if (intent === "retry-failed") {
    const outcome = await outreach.retryFailed(id, by);
    if (outcome.ok && outcome.changed + outcome.suppressed > 0) {
      const counts = { retried: String(outcome.changed), suppressed: String(outcome.suppressed) };
      return seeOther(`${paths.outreachCampaign(id)}?${new URLSearchParams(counts)}`);
    }
    return refuse(id, outcome.ok ? "nothing-to-retry" : REFUSALS[outcome.error]);
  }
  return refuse(id, await act(id, { intent, decision }, by));
}

async function reschedule(
  id: string,
  { form, request, by }: { form: FormValues; request: Request; by: Operator },
) {
  const read = readSchedule(form);
  if (!read.ok) return data(read.answer, { status: 422 });
  if (!read.schedule) return data(refusedTime(read.values, "not-a-time"), { status: 422 });
  const outcome = await outreach.reschedule(id, read.schedule, by);
  if (outcome.ok) {
    return seeOther(`${paths.outreachCampaign(id)}?notice=campaign-rescheduled`, {
      "Set-Cookie": await appearanceCookie.change(request, read.values),
    });
  }
  if (outcome.error === "time-passed" || outcome.error === "too-far") {
    return data(refusedTime(read.values, outcome.error), { status: 422 });
  }
  return refuse(id, REFUSALS[outcome.error]);
}

function refuse(id: string, refusal: NoticeCode | undefined): Response {
  // A campaign that does not exist has no page.
  if (refusal === "campaign-gone") return seeOther(`${paths.campaigns}?notice=${refusal}`);
  return seeOther(`${paths.outreachCampaign(id)}${refusal ? `?notice=${refusal}` : ""}`);
}

/** @returns what the page says when nothing was done */
async function act(
  id: string,
  { intent, decision }: { intent: string; decision: string },
  by: Operator,
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
  "unknown-campaign": "campaign-gone",
  "wrong-state": "campaign-unchanged",
  cancelled: "campaign-unchanged",
} as const satisfies Record<string, NoticeCode>;
