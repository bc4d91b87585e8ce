import { z } from "zod";
import type { NoticeCode } from "~/content/notices";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { readFrom, toRow } from "~/http/list-detail";
import { getActor } from "~/http/request-context.server";
import { readSchedule, toTimeRefusal } from "~/http/schedule-form.server";
import { parseForm, textField, firstValues, type FormValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { Actor } from "~/services/audit/audit.server";
import { outreach, suppressions, wavePlans } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** Handles the buttons of a campaign's page, which reports an action that the campaign's status does not allow. */
export async function actOnCampaign(id: string, request: Request, operator: SignedIn) {
  const form = await readForm(request);
  const { intent = "", decision = "" } = firstValues(form);
  const by = getActor(request, operator);
  const page = toRow(paths.outreachCampaign(id), readFrom(request));
  switch (intent) {
    case "copy": {
      const draft = await outreach.copyAsDraft(id, operator.email);
      if (!draft) return (await openDraft(id)) ?? redirectToCampaign(page, "campaign-gone");
      return report("draft-copied", paths.outreachPanel, { draft });
    }
    case "edit":
      return edit({ id, page }, by);
    case "reschedule":
      return reschedule({ id, page }, form, by);
    case "release":
      return release({ id, page }, form, by);
    case "retry-failed": {
      const outcome = await outreach.retryFailed(id, by);
      if (!outcome.ok) return redirectToCampaign(page, REFUSALS[outcome.error]);
      const { changed, suppressed } = outcome;
      if (changed + suppressed === 0) return redirectToCampaign(page, "nothing-to-retry");
      return report(undefined, page, {
        retried: `${changed}`,
        suppressed: `${suppressed}`,
      });
    }
    case "stop-repeating": {
      const hasStopped = await wavePlans.stop(id, by);
      return redirectToCampaign(page, hasStopped ? "wave-repeats-no-more" : undefined);
    }
    case "pause":
    case "resume":
    case "begin":
    case "cancel": {
      const outcome = await outreach[intent](id, by);
      return redirectToCampaign(page, outcome.ok ? undefined : REFUSALS[outcome.error]);
    }
    case "decide": {
      if (decision !== "resend" && decision !== "count-as-sent") return redirectToCampaign(page);
      const outcome = await outreach.decideUncertain(id, decision, by);
      if (!outcome.ok) return redirectToCampaign(page, REFUSALS[outcome.error]);
      return redirectToCampaign(page, outcome.changed > 0 ? undefined : "nothing-uncertain");
    }
    default:
      return redirectToCampaign(page);
  }
}

interface CampaignPlace {
  id: string;
  /** The campaign's page, which leads back to its list. */
  page: string;
}

/** Opens a campaign that somebody else has just made a draft; undefined when it is none. */
async function openDraft(id: string) {
  const campaign = await outreach.findCampaign(id);
  return campaign?.state === "draft"
    ? report("campaign-is-draft", paths.outreachPanel, { draft: id })
    : undefined;
}

/** Opens the campaign as the draft it was. One that somebody else has just made a draft is opened too. */
async function edit({ id, page }: CampaignPlace, by: Actor) {
  const outcome = await outreach.edit(id, by);
  if (outcome.ok) return report("campaign-reopened", paths.outreachPanel, { draft: id });
  if (outcome.error === "unknown-campaign") return redirectToCampaign(page, "campaign-gone");
  return (await openDraft(id)) ?? redirectToCampaign(page, "campaign-not-editable");
}

const releaseSchema = z.object({ because: textField({ label: "a reason", max: 200, required: true }) });

/** Releases what mail servers suppressed because of this campaign, with the operator's reason. */
async function release({ id, page }: CampaignPlace, form: FormValues, by: Actor) {
  const parsed = parseForm(releaseSchema, form);
  if (!parsed.ok) return refuse("release", { because: parsed.values.because, error: parsed.errors.because });
  const campaign = await outreach.findCampaign(id);
  if (!campaign) return redirectToCampaign(page, "campaign-gone");
  const released = await suppressions.releaseCampaign(campaign.id, parsed.value.because, by);
  return redirectToCampaign(page, released > 0 ? "campaign-suppressions-released" : "suppressions-gone");
}

async function reschedule({ id, page }: CampaignPlace, form: FormValues, by: Actor) {
  const read = readSchedule(form);
  if (!read.ok) return refuse("schedule", read.answer);
  if (!read.schedule) return refuse("schedule", toTimeRefusal(read.values, "not-a-time"));
  const outcome = await outreach.reschedule(id, read.schedule, by);
  if (outcome.ok) return report("campaign-rescheduled", page);
  if (outcome.error === "time-passed" || outcome.error === "too-far") {
    return refuse("schedule", toTimeRefusal(read.values, outcome.error));
  }
  return redirectToCampaign(page, REFUSALS[outcome.error]);
}

/** Redirects to the campaign's page, or to the list when the campaign does not exist. */
function redirectToCampaign(page: string, notice?: NoticeCode): Response {
  return report(notice, notice === "campaign-gone" ? paths.campaigns : page);
}

const REFUSALS = {
  "unknown-campaign": "campaign-gone",
  "wrong-state": "campaign-unchanged",
  cancelled: "campaign-unchanged",
} as const satisfies Record<string, NoticeCode>;
