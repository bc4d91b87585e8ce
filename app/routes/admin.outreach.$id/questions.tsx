import { ConfirmDialog } from "~/components/confirm-dialog";
import { campaignStatusMessages as copy } from "~/content/outreach";
import { paths } from "~/paths";
import { campaignStartMessages as startCopy } from "~/content/campaign-start";
import type { Clocks, ScheduleAnswer, ScheduleValues } from "../admin.dashboard/read-schedule";
import { ScheduleFields } from "../admin.dashboard/schedule-fields";

/** Asks before cancelling, which cannot be undone, and says what will not be sent. */
export function CancelQuestion({ campaignId, waiting }: { campaignId: string; waiting: number }) {
  return (
    <ConfirmDialog
      title={copy.cancelTitle}
      closeTo={paths.outreachCampaign(campaignId)}
      intent="cancel"
      yes={copy.cancel}
      no={copy.keepSending}
      isDestructive
    >
      <p>{copy.cancelQuestion(waiting)}</p>
    </ConfirmDialog>
  );
}

/** Asks before sending at once, which cannot be undone, and names the planned time. */
export function SendNowQuestion({
  campaignId,
  planned,
}: {
  campaignId: string;
  planned?: string | undefined;
}) {
  return (
    <ConfirmDialog
      title={startCopy.beginNowTitle}
      closeTo={paths.outreachCampaign(campaignId)}
      intent="begin"
      yes={startCopy.beginNow}
      no={startCopy.notNow}
    >
      <p>{startCopy.beginNowQuestion(planned)}</p>
    </ConfirmDialog>
  );
}

interface RescheduleQuestionProps {
  campaignId: string;
  clocks: Clocks;
  /** The current schedule. */
  values: ScheduleValues;
  /** The refusal of the submitted values. */
  answer: ScheduleAnswer | undefined;
}

/** Asks for a new time for a campaign that has not started. */
export function RescheduleQuestion({ campaignId, clocks, values, answer }: RescheduleQuestionProps) {
  const back = paths.outreachCampaign(campaignId);
  return (
    <ConfirmDialog
      title={startCopy.rescheduleTitle}
      closeTo={back}
      action={`${back}?step=reschedule`}
      intent="reschedule"
      yes={startCopy.saveTime}
      no={startCopy.keepTime}
      asksForInput
      fields={
        <div className="flex w-full flex-col gap-4 pb-4">
          <ScheduleFields
            hint={startCopy.nowThere(clocks.now)}
            clocks={clocks}
            values={answer?.values ?? values}
            errors={answer?.errors}
          />
        </div>
      }
    >
      <p>{startCopy.rescheduleText}</p>
    </ConfirmDialog>
  );
}
