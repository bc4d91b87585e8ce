import { AxisBottom } from "@visx/axis";
import { GridRows } from "@visx/grid";
import { Bar } from "@visx/shape";
import { grouped } from "~/lib/format-number";
import { type Colour, COLOURS } from "./colours";
import { BOTTOM, columnScale, heightScale, percent, rounded } from "./scales";

interface NamedColumnsProps {
  /** Describes the chart for screen readers; the numbers are in a table beside it. */
  label: string;
  columns: readonly { readonly name: string; readonly value: number; readonly colour: Colour }[];
  /** In pixels. */
  height?: number;
}

/** The scale is this much lower than a chart's, for the number above the highest column. */
const NUMBER_ROOM = 14;

/** A few columns, each with its name and number. */
export function NamedColumns({ label, columns, height = 200 }: NamedColumnsProps) {
  const x = columnScale(columns.length, 0.4);
  const y = heightScale(
    columns.map(({ value }) => value),
    height - NUMBER_ROOM,
  );
  const floor = height - BOTTOM;
  return (
    <svg
      role="img"
      aria-label={label}
      width="100%"
      height={height}
      className="block overflow-visible fill-muted-foreground text-2xs tabular-nums forced-colors:fill-[CanvasText]"
    >
      <GridRows
        scale={y}
        top={NUMBER_ROOM}
        width={0}
        x2="100%"
        stroke=""
        tickValues={y.ticks(3).filter((value) => Number.isInteger(value))}
        className="[&_line]:stroke-border"
      />
      {columns.map(({ name, value, colour }, index) => (
        <Bar
          key={name}
          x={percent(x(index) ?? 0)}
          width={percent(x.bandwidth())}
          y={rounded(y(value) + NUMBER_ROOM)}
          height={rounded(floor - NUMBER_ROOM - y(value))}
          className={COLOURS[colour].fill}
        />
      ))}
      <line x2="100%" y1={floor} y2={floor} className="stroke-input" />
      <AxisBottom scale={x} top={floor} tickValues={columns.map((_, index) => index)}>
        {({ ticks }) =>
          ticks.map(({ index, from }) => {
            const column = columns[index];
            return column ? (
              <g key={index} textAnchor="middle">
                <text
                  x={percent(from.x)}
                  y={rounded(y(column.value) + NUMBER_ROOM - floor) - 6}
                  className="fill-foreground font-medium"
                >
                  {grouped(column.value)}
                </text>
                <text x={percent(from.x)} y={17} className="fill-foreground">
                  {column.name}
                </text>
              </g>
            ) : null;
          })
        }
      </AxisBottom>
    </svg>
  );
}
