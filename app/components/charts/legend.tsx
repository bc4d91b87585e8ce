import type { Colour } from "./colours";
import { Swatch } from "./swatch";

interface LegendProps {
  /** The time of the numbers: the whole span, or where the crosshair is. */
  time: string;
  items: readonly { name: string; value: string; colour?: Colour }[];
}

/** The names of a chart's parts with their numbers: the totals, or those under the crosshair. The chart below stays where it is. */
export function Legend({ time, items }: LegendProps) {
  return (
    <div
      data-slot="chart-legend"
      className="mb-2 flex min-h-5 flex-wrap items-baseline gap-x-5 gap-y-1 text-xs"
    >
      <p className="min-w-26 text-muted-foreground">{time}</p>
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        {items.map(({ name, value, colour }) => (
          <div key={name} className="flex items-baseline gap-1.5">
            <dt className="flex items-baseline gap-1.5 text-muted-foreground">
              {colour ? <Swatch colour={colour} /> : null}
              {name}
            </dt>
            <dd className="min-w-5 font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
