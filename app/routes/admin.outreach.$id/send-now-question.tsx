import { ConfirmDialog } from "~/components/confirm-dialog";
import { outreachPace as copy } from "~/content/outreach-pace";
import { paths } from "~/paths";

/** Sending cannot be undone, so it names the time it was planned for and asks. */
export function SendNowQuestion({
  campaignId,
  planned,
}: {
  campaignId: string;
  planned: string | undefined;
}) {
  const back = paths.outreachCampaign(campaignId);
  return (
    <ConfirmDialog
      title={copy.beginNowTitle}
      closeTo={back}
      action={back}
      intent="begin"
      yes={copy.beginNow}
      no={copy.notNow}
    >
      <p>{copy.beginNowQuestion(planned)}</p>
    </ConfirmDialog>
  );
}
