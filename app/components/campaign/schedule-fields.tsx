import { FormField } from "~/components/form-field";
import { TextField } from "~/components/text-field";
import {
  Collapsible,
  CollapsibleContent,
  CollapsibleIcon,
  CollapsibleTrigger,
} from "~/components/ui/collapsible";
import { NativeSelect } from "~/components/ui/native-select";
import { campaignStartMessages as copy } from "~/content/campaign-start";
import type { Clocks, ScheduleAnswer } from "~/http/schedule-form.server";

interface ScheduleFieldsProps {
  /** Hint below the time. */
  hint: string;
  clocks: Clocks;
  /** The values shown, with their errors; undefined for empty fields. */
  answer: ScheduleAnswer | undefined;
  onBeginAtChange?: ((beginAt: string) => void) | undefined;
}

/** Fields for a date, a time and its time zone, and for what happens when the time is missed. */
export function ScheduleFields({ hint, clocks, answer, onBeginAtChange }: ScheduleFieldsProps) {
  const { values, errors } = answer ?? {};
  const timeZone = values?.timeZone || clocks.timeZone;
  const zones = clocks.timeZones.includes(timeZone) ? clocks.timeZones : [timeZone, ...clocks.timeZones];
  return (
    <>
      <TextField
        label={copy.beginAt}
        hint={hint}
        error={errors?.beginAt}
        type="datetime-local"
        name="beginAt"
        defaultValue={values?.beginAt}
        // React's onChange does not hear of a time that was set before hydration (announceTyped).
        onInput={(event) => onBeginAtChange?.(event.currentTarget.value)}
      />
      <FormField label={copy.timeZone} hint={copy.timeZoneHint} error={errors?.timeZone}>
        {(control) => (
          <NativeSelect {...control} name="timeZone" defaultValue={timeZone}>
            {zones.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </NativeSelect>
        )}
      </FormField>
      <FormField label={copy.whenMissed} hint={copy.whenMissedHint} error={errors?.whenMissed}>
        {(control) => (
          <NativeSelect {...control} name="whenMissed" defaultValue={values?.whenMissed}>
            {Object.entries(copy.whenMissedChoices).map(([choice, words]) => (
              <option key={choice} value={choice}>
                {words}
              </option>
            ))}
          </NativeSelect>
        )}
      </FormField>
    </>
  );
}

interface ScheduleLaterProps {
  /** How long every campaign is held after the confirmation, in milliseconds. */
  holdMs: number;
  clocks: Clocks;
  /** The values shown, with their errors; undefined: nothing is scheduled, and the fields are closed. */
  answer: ScheduleAnswer | undefined;
  onBeginAtChange: (beginAt: string) => void;
}

/** Schedules a campaign: fields of the confirmation step, collapsed at first because most campaigns start at once. */
export function ScheduleLater({ holdMs, clocks, answer, onBeginAtChange }: ScheduleLaterProps) {
  return (
    <div className="flex flex-col gap-3">
      {holdMs > 0 ? <p>{copy.held(holdMs)}</p> : null}
      <Collapsible open={answer !== undefined} className="rounded-md border">
        <CollapsibleTrigger className="h-10 rounded-md px-3 font-medium hover:bg-muted/60">
          <CollapsibleIcon />
          {copy.later}
        </CollapsibleTrigger>
        <CollapsibleContent className="flex flex-col gap-4 border-t p-4">
          <ScheduleFields
            hint={copy.beginAtHint(clocks.now)}
            clocks={clocks}
            answer={answer}
            onBeginAtChange={onBeginAtChange}
          />
          <p className="text-muted-foreground">{copy.audience}</p>
        </CollapsibleContent>
      </Collapsible>
    </div>
  );
}
