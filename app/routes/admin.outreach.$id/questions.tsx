import { ConfirmDialog } from "~/components/confirm-dialog";
import { campaignStartMessages as startCopy } from "~/content/campaign-start";
import { campaignStatusMessages as copy } from "~/content/outreach";
import type { ScheduleAnswer } from "../admin.dashboard/read-schedule";
import { ScheduleFields } from "../admin.dashboard/schedule-fields";
import type { CampaignView } from "./campaign-view.server";

/** Asks before cancelling, which cannot be undone, and says what will not be sent. */
export function CancelQuestion({ view: { page, stats } }: { view: CampaignView }) {
  return (
    <ConfirmDialog
      title={copy.cancelTitle}
      closeTo={page}
      intent="cancel"
      yes={copy.cancel}
      no={copy.keepSending}
      isDestructive
    >
      <p>{copy.cancelQuestion(stats.pending)}</p>
    </ConfirmDialog>
  );
}

/** Asks before sending at once, which cannot be undone, and names the planned time. */
export function SendNowQuestion({ view: { page, planned } }: { view: CampaignView }) {
  return (
    <ConfirmDialog
      title={startCopy.beginNowTitle}
      closeTo={page}
      intent="begin"
      yes={startCopy.beginNow}
      no={startCopy.notNow}
    >
      <p>{startCopy.beginNowQuestion(planned)}</p>
    </ConfirmDialog>
  );
}

interface RescheduleQuestionProps extends NonNullable<CampaignView["rescheduling"]> {
  page: string;
  /** The refusal of the submitted values. */
  answer: ScheduleAnswer | undefined;
}

/** Asks for a new time for a campaign that has not started. */
export function RescheduleQuestion({ page, clocks, values, answer }: RescheduleQuestionProps) {
  return (
    <ConfirmDialog
      title={startCopy.rescheduleTitle}
      closeTo={page}
      action={`${page}?step=reschedule`}
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
