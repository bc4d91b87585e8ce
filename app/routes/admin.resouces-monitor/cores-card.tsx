import { Meter } from "~/components/meter";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import type { SystemResources } from "~/services/resources/system-resources";
import { usageTone } from "~/services/resources/thresholds";
import { rounded } from "./usage-cards";

const copy = operatorMessages.resources.cores;

export function CoresCard({ cpu, isContainer }: Pick<SystemResources, "cpu"> & { isContainer: boolean }) {
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <CardTitle>{copy.title(cpu.coreCount)}</CardTitle>
        <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-x-6 gap-y-3">
          {Object.entries(cpu.coreUsages).map(([core, percentage]) => (
            <li key={core} className="flex flex-col gap-1.5 text-xs">
              <p className="flex justify-between gap-3">
                <span className="text-muted-foreground">{core}</span>
                <span className="tabular-nums">{operatorMessages.resources.units.percent(percentage)}</span>
              </p>
              <Meter
                kind="meter"
                label={core}
                value={rounded(percentage)}
                max={100}
                tone={usageTone(percentage)}
              />
            </li>
          ))}
        </ul>
        {isContainer ? <p className="text-xs text-muted-foreground">{copy.mean}</p> : null}
      </CardContent>
    </Card>
  );
}
