import { z } from "zod";
import { automaticMessages as copy } from "~/content/automatic";
import { outreachMessages } from "~/content/outreach";
import { refuse, report } from "~/http/action-result.server";
import { resendAutomaticEmail } from "~/http/automatic-actions.server";
import { readForm } from "~/http/form-data.server";
import { getActor } from "~/http/request-context.server";
import { FIELDS_OF_RULE, type AutomaticRule } from "~/lib/automatic-rules";
import { listMergeFields, listUnknownMergeFields } from "~/lib/merge-fields";
import { formatField, messageField, refuseFields } from "~/lib/message-fields";
import { toMessageFormat } from "~/lib/message-format";
import { firstValues, parseForm, textField, type FormValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { Actor } from "~/services/audit/audit.server";
import { automaticEmails, automaticRules } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** Handles the page's buttons, by intent. */
export async function actOnRule(rule: AutomaticRule, request: Request, operator: SignedIn) {
  const form = await readForm(request);
  const actor = getActor(request, operator);
  const page = paths.automaticRule(rule);
  const values = firstValues(form);
  switch (values.intent) {
    case "save":
      return save(rule, form, actor);
    case "turn-on":
    case "turn-off": {
      const isOn = values.intent === "turn-on";
      await automaticRules.turn(rule, isOn, actor);
      return report(isOn ? "automatic-on" : "automatic-off", page);
    }
    case "test":
      return sendTest(rule, actor);
    case "resend":
      return resendAutomaticEmail(automaticEmails, values, actor, page);
    default:
      return report(undefined, page);
  }
}

function toSchema(rule: AutomaticRule) {
  const explain = (text: string) => explainField(rule, text);
  return z.object({
    subject: refuseFields(textField({ label: "the subject", max: 200, required: true }), explain),
    message: refuseFields(messageField({ required: true }), explain),
    format: formatField(),
  });
}

/** Names the first field of a text that the rule does not have. */
function explainField(rule: AutomaticRule, text: string): string | undefined {
  const [unknown] = listUnknownMergeFields(text);
  if (unknown !== undefined) return copy.unknownField(rule, unknown);
  const other = listMergeFields(text).find((each) => !FIELDS_OF_RULE[rule].includes(each));
  return other && copy.notAllowed(rule, other);
}

/**
 * Saves the text, unless somebody saved another after the form was opened with the one of the id `base`. The form then gets
 * the id of the newer text, so that a second press replaces it.
 */
async function save(rule: AutomaticRule, form: FormValues, actor: Actor) {
  const parsed = parseForm(toSchema(rule), form);
  const { base = "", ...fields } = firstValues(form);
  const values = toTyped(fields);
  if (!parsed.ok) return refuse("text", { values, errors: parsed.errors, base });
  const saving = await automaticRules.save(rule, parsed.value, base, actor);
  if (saving.ok) return report("automatic-saved", paths.automaticRule(rule));
  const { saved, textId } = saving.current;
  const refusal = { values, errors: {}, base: textId };
  const message = copy.changed(saved?.by);
  return refuse("text", { ...refusal, message, advice: copy.changedAdvice }, { status: 409 });
}

const toTyped = ({ subject = "", message = "", format }: Readonly<Record<string, string>>) => ({
  subject,
  message,
  format: toMessageFormat(format),
});

async function sendTest(rule: AutomaticRule, actor: Actor) {
  const outcome = await automaticEmails.sendTest(rule, actor);
  if (outcome.ok) return report("test-sent", paths.automaticRule(rule));
  const status = outcome.error === "suppressed" ? 422 : 502;
  return refuse("test", { message: outreachMessages.testProblem(outcome) }, { status });
}
