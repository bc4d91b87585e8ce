import { data } from "@remix-run/node";
import { z } from "zod";
import {
  emailField,
  parseForm,
  textField,
  firstValues,
  type FormValues,
  type Parsed,
} from "~/lib/parse-form";
import { audienceMessages } from "~/content/audiences";
import { toPace } from "~/lib/campaign-pace";
import { paceMessages } from "~/content/pace";
import { waveReminderMessages } from "~/content/wave-reminders";
import { REMINDERS } from "~/lib/wave-reminders";
import { wavePlanMessages } from "~/content/wave-plans";
import { REPEATS } from "~/lib/repeats";
import { notices } from "~/content/notices";
import { outreachMessages as copy } from "~/content/outreach";
import { waveMessages } from "~/content/waves";
import { templateMessages } from "~/content/templates";
import { paths } from "~/paths";
import { refuse, report } from "~/http/action-result.server";
import { discardDraft, restoreDraft } from "~/http/draft-actions.server";
import { getActor, getLogger, getRequestId, logError } from "~/http/request-context.server";
import { readNarrowing, readNarrowingLoosely } from "~/http/lists/narrowing";
import { readSchedule, toTimeRefusal } from "~/http/schedule-form.server";
import {
  brand,
  campaignFields,
  emailPreviews,
  outreach,
  peopleList,
  sendTestEmail,
  templates,
} from "~/services/container.server";
import { MAX_AUDIENCE } from "~/services/audiences/narrowing";
import { toHeaderText } from "~/services/mail/email-headers";
import { isChosen, isWave } from "~/services/outreach/audience.server";
import type { ReviewedCampaign } from "~/services/outreach/confirm.server";
import { toDraftContent, type DraftContent } from "~/services/outreach/drafts.server";
import { newId } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { formatField, messageField, refuseFields } from "~/lib/message-fields";
import { toMessageFormat } from "~/lib/message-format";
import { listUnknownMergeFields } from "~/lib/merge-fields";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import type { RefusedConfirmation } from "./outreach-confirm";
import type { RefusedDraft } from "./outreach-panel";
import { EMPTY_DRAFT, getAudienceSummary, type AudienceSummary } from "./outreach-view.server";
import type { Autosaved } from "./use-autosave";

/** The fields of a draft without those that narrow its audience. */
type DraftFields = Omit<DraftContent, "narrowing">;

/** Drafts may have empty fields; each button's own schema checks what it needs. */
const draftSchema = z.object({
  audience: z.enum(SUBMISSION_KINDS, { error: "Please choose one of the groups." }),
  testAddress: emailField({ label: "the test address", required: false }),
  // As it is sent: a confirmation refuses a title with a tab, which a browser keeps.
  title: textField({ label: "the title", max: 200 }).transform(toHeaderText),
  message: messageField(),
  format: formatField().default("text"),
});
const schemas = {
  save: draftSchema,
  "save-mine": draftSchema,
  autosave: draftSchema,
  preview: draftSchema,
  edit: draftSchema,
  start: draftSchema,
  "start-default": draftSchema,
  "name-template": draftSchema.extend({
    message: messageField({ required: true }),
  }),
  test: draftSchema.extend({ testAddress: emailField({ label: "the test address" }) }),
  send: draftSchema.extend({
    title: refuseFields(
      textField({ label: "the title", max: 200, required: true }),
      explainUnknownField,
    ).transform(toHeaderText),
    message: refuseFields(messageField({ required: true }), explainUnknownField),
  }),
} satisfies Record<string, z.ZodType<DraftFields>>;

/** Names the first field of a text that nobody has. */
function explainUnknownField(text: string): string | undefined {
  const [unknown] = listUnknownMergeFields(text, campaignFields);
  return unknown === undefined ? undefined : copy.unknownField(unknown, campaignFields);
}

/** Handles the panel's buttons, by intent. */
export async function actOnOutreach(form: FormValues, request: Request, operator: SignedIn) {
  const typed = firstValues(form);
  const { intent = "preview", draft: draftId = "", template } = typed;
  // Of the opened draft (OpenedDraft), of the text in conflict with it, and of the audience's change to be counted, if any.
  const { newDraft, base, theirs, countChange } = typed;
  if (intent === "confirm") return confirm(draftId, form, request, operator);
  if (intent === "discard") return discardDraft(outreach, draftId, paths.outreachPanel);
  if (intent === "restore") return restoreDraft(outreach, draftId, paths.outreachPanel, { draft: draftId });
  if (intent === "save-template") return saveTemplate(draftId, form, request, operator);
  if (intent === "replace") return replaceDraft(draftId, { newDraft, template }, operator);
  if (!isDraftIntent(intent)) return report(undefined, paths.outreachPanel);
  const opened = { contentHash: base ?? "", newDraftId: newDraft ?? outreach.newDraftId() };
  let parsed: Parsed<DraftFields> = parseForm(schemas[intent], form);
  const narrowFields = new URLSearchParams(typed);
  const narrowed = readNarrowing(narrowFields, operator.timeZone);
  const narrow = { values: narrowed.values, errors: narrowed.ok ? {} : narrowed.errors };
  const typedDraft = parsed.ok
    ? { values: parsed.value, errors: {}, narrow, draftId }
    : { values: toDraft(parsed.values), errors: parsed.errors, narrow, draftId };
  const isComplete = parsed.ok && narrowed.ok;
  const refuseDraft = async (refused: Omit<RefusedDraft, "audience" | "opened">, status = 422) => {
    let audience: AudienceSummary = {
      words: audienceMessages.refused,
      isChosen: true,
      preview: undefined,
    };
    if (narrowed.ok) {
      const draft = { ...refused.values, narrowing: narrowed.narrowing, id: refused.draftId };
      // Counted as on the draft's page. A refused autosave shows no audience.
      audience = await getAudienceSummary(draft, isChosen(draft) && intent !== "autosave");
    }
    return refuse("draft", { ...refused, audience, opened }, { status });
  };
  // What is not valid yet keeps its stored value, so that an autosave saves the others.
  const kept =
    intent === "autosave" && !isComplete
      ? await findContent(draftId || newDraft, narrowFields, operator)
      : undefined;
  if (!parsed.ok && kept) {
    const invalid = Object.keys(parsed.errors) as (keyof DraftFields)[];
    const stored = Object.fromEntries(invalid.map((field) => [field, kept[field]]));
    parsed = parseForm(schemas[intent], { ...form, ...stored });
  }
  const narrowing = narrowed.ok ? narrowed.narrowing : kept?.narrowing;
  if (!parsed.ok || narrowing === undefined) return refuseDraft(typedDraft);

  const values = { ...parsed.value, narrowing };
  const saving = await outreach.saveDraft({
    ...values,
    id: draftId || newDraft,
    // Overwrites the version of the other text that the operator has read, and no later one.
    base: (intent === "save-mine" ? theirs : base) ?? "",
    form: newDraft,
    createdBy: operator.email,
  });
  if (!saving.ok) {
    const { words } = await getAudienceSummary(saving.saved, false);
    const conflict = { ...saving.saved, narrowed: words, isOwn: saving.saved.by === operator.email };
    return refuseDraft({ ...typedDraft, conflict }, 409);
  }
  const { id, isCopy } = saving;
  // The operator has to know that this is another email, before it is sent to the same people again.
  if (isCopy && intent !== "autosave") {
    return report("draft-confirmed-before", paths.outreachPanel, { draft: id });
  }
  switch (intent) {
    case "save":
    case "save-mine":
      return report("draft-saved", paths.outreachPanel, { draft: id });
    case "autosave":
      return data<Autosaved>({
        kind: "autosaved",
        savedDraft: id,
        isCopy,
        isComplete,
        email: values.title && values.message ? await emailPreviews.previewText(id) : undefined,
        audience:
          countChange && narrowed.ok
            ? { change: Number(countChange), summary: await getAudienceSummary({ ...values, id }, true) }
            : undefined,
      });
    case "edit":
      return report(undefined, paths.outreachPanel, { draft: id });
    case "preview":
      return report(undefined, paths.outreachPanel, { draft: id, panel: "preview" });
    case "test": {
      const refusal = await sendTest(values, request, operator);
      if (!refusal) return report("test-sent", paths.outreachPanel, { draft: id });
      return refuseDraft({ values, errors: {}, narrow, ...refusal.shown, draftId: id }, refusal.status);
    }
    case "start":
      return start(id, template, operator);
    case "start-default": {
      const defaults = await templates.listDefaults();
      const own = defaults.find(({ audience }) => audience === values.audience);
      if (!own) return report("no-default-template", paths.outreachPanel, { draft: id });
      return start(id, own.id, operator);
    }
    case "name-template":
      return report(undefined, paths.outreachPanel, { draft: id, step: "template" });
    case "send": {
      if (isChosen(values) && !(await peopleList.isComplete())) {
        return refuseDraft({ values, errors: {}, narrow, draftId: id, message: audienceMessages.incomplete });
      }
      const { chosen, isTooLarge } = await outreach.countRecipients({ ...values, id });
      if (chosen === 0 || isTooLarge) {
        const message = isTooLarge ? audienceMessages.tooLarge(MAX_AUDIENCE) : notices["no-recipients"].text;
        return refuseDraft({ values, errors: {}, narrow, draftId: id, message });
      }
      return report(undefined, paths.outreachPanel, { draft: id, step: "confirm" });
    }
  }
}

/** Returns the stored content of a draft; where there is none, an empty form's, narrowed by the valid fields. */
async function findContent(
  id = "",
  narrowFields: URLSearchParams,
  { timeZone }: SignedIn,
): Promise<DraftContent> {
  const stored = await outreach.findCampaign(id);
  if (stored) return toDraftContent(stored);
  return { ...EMPTY_DRAFT, narrowing: readNarrowingLoosely(narrowFields, timeZone) };
}

/** Returns whether the button sends the draft's form. */
function isDraftIntent(intent: string): intent is keyof typeof schemas {
  return Object.hasOwn(schemas, intent);
}

/** Copies a template into a draft, or asks first where the draft has a text of its own. */
async function start(draftId: string, template = "", operator: SignedIn): Promise<Response> {
  const outcome = await outreach.fillDraft(draftId, template, operator.email);
  const draft = { draft: draftId };
  if (outcome.ok) return report("draft-started", paths.outreachPanel, { ...draft, filled: newId() });
  if (outcome.error === "has-text")
    return report(undefined, paths.outreachPanel, { ...draft, start: template });
  return report(outcome.error, paths.outreachPanel, draft);
}

/** Starts a new draft from a template in the place of another one, which is kept. */
async function replaceDraft(
  draftId: string,
  {
    newDraft = "",
    template: templateId = "",
  }: { newDraft: string | undefined; template: string | undefined },
  operator: SignedIn,
): Promise<Response> {
  const outcome = await outreach.replaceDraft(draftId, { newDraft, templateId, by: operator.email });
  if (!outcome.ok) {
    const notice = outcome.error === "template-gone" ? outcome.error : "draft-gone";
    return report(notice, paths.outreachPanel, { draft: draftId });
  }
  return report("draft-replaced", paths.outreachPanel, { draft: newDraft, former: draftId });
}

const templateName = z.object({ name: textField({ label: "the name", max: 100, required: true }) });

/** Saves a draft's title, message and format as a template. */
async function saveTemplate(draftId: string, form: FormValues, request: Request, operator: SignedIn) {
  const parsed = parseForm(templateName, form);
  const refuseName = (error: string, status = 409) =>
    refuse("template", { name: firstValues(form).name ?? "", error }, { status });
  if (!parsed.ok) return refuseName(parsed.errors.name ?? "", 422);
  const draft = await outreach.findCampaign(draftId);
  if (draft?.state !== "draft") return report("draft-gone", paths.outreachPanel);
  const { title, message, format } = draft;
  const content = { name: parsed.value.name, title, message, format };
  const created = await templates.create(content, getActor(request, operator));
  if (created.ok) return report("template-saved", paths.outreachPanel, { draft: draftId });
  return refuseName(created.error === "name-taken" ? templateMessages.nameTaken : templateMessages.tooMany);
}

/** Sends the test email. @returns undefined when it was sent. */
async function sendTest(values: DraftContent, request: Request, operator: SignedIn) {
  const outcome = await sendTestEmail(
    {
      address: values.testAddress,
      title: values.title ? copy.testSubject(values.title) : copy.defaultTestSubject(brand.name),
      message: values.message,
      format: values.format,
      audience: values.audience,
      narrowing: values.narrowing,
    },
    getActor(request, operator),
  );
  if (outcome.ok) return undefined;
  if (outcome.error === "suppressed") {
    return { status: 422, shown: { errors: { testAddress: copy.testProblem(outcome) } } };
  }
  const reason = outcome.error === "uncertain" ? "no answer yet" : outcome.reason;
  getLogger().error({ id: getRequestId() }, `Error sending test email: ${reason}`);
  return { status: 502, shown: { message: copy.testProblem(outcome) } };
}

async function confirm(id: string, form: FormValues, request: Request, operator: SignedIn) {
  const read = readSchedule(form);
  // A form of before there were paces has none.
  const { pace: value = "0", repeat: often = "", remind = "0" } = firstValues(form);
  const paceMs = toPace(value);
  const repeats = REPEATS.find((each) => each === often);
  const isRepeatKnown = repeats !== undefined || often === "";
  const remindMs = REMINDERS.find((each) => String(each) === remind);
  const typed = {
    pace: { value, ...(paceMs === undefined && { error: paceMessages.unknown }) },
    repeat: { value: often, ...(!isRepeatKnown && { error: wavePlanMessages.unknown }) },
    remind: { value: remind, ...(remindMs === undefined && { error: waveReminderMessages.unknown }) },
  };
  if (!read.ok) return refuseConfirmation({ schedule: read.answer, ...typed });
  // Where a time was typed, its fields stay open with it.
  const schedule = read.values.beginAt ? { values: read.values, errors: {} } : undefined;
  if (paceMs === undefined || remindMs === undefined || !isRepeatKnown)
    return refuseConfirmation({ schedule, ...typed });
  const repeating = repeats && { repeats, timeZone: read.values.timeZone };
  const reviewed = reviewedFields.parse(form);
  const outcome = await catchFailure(() =>
    outreach.confirm(
      { campaignId: id, reviewed, schedule: read.schedule, paceMs, remindMs, repeating },
      getActor(request, operator),
    ),
  );
  if (!outcome) return refuseFailedConfirmation({ schedule, ...typed });
  if (outcome.ok) return report(undefined, paths.outreachPanel, { send: id });
  if (outcome.error === "content-changed") {
    return refuseConfirmation({ schedule, ...typed, confirmed: confirmedFields.parse(form) }, 409);
  }
  if (outcome.error === "time-passed" || outcome.error === "too-far") {
    return refuseConfirmation({ schedule: toTimeRefusal(read.values, outcome.error), ...typed });
  }
  if (outcome.error === "audience-changed") {
    const draft = await outreach.findCampaign(id);
    const { chosen } = draft ? await outreach.countRecipients(draft) : { chosen: 0 };
    const message = audienceMessages.changed(reviewed.counted, chosen);
    const advice = draft && isWave(draft) ? waveMessages.changedAdvice : audienceMessages.changedAdvice;
    return refuseConfirmation({ schedule, ...typed, message, advice }, 409);
  }
  if (outcome.error === "audience-too-large") {
    return refuseConfirmation({ schedule, ...typed, message: audienceMessages.tooLarge(MAX_AUDIENCE) });
  }
  return report(outcome.error, paths.outreachPanel, { draft: id });
}

/** The answer to a confirmation that could not be stored: nothing was sent, and the dialog stays. */
export function refuseFailedConfirmation(
  typed: Pick<RefusedConfirmation, "schedule" | "pace" | "repeat" | "remind"> = { schedule: undefined },
) {
  return refuseConfirmation({ ...typed, message: copy.failed, advice: copy.confirmFailed }, 503);
}

function refuseConfirmation(refused: RefusedConfirmation, status = 422) {
  return refuse("confirm", refused, { status });
}

/** Returns undefined when the work fails, which is logged. */
async function catchFailure<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (err) {
    logError(err, "a campaign could not be confirmed");
    return undefined;
  }
}

const countField = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/**
 * The hidden fields of OutreachConfirm. Values that this page did not write get an empty hash, which no content
 * has, so that the page asks again.
 */
const reviewedFields = z
  .object({ content: z.string(), through: countField, counted: countField })
  .transform(({ content, ...counts }): ReviewedCampaign => ({ contentHash: content, ...counts }))
  .catch({ contentHash: "", through: 0, counted: 0 });

/** The text that OutreachConfirm showed, to be shown again beside a later one; nothing else is done with it. */
const confirmedFields = z
  .object({
    audience: z.string(),
    narrowed: z.string(),
    title: z.string(),
    message: z.string(),
    format: formatField().optional(),
  })
  .catch({ audience: "", narrowed: "", title: "", message: "" });

function toDraft(values: Record<keyof DraftFields, string>): DraftFields {
  const { audience, testAddress = "", title = "", message = "", format } = values;
  return {
    audience: SUBMISSION_KINDS.find((group) => group === audience) ?? "early-access",
    testAddress,
    title,
    message,
    format: toMessageFormat(format),
  };
}
