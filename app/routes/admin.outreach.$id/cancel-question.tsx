import { ConfirmDialog } from "~/components/confirm-dialog";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";

const copy = operatorMessages.outreachBooks;

/** Cancelling cannot be undone, so it says what will not be sent and asks. */
export function CancelQuestion({ sendId, waiting }: { sendId: string; waiting: number }) {
  const back = paths.outreachSend(sendId);
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
