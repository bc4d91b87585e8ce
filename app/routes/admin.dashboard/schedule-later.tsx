import { ChevronRight } from "~/components/icons";
import { operatorMessages } from "~/content/operator-messages";
import { ScheduleFields } from "./schedule-fields";
import type { Clocks, ScheduleAnswer } from "./read-schedule";

const copy = operatorMessages.outreachPace;

interface ScheduleLaterProps {
  /** How long every campaign is held after the confirmation. */
  holdMs: number;
  clocks: Clocks;
  /** What was refused. */
  answer: ScheduleAnswer | undefined;
}

/** When the campaign begins: fields of the confirm step, folded away because most begin at once. */
export function ScheduleLater({ holdMs, clocks, answer }: ScheduleLaterProps) {
  return (
    <div className="flex w-full flex-col gap-3 pb-4">
      {holdMs > 0 ? <p>{copy.held(holdMs)}</p> : null}
      <details open={answer !== undefined} className="group rounded-md border">
        <summary className="flex h-10 items-center gap-2 rounded-md px-3 font-medium select-none hover:bg-muted/60">
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
          />
          {copy.later}
        </summary>
        <div className="flex flex-col gap-4 border-t p-4">
          <ScheduleFields
            hint={copy.beginAtHint(clocks.now)}
            clocks={clocks}
            values={answer?.values}
            errors={answer?.errors}
          />
          <p className="text-muted-foreground">{copy.audience}</p>
        </div>
      </details>
    </div>
  );
}
