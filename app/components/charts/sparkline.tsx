import { scaleLinear } from "@visx/scale";
import type { LineColour } from "./colours";
import { Line, Stretched } from "./curves";

type SparklineProps = {
  /** The chart's name; the number it leads to stands beside it. */
  label: string;
  values: readonly number[];
  colour: LineColour;
};

const HEIGHT = 28;

/** A small line without an axis, beside the number that sums it up. */
export function Sparkline({ label, values, colour }: SparklineProps) {
  const y = scaleLinear<number>({ domain: [0, Math.max(1, ...values)], range: [HEIGHT - 1, 2] });
  return (
    <svg role="img" aria-label={label} width="100%" height={HEIGHT} className="block overflow-visible">
      <Stretched count={values.length} height={HEIGHT}>
        <Line values={values} y={y} colour={colour} />
      </Stretched>
      <line x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-border" />
    </svg>
  );
}
