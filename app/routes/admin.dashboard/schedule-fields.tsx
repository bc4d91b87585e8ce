import { Field } from "~/components/field";
import { Input } from "~/components/ui/input";
import { Select } from "~/components/ui/select";
import { useHydrated } from "~/components/use-hydrated";
import { operatorMessages } from "~/content/operator-messages";
import type { Clocks, ScheduleAnswer, ScheduleValues } from "./read-schedule";

const copy = operatorMessages.outreachPace;

interface ScheduleFieldsProps {
  /** Under the time. */
  hint: string;
  clocks: Clocks;
  values: ScheduleValues | undefined;
  errors: ScheduleAnswer["errors"] | undefined;
}

/** A date and time, the zone in which it is meant, and what happens when it is missed. */
export function ScheduleFields({ hint, clocks, values, errors = {} }: ScheduleFieldsProps) {
  const hydrated = useHydrated();
  const offered = hydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  const timeZone = values?.timeZone || clocks.timeZone || offered;
  const zones = clocks.timeZones.includes(timeZone) ? clocks.timeZones : [timeZone, ...clocks.timeZones];
  return (
    <>
      <Field label={copy.beginAt} hint={hint} error={errors.beginAt}>
        {(control) => (
          <Input
            {...control}
            size="dense"
            type="datetime-local"
            name="beginAt"
            defaultValue={values?.beginAt}
          />
        )}
      </Field>
      <Field label={copy.timeZone} hint={copy.timeZoneHint} error={errors.timeZone}>
        {(control) => (
          // Begins anew with the zone of the device, which the server cannot know.
          <Select {...control} key={timeZone} size="dense" name="timeZone" defaultValue={timeZone}>
            {zones.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={copy.whenMissed} hint={copy.whenMissedHint} error={errors.whenMissed}>
        {(control) => (
          <Select {...control} size="dense" name="whenMissed" defaultValue={values?.whenMissed}>
            {Object.entries(copy.whenMissedChoices).map(([choice, words]) => (
              <option key={choice} value={choice}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}
