import { OutreachConfirm, type RefusedConfirmation } from "./outreach-confirm";
import type { OutreachView } from "./outreach-view.server";
import { SaveTemplate, StartQuestion, type RefusedTemplateName } from "./template-questions";

/** Returns whether the URL asks a question about the draft. */
export const hasOutreachQuestion = ({ confirming, isNamingTemplate, starting }: OutreachView) =>
  confirming !== undefined || isNamingTemplate || starting !== undefined;

interface OutreachQuestionProps {
  view: OutreachView;
  /** The refusal of the confirmation, which is asked again. */
  confirmation: RefusedConfirmation | undefined;
  /** The refusal of a template's name, which is asked again. */
  templateName: RefusedTemplateName | undefined;
}

/** The question of the URL's step, over the dashboard: whether to send the draft, or how it goes with a template. */
export function OutreachQuestion({ view, confirmation, templateName }: OutreachQuestionProps) {
  const { draftId, confirming, isNamingTemplate, starting } = view;
  if (!draftId) return null;
  if (confirming) {
    return (
      <OutreachConfirm
        draftId={draftId}
        content={view.values}
        audience={view.values.narrowing ? view.audience.words : undefined}
        lastSave={confirming.lastSave}
        now={view.now}
        preflight={confirming.preflight}
        refused={confirmation}
        later={{ holdMs: view.holdMs, clocks: confirming.clocks }}
        keptSchedule={confirming.keptSchedule}
        keptPace={confirming.keptPace}
        keptReminder={confirming.keptReminder}
        repeatedLimit={confirming.repeatedLimit}
      />
    );
  }
  if (isNamingTemplate) return <SaveTemplate draftId={draftId} refused={templateName} />;
  return starting ? (
    <StartQuestion draftId={draftId} template={starting} newDraftId={view.newDraftId} />
  ) : null;
}
