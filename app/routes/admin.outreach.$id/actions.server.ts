import { z } from "zod";
import type { NoticeCode } from "~/content/notices";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { getActor } from "~/http/request-context.server";
import { parseForm, textField, typed, type FormValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { Actor } from "~/services/audit/audit.server";
import { appearanceCookie, outreach, suppressions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { readSchedule, toTimeRefusal } from "../admin.dashboard/read-schedule";

/** Handles the buttons of a campaign's page, which reports an action that the campaign's status does not allow. */
export async function actOnCampaign(id: string, request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { intent = "", decision = "" } = typed(form);
  const by = getActor(request, person);
  switch (intent) {
    case "copy": {
      const draft = await outreach.copyAsDraft(id, person.email);
      if (!draft) return redirectToCampaign(id, "campaign-gone");
      return report("draft-copied", paths.outreach, { draft });
    }
    case "reschedule":
      return reschedule(id, form, request, by);
    case "release":
      return release(id, form, by);
    case "retry-failed": {
      const outcome = await outreach.retryFailed(id, by);
      if (!outcome.ok) return redirectToCampaign(id, REFUSALS[outcome.error]);
      const { changed, suppressed } = outcome;
      if (changed + suppressed === 0) return redirectToCampaign(id, "nothing-to-retry");
      return report(undefined, paths.outreachCampaign(id), {
        retried: `${changed}`,
        suppressed: `${suppressed}`,
      });
    }
    case "pause":
    case "resume":
    case "begin":
    case "cancel": {
      const outcome = await outreach[intent](id, by);
      return redirectToCampaign(id, outcome.ok ? undefined : REFUSALS[outcome.error]);
    }
    case "decide": {
      if (decision !== "resend" && decision !== "count-as-sent") return redirectToCampaign(id);
      const outcome = await outreach.decideUncertain(id, decision, by);
      if (!outcome.ok) return redirectToCampaign(id, REFUSALS[outcome.error]);
      return redirectToCampaign(id, outcome.changed > 0 ? undefined : "nothing-uncertain");
    }
    default:
      return redirectToCampaign(id);
  }
}

const releaseSchema = z.object({ because: textField({ label: "a reason", max: 200, required: true }) });

/** Releases what mail servers suppressed because of this campaign, with the operator's reason. */
async function release(id: string, form: FormValues, by: Actor) {
  const parsed = parseForm(releaseSchema, form);
  if (!parsed.ok) return refuse("release", { because: parsed.values.because, error: parsed.errors.because });
  const campaign = await outreach.findCampaign(id);
  if (!campaign) return redirectToCampaign(id, "campaign-gone");
  const released = await suppressions.releaseCampaign(campaign.id, parsed.value.because, by);
  return redirectToCampaign(id, released > 0 ? "campaign-suppressions-released" : "suppressions-gone");
}

async function reschedule(id: string, form: FormValues, request: Request, by: Actor) {
  const read = readSchedule(form);
  if (!read.ok) return refuse("schedule", read.answer);
  if (!read.schedule) return refuse("schedule", toTimeRefusal(read.values, "not-a-time"));
  const outcome = await outreach.reschedule(id, read.schedule, by);
  if (outcome.ok) {
    const cookie = await appearanceCookie.change(request, read.values);
    return report("campaign-rescheduled", paths.outreachCampaign(id), {}, { "Set-Cookie": cookie });
  }
  if (outcome.error === "time-passed" || outcome.error === "too-far") {
    return refuse("schedule", toTimeRefusal(read.values, outcome.error));
  }
  return redirectToCampaign(id, REFUSALS[outcome.error]);
}

/** Redirects to the campaign's page, or to the list when the campaign does not exist. */
function redirectToCampaign(id: string, notice?: NoticeCode): Response {
  return report(notice, notice === "campaign-gone" ? paths.campaigns : paths.outreachCampaign(id));
}

const REFUSALS = {
  "unknown-campaign": "campaign-gone",
  "wrong-state": "campaign-unchanged",
  cancelled: "campaign-unchanged",
} as const satisfies Record<string, NoticeCode>;
