import { ConfirmDialog } from "~/components/confirm-dialog";
import { TextField } from "~/components/text-field";
import { templateMessages as copy } from "~/content/templates";
import { linkTo } from "~/http/list-state";
import { toMaxLength } from "~/lib/max-length";
import { paths } from "~/paths";
import type { OutreachView } from "./outreach-view.server";

/** The answer to a template that was not saved: the typed name, with what is wrong with it. */
export interface RefusedTemplateName {
  name: string;
  error: string;
}

interface SaveTemplateProps {
  draftId: string;
  refused: RefusedTemplateName | undefined;
}

/** Asks for the name of the template that a draft is saved as. */
export function SaveTemplate({ draftId, refused }: SaveTemplateProps) {
  return (
    <ConfirmDialog
      title={copy.saveAsTitle}
      closeTo={linkTo(paths.outreachPanel, { draft: draftId })}
      // Posts to its own address, so that refusals are shown in the same place.
      action={linkTo(paths.dashboard, { draft: draftId, step: "template" })}
      intent="save-template"
      yes={copy.save}
      no={copy.keepWriting}
      asksForInput
      fields={
        <>
          <input type="hidden" name="draft" value={draftId} />
          <TextField
            label={copy.name}
            hint={copy.nameHint}
            error={refused?.error}
            name="name"
            required
            maxLength={toMaxLength(100)}
            autoComplete="off"
            defaultValue={refused?.name}
          />
        </>
      }
    >
      <p>{copy.saveAsText}</p>
    </ConfirmDialog>
  );
}

interface StartQuestionProps {
  draftId: string;
  template: NonNullable<OutreachView["starting"]>;
  /** Id of the draft that starts from the template, however often the form is sent. */
  newDraftId: string;
}

/** Asks before a draft with a text of its own gives way to one that starts from a template. */
export function StartQuestion({ draftId, template, newDraftId }: StartQuestionProps) {
  return (
    <ConfirmDialog
      title={copy.startTitle}
      closeTo={linkTo(paths.outreachPanel, { draft: draftId })}
      action={linkTo(paths.outreachPanel, { draft: draftId, start: template.id })}
      intent="replace"
      yes={copy.startYes}
      no={copy.keepWriting}
      fields={
        <>
          <input type="hidden" name="draft" value={draftId} />
          <input type="hidden" name="newDraft" value={newDraftId} />
          <input type="hidden" name="template" value={template.id} />
        </>
      }
    >
      <p className="wrap-anywhere">
        <bdi>{copy.startText(template.name)}</bdi>
      </p>
    </ConfirmDialog>
  );
}
