import { ChevronRight } from "~/components/icons";
import { Field } from "~/components/field";
import { Input } from "~/components/ui/input";
import { Select } from "~/components/ui/select";
import { operatorMessages } from "~/operator-messages";
import type { WhenAnswer } from "./when-fields";

const copy = operatorMessages.outreachPace;

interface OutreachWhenProps {
  /** How long every send is held after the confirmation. */
  holdMs: number;
  /** Epoch milliseconds, from the loader. */
  now: number;
  /** What was refused. */
  answer: WhenAnswer | undefined;
}

/** When the send begins: fields of the confirm step, folded away because most begin at once. */
export function OutreachWhen({ holdMs, now, answer }: OutreachWhenProps) {
  const { values, errors = {} } = answer ?? {};
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
          <Field label={copy.beginAt} hint={copy.beginAtHint(now)} error={errors.beginAt}>
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
          <p className="text-muted-foreground">{copy.audience}</p>
        </div>
      </details>
    </div>
  );
}
