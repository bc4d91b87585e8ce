import { ConfirmDialog } from "~/components/confirm-dialog";
import { outreachPace as copy } from "~/content/outreach-pace";
import { paths } from "~/paths";
import type { Clocks, ScheduleAnswer, ScheduleValues } from "../admin.dashboard/read-schedule";
import { ScheduleFields } from "../admin.dashboard/schedule-fields";

interface RescheduleQuestionProps {
  campaignId: string;
  clocks: Clocks;
  /** What is planned now. */
  values: ScheduleValues;
  /** What was refused. */
  answer: ScheduleAnswer | undefined;
}

/** Asks for another time for a campaign that has not begun. */
export function RescheduleQuestion({ campaignId, clocks, values, answer }: RescheduleQuestionProps) {
  const back = paths.outreachCampaign(campaignId);
  return (
    <ConfirmDialog
      title={copy.rescheduleTitle}
      closeTo={back}
      action={`${back}?step=reschedule`}
      intent="reschedule"
      yes={copy.saveTime}
      no={copy.keepTime}
      asksForInput
      fields={
        <div className="flex w-full flex-col gap-4 pb-4">
          <ScheduleFields
            hint={copy.nowThere(clocks.now)}
            clocks={clocks}
            values={answer?.values ?? values}
            errors={answer?.errors}
          />
        </div>
      }
    >
      <p>{copy.rescheduleText}</p>
    </ConfirmDialog>
  );
}
