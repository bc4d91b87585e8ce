import { ConfirmDialog } from "~/components/confirm-dialog";
import { outreachPace as copy } from "~/operator-messages/outreach-pace";
import { paths } from "~/paths";
import type { Waiting } from "~/services/outreach/waiting";

/** Sending cannot be undone, so it names the time it was planned for and asks. */
export function SendNowQuestion({ sendId, waiting }: { sendId: string; waiting: Waiting | undefined }) {
  const back = paths.outreachSend(sendId);
  return (
    <ConfirmDialog
      title={copy.beginNowTitle}
      closeTo={back}
      action={back}
      intent="begin"
      yes={copy.beginNow}
      no={copy.notNow}
    >
      <p>{copy.beginNowQuestion(waiting)}</p>
    </ConfirmDialog>
  );
}
