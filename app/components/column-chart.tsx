import { AxisBottom, AxisLeft } from "@visx/axis";
import { scaleBand, scaleLinear } from "@visx/scale";
import { cn } from "~/lib/class-names";

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

export type Series = keyof typeof FILLS;

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
  /** The highest value of several charts that share a scale; this chart's own when left out. */
  highest?: number;
  /** all: each column with its name and number. ends: the first and last name, and the grid's numbers. */
  labels: "all" | "ends";
  /** In pixels. */
  height?: number;
};

const TOP = 20;
const BOTTOM = 22;

/**
 * Renders columns above a zero line. Widths are percentages, so the server needs no screen and no text is
 * stretched; texts are plain SVG, because a style attribute would violate the content security policy.
 */
export function ColumnChart({ label, columns, series, highest, labels, height = 200 }: ColumnChartProps) {
  const floor = height - BOTTOM;
  const across = scaleBand({
    domain: columns.map(({ name }) => name),
    range: [0, 100],
    padding: labels === "all" ? 0.4 : 0.2,
  });
  const up = scaleLinear({
    domain: [0, highest ?? Math.max(1, ...columns.map(({ value }) => value))],
    range: [floor, TOP],
    nice: 3,
  });
  const [, top = 0] = up.domain();
  const getOffset = (name: string) => across(name) ?? 0;
  const width = percent(across.bandwidth());
  const lastName = columns.at(-1)?.name;

  return (
    <svg
      role="img"
      aria-label={label}
      width="100%"
      height={height}
      className="block overflow-visible text-2xs"
    >
      <AxisLeft scale={up} numTicks={3}>
        {({ ticks }) =>
          ticks
            .filter(({ value }) => Number.isInteger(Number(value)))
            .map(({ value, to }) => (
              <g key={String(value)}>
                <line
                  x1="0"
                  x2="100%"
                  y1={to.y}
                  y2={to.y}
                  className={Number(value) === 0 ? "stroke-input" : "stroke-border"}
                />
                {labels === "ends" && Number(value) === top ? (
                  <text x="0" y={to.y - 4} className="fill-muted-foreground">
                    {Number(value).toLocaleString("en")}
                  </text>
                ) : null}
              </g>
            ))
        }
      </AxisLeft>
      <g className={series && FILLS[series]}>
        {columns.map(({ name, value, series: own }) => (
          <rect
            key={name}
            x={percent(getOffset(name))}
            width={width}
            y={round(up(value), 2)}
            height={round(floor - up(value), 2)}
            className={own && FILLS[own]}
          >
            <title>{`${name}: ${value.toLocaleString("en")}`}</title>
          </rect>
        ))}
      </g>
      {labels === "all"
        ? columns.map(({ name, value }) => (
            <text
              key={name}
              x={`${getOffset(name) + across.bandwidth() / 2}%`}
              y={up(value) - 6}
              textAnchor="middle"
              className="fill-foreground font-medium"
            >
              {value.toLocaleString("en")}
            </text>
          ))
        : null}
      <AxisBottom scale={across} top={floor} numTicks={columns.length}>
        {({ ticks }) =>
          ticks.map(({ value: name, from }, index) => {
            const isFirst = index === 0;
            if (labels === "ends" && !isFirst && name !== lastName) return null;
            const [x, anchor] =
              labels === "all"
                ? ([`${from.x}%`, "middle"] as const)
                : isFirst
                  ? (["0", "start"] as const)
                  : (["100%", "end"] as const);
            return (
              <text
                key={name}
                x={x}
                y={16}
                textAnchor={anchor}
                className={cn(labels === "all" ? "fill-foreground" : "fill-muted-foreground")}
              >
                {name}
              </text>
            );
          })
        }
      </AxisBottom>
    </svg>
  );
}

/** Rounds to what no screen shows. */
const round = (value: number, digits: number) => Number(value.toFixed(digits));
const percent = (value: number) => `${round(value, 3)}%`;
