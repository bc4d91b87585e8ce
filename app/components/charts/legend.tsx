import type { Colour } from "./colours";
import { Swatch } from "./swatch";

interface LegendProps {
  /** The time of the numbers: the whole span, or where the crosshair is. */
  time: string;
  items: readonly { name: string; value: string; colour?: Colour }[];
}

/** The names of a chart's parts with their numbers: the totals, or those under the crosshair. Nothing moves when they change. */
export function Legend({ time, items }: LegendProps) {
  return (
    <div className="chart-legend">
      <p>{time}</p>
      <dl>
        {items.map(({ name, value, colour }) => (
          <div key={name}>
            <dt>
              {colour ? <Swatch colour={colour} /> : null}
              {name}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
