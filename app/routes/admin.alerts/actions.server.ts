import { z } from "zod";
import { alertMessages as copy } from "~/content/alerts";
import type { NoticeCode } from "~/content/notices";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { getActor, getRequestOrigin } from "~/http/request-context.server";
import { ALERT_CHOICES } from "~/lib/alert-choices";
import { firstValues, parseForm, type FormValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { alerts, status } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** Handles the forms of one's own alerts, by intent. */
export async function actOnAlerts(request: Request, operator: SignedIn) {
  const form = await readForm(request);
  switch (firstValues(form).intent) {
    case "choose":
      return choose(request, operator, form);
    case "test":
      return report(toNotice(await alerts.sendTest(getActor(request, operator))), paths.alerts);
    default:
      return report(undefined, paths.alerts);
  }
}

const choice = z.enum(ALERT_CHOICES, copy.problems.choice);

const choicesSchema = z.object({
  inquiry: choice,
  campaign: choice,
  incident: choice,
  summary: z.enum(["off", "daily"], copy.problems.choice),
  hour: z.string(copy.problems.hour).regex(/^(?:\d|1\d|2[0-3])$/, copy.problems.hour),
});

async function choose(request: Request, operator: SignedIn, form: FormValues) {
  const parsed = parseForm(choicesSchema, form);
  if (!parsed.ok) {
    return refuse("choose", { message: copy.notSaved, errors: parsed.errors, values: parsed.values });
  }
  const { hour, ...choices } = parsed.value;
  await alerts.choose(operator, { ...choices, hour: Number(hour) }, getRequestOrigin(request));
  return report("alerts-saved", paths.alerts);
}

function toNotice(outcome: Awaited<ReturnType<typeof alerts.sendTest>>): NoticeCode {
  switch (outcome) {
    case "accepted":
      return status.mailer === "outbox" ? "test-email-stored" : "test-email-accepted";
    case "queued":
      return "test-email-waiting";
    case "unknown":
      return "test-email-unknown";
    default:
      return "test-email-refused";
  }
}
