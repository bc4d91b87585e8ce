import { scaleLinear } from "@visx/scale";
import { Bar } from "@visx/shape";
import { grouped } from "~/lib/format-number";
import { type Colour, COLOURS } from "./colours";
import { percent } from "./scales";

interface FunnelBarsProps {
  /** Describes the chart for screen readers. */
  label: string;
  /** A number above the steps that counts something else than they do, and so has no bar. */
  lead?: { readonly name: string; readonly value: number } | undefined;
  /** From the first step to the last; `of` is the number of people that a step is a share of, 0 without one. */
  steps: readonly {
    readonly name: string;
    readonly value: number;
    readonly of: number;
    readonly rate: string;
  }[];
  colour: Colour;
}

const HEIGHT = 14;

/** The steps of a funnel one below the other, on one scale: behind each bar a paler one of what it is a share of. */
export function FunnelBars({ label, lead, steps, colour }: FunnelBarsProps) {
  const most = Math.max(1, ...steps.map(({ value }) => value));
  const x = scaleLinear({ domain: [0, most], range: [0, 100] });
  return (
    <ol aria-label={label} className="flex flex-col gap-3">
      {lead ? (
        <li className="flex items-baseline justify-between gap-3 border-b pb-3">
          <span>{lead.name}</span>
          <span className="font-medium tabular-nums">{grouped(lead.value)}</span>
        </li>
      ) : null}
      {steps.map(({ name, value, of, rate }) => (
        <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-1">
          <span>{name}</span>
          <span className="tabular-nums">
            {rate ? <span className="mr-3 text-xs text-muted-foreground">{rate}</span> : null}
            <span className="font-medium">{grouped(value)}</span>
          </span>
          <svg aria-hidden width="100%" height={HEIGHT} className="col-span-2 block">
            <rect width="100%" height={HEIGHT} rx={2} className="fill-muted" />
            <rect width={percent(x(of))} height={HEIGHT} rx={2} className="fill-border" />
            <Bar width={percent(x(value))} height={HEIGHT} rx={2} className={COLOURS[colour].fill} />
          </svg>
        </li>
      ))}
    </ol>
  );
}
