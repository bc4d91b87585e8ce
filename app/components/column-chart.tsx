import { AxisBottom, AxisLeft } from "@visx/axis";
import { Group } from "@visx/group";
import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar } from "@visx/shape";
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
  readonly series: Series;
}

type ColumnChartProps = {
  /** Describes the chart for screen readers; the numbers are in a table beside it. */
  label: string;
  columns: readonly Column[];
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
export function ColumnChart({ label, columns, highest, labels, height = 200 }: ColumnChartProps) {
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
              <Group key={String(value)}>
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
              </Group>
            ))
        }
      </AxisLeft>
      {columns.map(({ name, value, series }) => (
        <Group key={name}>
          <title>{`${name}: ${value.toLocaleString("en")}`}</title>
          <Bar
            x={`${getOffset(name)}%`}
            width={`${across.bandwidth()}%`}
            y={up(value)}
            height={floor - up(value)}
            className={FILLS[series]}
          />
          {labels === "all" ? (
            <text
              x={`${getOffset(name) + across.bandwidth() / 2}%`}
              y={up(value) - 6}
              textAnchor="middle"
              className="fill-foreground font-medium"
            >
              {value.toLocaleString("en")}
            </text>
          ) : null}
        </Group>
      ))}
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
