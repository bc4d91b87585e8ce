import { z } from "zod";
import { templateMessages as copy } from "~/content/templates";
import { refuse, report, type Refusal } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { getActor } from "~/http/request-context.server";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { formatField, messageField } from "~/lib/message-fields";
import { toMessageFormat } from "~/lib/message-format";
import { allValues, firstValues, parseForm, textField, type FieldErrors } from "~/lib/parse-form";
import { isUuid } from "~/lib/uuid";
import { paths } from "~/paths";
import { templates } from "~/services/container.server";
import type { SavedTemplate, TemplateContent } from "~/services/outreach/templates.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

const templateSchema = z.object({
  name: textField({ label: "the name", max: 100, required: true }),
  title: textField({ label: "the title", max: 200 }),
  message: messageField({ required: true }),
  format: formatField(),
});

/** The form as sent. */
export interface RefusedTemplate extends Refusal<"template"> {
  readonly values: TemplateContent;
  readonly errors: FieldErrors<keyof TemplateContent>;
  /** Selected groups, and those of which the template was the default when the form was loaded. */
  readonly groups: readonly string[];
  readonly shownGroups: readonly string[];
  /** Hash of the content the form was loaded with. */
  readonly base: string;
  /** The template was deleted since. */
  readonly isDeleted?: boolean;
  readonly conflict?: SavedTemplate & { readonly isOwn: boolean };
}

/**
 * Saves a template, or creates one. "save-mine" overwrites the version of the other text that the operator has read,
 * and no later one; "create" saves the text of a deleted template too.
 */
export async function actOnTemplate(id: string, request: Request, operator: SignedIn) {
  const form = await readForm(request);
  const { intent = "", base = "", theirs = "", ...fields } = firstValues(form);
  if (intent !== "save" && intent !== "save-mine" && intent !== "create") {
    return report(undefined, paths.template(id));
  }
  const groups = listGroups(allValues(form, "group"));
  const shownGroups = listGroups(allValues(form, "shown"));
  const parsed = parseForm(templateSchema, form);
  const values = parsed.ok ? parsed.value : toContent(fields);
  const sent = {
    values,
    errors: {},
    groups,
    shownGroups,
    // The version that "save-mine" overwrites was read, and is not asked about again.
    base: intent === "save-mine" ? theirs : base,
    isDeleted: intent === "create" && isUuid(id),
  };
  const refuseTemplate = (
    refused: Partial<Pick<RefusedTemplate, "errors" | "message" | "conflict" | "isDeleted" | "base">>,
    status = 409,
  ) => refuse("template", { ...sent, ...refused }, { status });
  if (!parsed.ok) return refuseTemplate({ errors: parsed.errors }, 422);

  const actor = getActor(request, operator);
  if (intent === "create") {
    const created = await templates.create(parsed.value, actor, groups);
    if (created.ok) return report("template-saved", paths.template(created.id));
    if (created.error === "name-taken") return refuseTemplate({ errors: { name: copy.nameTaken } });
    return refuseTemplate({ message: copy.tooMany });
  }
  const defaults = {
    set: groups.filter((group) => !shownGroups.includes(group)),
    clear: shownGroups.filter((group) => !groups.includes(group)),
  };
  const outcome = await templates.change(id, parsed.value, { base: sent.base, defaults }, actor);
  if (outcome.ok) return report("template-saved", paths.template(id));
  if (outcome.error === "changed") {
    return refuseTemplate({
      base,
      conflict: { ...outcome.saved, isOwn: outcome.saved.by === operator.email },
    });
  }
  if (outcome.error === "name-taken") return refuseTemplate({ errors: { name: copy.nameTaken } });
  return refuseTemplate({ message: copy.deletedMeanwhile, isDeleted: true });
}

const listGroups = (sent: readonly string[]) => SUBMISSION_KINDS.filter((group) => sent.includes(group));

function toContent(fields: Record<string, string>): TemplateContent {
  const { name = "", title = "", message = "", format } = fields;
  return { name, title, message, format: toMessageFormat(format) };
}
