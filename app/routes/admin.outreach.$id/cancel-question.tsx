import { ConfirmDialog } from "~/components/confirm-dialog";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";

const copy = operatorMessages.outreachBooks;

/** Cancelling cannot be undone, so it says what will not be sent and asks. */
export function CancelQuestion({ campaignId, waiting }: { campaignId: string; waiting: number }) {
  const back = paths.outreachCampaign(campaignId);
  return (
    <ConfirmDialog
      title={copy.cancelTitle}
      closeTo={back}
      action={back}
      intent="cancel"
      yes={copy.cancel}
      no={copy.keepSending}
      isDestructive
    >
      <p>{copy.cancelQuestion(waiting)}</p>
    </ConfirmDialog>
  );
}
