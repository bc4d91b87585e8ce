import { scaleLinear } from "@visx/scale";
import { Bar } from "@visx/shape";
import { ListLink } from "~/components/text-link";
import { grouped } from "~/lib/format-number";
import { type Colour, COLOURS } from "./colours";
import { percent } from "./scales";

interface NamedBarsProps {
  /** Describes the chart for screen readers. */
  label: string;
  /** From the top; `to` is the page with what is behind a bar. */
  bars: readonly { readonly name: string; readonly value: number; readonly to: string }[];
  colour: Colour;
}

const HEIGHT = 8;

/** Bars one below the other, each with its name and number: for names that are too long to stand below a column. */
export function NamedBars({ label, bars, colour }: NamedBarsProps) {
  const x = scaleLinear({ domain: [0, Math.max(1, ...bars.map(({ value }) => value))], range: [0, 100] });
  return (
    <ol aria-label={label} className="flex flex-col gap-2.5">
      {bars.map(({ name, value, to }) => (
        <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1">
          <ListLink to={to} className="min-w-0">
            <bdi title={name} className="block truncate">
              {name}
            </bdi>
          </ListLink>
          <span className="font-medium tabular-nums">{grouped(value)}</span>
          <svg aria-hidden width="100%" height={HEIGHT} className="col-span-2 block">
            <rect width="100%" height={HEIGHT} rx={2} className="fill-muted" />
            <Bar width={percent(x(value))} height={HEIGHT} rx={2} className={COLOURS[colour].fill} />
          </svg>
        </li>
      ))}
    </ol>
  );
}
