import type { ComponentProps } from "react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { operatorMessages } from "~/content/operator-messages";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import type { Preflight } from "~/services/outreach/confirm.server";
import { OutreachPreflight } from "./outreach-preflight";
import { QuestionFields } from "./question-fields";
import { ScheduleLater } from "./schedule-later";

const copy = operatorMessages.outreach;

/** The last question. The draft's id is the campaign's id, so pressing twice sends once. */
export function OutreachConfirm(props: {
  draftId: string;
  title: string;
  message: string;
  preflight: Preflight;
  later: ComponentProps<typeof ScheduleLater>;
}) {
  const { draftId, title, message, preflight, later } = props;
  const back = linkTo(paths.outreach, { draft: draftId });
  // Its own address: what is refused is shown in the same place.
  const here = linkTo(paths.dashboard, { draft: draftId, step: "confirm" });
  return (
    <ConfirmDialog
      title={copy.confirmTitle}
      closeTo={back}
      action={here}
      intent="confirm"
      yes={copy.confirmYes}
      no={copy.cancel}
      fields={
        <>
          <input type="hidden" name="draft" value={draftId} />
          <QuestionFields question={preflight.question} />
          <ScheduleLater {...later} />
        </>
      }
    >
      <p>
        {copy.confirm(preflight.mailable)} {copy.cannotBeUndone} {copy.confirmQuestion}
      </p>
      <div className="flex flex-col gap-1 border-l-2 pl-3 break-words">
        <p className="font-medium">{title}</p>
        <p className="whitespace-pre-line">{message}</p>
      </div>
      <OutreachPreflight facts={preflight} />
    </ConfirmDialog>
  );
}
