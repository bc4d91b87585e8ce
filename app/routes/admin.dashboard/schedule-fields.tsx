import { Field } from "~/components/field";
import { TextField } from "~/components/text-field";
import { NativeSelect } from "~/components/ui/native-select";
import { useHydrated } from "~/components/use-hydrated";
import { campaignStartMessages as copy } from "~/content/campaign-start";
import type { Clocks, ScheduleAnswer } from "./read-schedule";

interface ScheduleFieldsProps {
  /** Hint below the time. */
  hint: string;
  clocks: Clocks;
  /** The values shown, with their errors; undefined for empty fields. */
  answer: ScheduleAnswer | undefined;
}

/** Fields for a date, a time and its time zone, with a note on what happens when the time is missed. */
export function ScheduleFields({ hint, clocks, answer }: ScheduleFieldsProps) {
  const { values, errors } = answer ?? {};
  const hydrated = useHydrated();
  const offered = hydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  const timeZone = values?.timeZone || clocks.timeZone || offered;
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
      />
      <Field label={copy.timeZone} hint={copy.timeZoneHint} error={errors?.timeZone}>
        {(control) => (
          // Remounts when the time zone changes to the device's, which the server cannot know.
          <NativeSelect {...control} key={timeZone} name="timeZone" defaultValue={timeZone}>
            {zones.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field label={copy.whenMissed} hint={copy.whenMissedHint} error={errors?.whenMissed}>
        {(control) => (
          <NativeSelect {...control} name="whenMissed" defaultValue={values?.whenMissed}>
            {Object.entries(copy.whenMissedChoices).map(([choice, words]) => (
              <option key={choice} value={choice}>
                {words}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </>
  );
}

interface ScheduleLaterProps {
  /** How long every campaign is held after the confirmation, in milliseconds. */
  holdMs: number;
  clocks: Clocks;
  /** The refusal of the submitted values. */
  answer: ScheduleAnswer | undefined;
}

/** Schedules a campaign: fields of the confirmation step, collapsed because most campaigns start at once. */
export function ScheduleLater({ holdMs, clocks, answer }: ScheduleLaterProps) {
  return (
    <div className="flex w-full flex-col gap-3 pb-4">
      {holdMs > 0 ? <p>{copy.held(holdMs)}</p> : null}
      <details open={answer !== undefined} className="rounded-md border">
        <summary className="disclosure flex h-10 items-center gap-2 rounded-md px-3 font-medium select-none hover:bg-muted/60">
          {copy.later}
        </summary>
        <div className="flex flex-col gap-4 border-t p-4">
          <ScheduleFields hint={copy.beginAtHint(clocks.now)} clocks={clocks} answer={answer} />
          <p className="text-muted-foreground">{copy.audience}</p>
        </div>
      </details>
    </div>
  );
}
