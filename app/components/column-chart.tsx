import type { ChartGrid } from "~/lib/chart-grid.server";
import { grouped } from "~/lib/format-number";

/** Class names are written out because Tailwind's build finds only complete ones. */
const FILLS = {
  "early-access": "fill-early-access",
  "contact-form": "fill-contact-form",
  "updates-signup": "fill-updates-signup",
  info: "fill-info",
  warning: "fill-warning",
  danger: "fill-danger",
  neutral: "fill-muted-foreground",
} as const;

type Series = keyof typeof FILLS;

interface Column {
  readonly name: string;
  readonly value: number;
  /** Colours a column of its own; the others have the chart's. */
  readonly series?: Series;
}

type ColumnChartProps = {
  /** Describes the chart for screen readers; the numbers are in a table beside it. */
  label: string;
  columns: readonly Column[];
  series?: Series;
  /** Charts beside each other share one. */
  grid: ChartGrid;
  /** all: each column with its name and number. ends: the first and last name, and the grid's numbers. */
  labels: "all" | "ends";
  /** In pixels. */
  height?: number;
};

const TOP = 20;
const BOTTOM = 22;

/** Columns above a zero line. Widths are percentages and texts plain SVG: the content policy forbids style attributes. */
export function ColumnChart({ label, columns, series, grid, labels, height = 200 }: ColumnChartProps) {
  const floor = height - BOTTOM;
  const gap = labels === "all" ? 0.4 : 0.2;
  // A gap at each end, too.
  const step = 100 / (columns.length + gap);
  const width = step * (1 - gap);
  const getX = (index: number) => step * (index + gap);
  const getMiddle = (index: number) => percent(getX(index) + width / 2);
  const getY = (value: number) => round(floor - (value / grid.top) * (floor - TOP), 2);
  const [first, last] = [columns[0], columns.at(-1)];

  return (
    <svg
      role="img"
      aria-label={label}
      width="100%"
      height={height}
      className="block overflow-visible text-2xs"
    >
      {grid.lines.map((value) => (
        <g key={value}>
          <line
            x1="0"
            x2="100%"
            y1={getY(value)}
            y2={getY(value)}
            className={value === 0 ? "stroke-input" : "stroke-border"}
          />
          {labels === "ends" && value === grid.top ? (
            <text x="0" y={getY(value) - 4} className="fill-muted-foreground">
              {grouped(value)}
            </text>
          ) : null}
        </g>
      ))}
      <g className={series && FILLS[series]}>
        {columns.map(({ name, value, series: own }, index) => (
          <rect
            key={name}
            x={percent(getX(index))}
            width={percent(width)}
            y={getY(value)}
            height={round(floor - getY(value), 2)}
            className={own && FILLS[own]}
          >
            <title>{`${name}: ${grouped(value)}`}</title>
          </rect>
        ))}
      </g>
      {labels === "all" ? (
        columns.map(({ name, value }, index) => (
          <g key={name} textAnchor="middle" className="fill-foreground">
            <text x={getMiddle(index)} y={getY(value) - 6} className="font-medium">
              {grouped(value)}
            </text>
            <text x={getMiddle(index)} y={floor + 16}>
              {name}
            </text>
          </g>
        ))
      ) : (
        <g className="fill-muted-foreground">
          <text y={floor + 16}>{first?.name}</text>
          {last === first ? null : (
            <text x="100%" y={floor + 16} textAnchor="end">
              {last?.name}
            </text>
          )}
        </g>
      )}
    </svg>
  );
}

/** Rounds to what no screen shows. */
const round = (value: number, digits: number) => Number(value.toFixed(digits));
const percent = (value: number) => `${round(value, 3)}%`;
