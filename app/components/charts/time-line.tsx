import { Bar, Circle } from "@visx/shape";
import { Area, Line, Stretched, type Values } from "./curves";
import { Plot } from "./plot";
import { BOTTOM, heightScale, percent, pointScale, rounded, TOP } from "./scales";
import type { Crosshair } from "./use-crosshair";

export interface Mark {
  /** Places, counted from the left; they may have fractions. */
  readonly from: number;
  readonly to: number;
}

interface TimeLineProps {
  label: string;
  /** At equal intervals; null is a gap. */
  values: Values;
  /** The highest value within each interval, where it is known. */
  peaks?: Values | undefined;
  /** The axis reaches to this value at least. */
  max?: number | undefined;
  /** A value with a line of its own, and its name. */
  limit?: { readonly value: number; readonly name: string } | undefined;
  /** Times in which something was wrong. */
  marks?: readonly Mark[];
  formatTick?: (value: number) => string;
  formatTime: (index: number) => string;
  axisName: (index: number) => string | undefined;
  describe: (index: number) => string;
  crosshair: Crosshair;
  /** In pixels. */
  height?: number;
}

/** A line over time. It is stretched to the width that the server does not know; its texts and strokes are not. */
export function TimeLine(props: TimeLineProps) {
  const { label, values, peaks, max = 0, limit, marks = [], crosshair, height = 132 } = props;
  const count = values.length;
  const x = pointScale(count);
  const y = heightScale([max, ...[...values, ...(peaks ?? [])].map((value) => value ?? 0)], height);
  const [, top = 0] = y.domain();
  const drawn = height - BOTTOM;
  const at = crosshair.index === undefined ? null : (values[crosshair.index] ?? null);
  return (
    <Plot
      label={label}
      height={height}
      x={x}
      y={y}
      count={count}
      ticks={[0, top / 2, top]}
      formatTick={props.formatTick}
      formatTime={props.formatTime}
      axisName={props.axisName}
      describe={props.describe}
      crosshair={crosshair}
    >
      <Marks marks={marks} count={count} floor={drawn} />
      <Stretched count={count} height={drawn}>
        {peaks ? <Line values={peaks} y={y} colour="peak" /> : null}
        <Area values={values} y={y} />
        <Line values={values} y={y} colour="primary" />
      </Stretched>
      {listLone(values).map((index) => (
        <Circle
          key={index}
          cx={percent(x(index))}
          cy={rounded(y(values[index] ?? 0))}
          r={2.5}
          className="fill-primary"
        />
      ))}
      {limit ? (
        <g data-limit>
          <line
            x2="100%"
            y1={rounded(y(limit.value))}
            y2={rounded(y(limit.value))}
            strokeDasharray="3 3"
            className="stroke-destructive/70"
          />
          {/* Its outline in the colour of the ground keeps the name legible on the curve. */}
          <text
            x={2}
            y={rounded(y(limit.value)) - 4}
            paintOrder="stroke"
            strokeWidth={4}
            strokeLinejoin="round"
            className="stroke-card forced-colors:stroke-[Canvas]"
          >
            {limit.name}
          </text>
        </g>
      ) : null}
      {at === null || crosshair.index === undefined ? null : (
        <Circle
          cx={percent(x(crosshair.index))}
          cy={rounded(y(at))}
          r={3.5}
          className="fill-primary stroke-card"
          strokeWidth={1.5}
        />
      )}
    </Plot>
  );
}

/** Lists the places of values between two gaps, whose line has no length: the first minutes of a new server. */
function listLone(values: Values): number[] {
  const isGap = (index: number) => (values[index] ?? null) === null;
  return [...values.keys()].filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
}

/** The lowest width of a mark, in percent. */
const MIN_MARK = 0.4;

/** Shades the times in which something was wrong, with a triangle above, because a shade alone is easily missed. */
function Marks({ marks, count, floor }: { marks: readonly Mark[]; count: number; floor: number }) {
  const x = pointScale(count);
  return marks.map(({ from, to }, index) => {
    // Shorter than a point it is still seen.
    const width = Math.max(MIN_MARK, x(to) - x(from));
    const left = Math.min(x(from), 100 - width);
    return (
      // Several may begin at the same place.
      <g key={index} data-incident>
        <Bar
          x={percent(left)}
          width={percent(width)}
          y={TOP}
          height={floor - TOP}
          className="fill-destructive/15"
        />
        <svg x={percent(left + width / 2)} y={TOP - 9} width={1} height={1} className="overflow-visible">
          <path d="M-5 0H5L0 7Z" className="fill-destructive" />
        </svg>
      </g>
    );
  });
}
