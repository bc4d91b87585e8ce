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
import { notices } from "~/content/notices";
import { outreachMessages as copy } from "~/content/outreach";
import { paths } from "~/paths";
import { refuse, report } from "~/http/action-result.server";
import { discardDraft, restoreDraft } from "~/http/draft-actions.server";
import { getActor, getLogger, getRequestId, logError } from "~/http/request-context.server";
import { readSchedule, toTimeRefusal } from "~/http/schedule-form.server";
import { brand, outreach, sendTestEmail } from "~/services/container.server";
import type { ReviewedCampaign } from "~/services/outreach/confirm.server";
import type { DraftContent } from "~/services/outreach/drafts.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import type { RefusedConfirmation } from "./outreach-confirm";
import type { RefusedDraft } from "./outreach-panel";
import type { Autosaved } from "./use-autosave";

/** Drafts may have empty fields; each button's own schema checks what it needs. */
const draftSchema = z.object({
  audience: z.enum(SUBMISSION_KINDS, { error: "Please choose one of the groups." }),
  testAddress: emailField({ label: "the test address", required: false }),
  title: textField({ label: "the title", max: 200 }),
  message: textField({ label: "the message", max: 20_000, singleLine: false }),
});
const schemas = {
  save: draftSchema,
  "save-mine": draftSchema,
  autosave: draftSchema,
  preview: draftSchema,
  edit: draftSchema,
  test: draftSchema.extend({ testAddress: emailField({ label: "the test address" }) }),
  send: draftSchema.extend({
    title: textField({ label: "the title", max: 200, required: true }),
    message: textField({ label: "the message", max: 20_000, required: true, singleLine: false }),
  }),
} satisfies Record<string, z.ZodType<DraftContent>>;

/** Handles the panel's buttons, by intent. */
export async function actOnOutreach(form: FormValues, request: Request, person: SignedIn) {
  const { intent = "preview", draft: draftId = "", newDraft, base, theirs } = firstValues(form);
  if (intent === "confirm") return confirm(draftId, form, request, person);
  if (intent === "discard") return discardDraft(outreach, draftId, paths.outreach);
  if (intent === "restore") return restoreDraft(outreach, draftId, paths.outreach, { draft: draftId });
  if (!isButton(intent)) return report(undefined, paths.outreach);
  const parsed: Parsed<DraftContent> = parseForm(schemas[intent], form);
  if (!parsed.ok) return refuseDraft({ values: toDraft(parsed.values), errors: parsed.errors, draftId });

  const values = parsed.value;
  const saving = await outreach.saveDraft({
    ...values,
    id: draftId || newDraft,
    // Overwrites the version of the other text that the operator has read, and no later one.
    base: (intent === "save-mine" ? theirs : base) ?? "",
    form: newDraft,
    createdBy: person.email,
  });
  if (!saving.ok) {
    const conflict = { ...saving.saved, isOwn: saving.saved.by === person.email };
    if (intent === "autosave") return data<Autosaved>({ kind: "autosaved", conflict }, { status: 409 });
    return refuseDraft({ values, errors: {}, draftId, conflict }, 409);
  }
  const { id } = saving;
  switch (intent) {
    case "save":
    case "save-mine":
      return report("draft-saved", paths.outreach, { draft: id });
    case "autosave":
      return data<Autosaved>({ kind: "autosaved", savedDraft: id });
    case "edit":
      return report(undefined, paths.outreach, { draft: id });
    case "preview":
      return report(undefined, paths.outreach, { draft: id, panel: "preview" });
    case "test":
      return sendTest(id, values, request, person);
    case "send": {
      const { mailable } = await outreach.previewAudience(values.audience);
      if (mailable === 0) {
        const message = notices["no-recipients"].text;
        return refuseDraft({ values, errors: {}, draftId: id, message });
      }
      return report(undefined, paths.outreach, { draft: id, step: "confirm" });
    }
  }
}

function isButton(intent: string): intent is keyof typeof schemas {
  return Object.hasOwn(schemas, intent);
}

async function sendTest(draftId: string, values: DraftContent, request: Request, person: SignedIn) {
  const outcome = await sendTestEmail(
    {
      address: values.testAddress,
      title: values.title ? copy.testSubject(values.title) : copy.defaultTestSubject(brand.name),
      message: values.message,
      audience: values.audience,
    },
    getActor(request, person),
  );
  if (outcome.ok) return report("test-sent", paths.outreach, { draft: draftId });
  if (outcome.error === "suppressed") {
    return refuseDraft({ values, errors: { testAddress: copy.testSuppressed }, draftId });
  }
  const isUncertain = outcome.error === "uncertain";
  const reason = isUncertain ? "no answer yet" : outcome.reason;
  getLogger().error({ id: getRequestId() }, `Error sending test email: ${reason}`);
  const message = isUncertain ? copy.testUncertain : copy.testFailed(outcome.reason);
  return refuseDraft({ values, errors: {}, draftId, message }, 502);
}

async function confirm(id: string, form: FormValues, request: Request, person: SignedIn) {
  const read = readSchedule(form);
  if (!read.ok) return refuseConfirmation({ schedule: read.answer });
  // Where a time was typed, its fields stay open with it.
  const schedule = read.values.beginAt ? { values: read.values, errors: {} } : undefined;
  const outcome = await catchFailure(() =>
    outreach.confirm(
      { campaignId: id, reviewed: reviewedFields.parse(form), schedule: read.schedule },
      getActor(request, person),
    ),
  );
  if (!outcome) return refuseFailedConfirmation(schedule);
  if (outcome.ok) return report(undefined, paths.outreach, { send: id });
  if (outcome.error === "content-changed") {
    return refuseConfirmation({ schedule, confirmed: confirmedFields.parse(form) }, 409);
  }
  if (outcome.error === "time-passed" || outcome.error === "too-far") {
    return refuseConfirmation({ schedule: toTimeRefusal(read.values, outcome.error) });
  }
  return report(outcome.error, paths.outreach, { draft: id });
}

/** The answer to a confirmation that could not be stored: nothing was sent, and the dialog stays. */
export function refuseFailedConfirmation(schedule?: RefusedConfirmation["schedule"]) {
  return refuseConfirmation({ schedule, message: copy.failed, advice: copy.confirmFailed }, 503);
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
  .object({ audience: z.string(), title: z.string(), message: z.string() })
  .catch({ audience: "", title: "", message: "" });

function refuseDraft(refused: RefusedDraft, status = 422) {
  return refuse("draft", refused, { status });
}

function toDraft(values: Record<keyof DraftContent, string>): DraftContent {
  const { audience, testAddress = "", title = "", message = "" } = values;
  return {
    audience: SUBMISSION_KINDS.find((group) => group === audience) ?? "early-access",
    testAddress,
    title,
    message,
  };
}
