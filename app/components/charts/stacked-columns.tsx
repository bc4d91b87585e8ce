import { Link } from "@remix-run/react";
import { Bar, BarStack } from "@visx/shape";
import { useHydrated } from "~/components/use-hydrated";
import { chartTexts as copy } from "~/content/charts";
import { cn } from "~/lib/utils";
import { grouped } from "~/lib/format-number";
import { COLOURS, type Series } from "./colours";
import { Legend } from "./legend";
import { Plot } from "./plot";
import { BOTTOM, columnScale, heightScale, percent, rounded, TOP } from "./scales";
import { useCrosshair } from "./use-crosshair";

export interface StackedColumn {
  /** Full and unique: "27 Nov 14:00". */
  readonly name: string;
  /** The name on the axis; a column without it has none there. */
  readonly axisName?: string | undefined;
  /** In the order of the series. */
  readonly values: readonly number[];
  /** The page that shows what is behind the column. */
  readonly to: string;
  /** The page behind each of its parts, where they have pages of their own. */
  readonly partsTo?: readonly string[];
  readonly isChosen?: boolean;
}

interface StackedColumnsProps {
  label: string;
  /** The whole span of time: "Last 24 hours". */
  span: string;
  /** From the bottom up. */
  series: readonly Series[];
  columns: readonly StackedColumn[];
  /** In pixels. */
  height?: number;
  /** True where the columns lead to other rows of this page, which then stays where it is. */
  staysOnPage?: boolean;
}

/** The lowest height of a part that is not zero: one error among thousands of lines is seen. */
const MIN_PART = 2;

/** A link over a column or one of its parts: nothing is seen of it but a shade under the pointer. */
const LINK = "fill-transparent outline-none";
const SHADE = "hover:[&>rect]:fill-foreground/10";

/** Returns where a part is drawn: upwards from its end, at its lowest height or more. */
function toVisible(bar: { y: number; height: number }) {
  const height = Math.max(MIN_PART, bar.height);
  return { y: rounded(bar.y + bar.height - height), height: rounded(height) };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Columns whose parts are stacked. The whole height of a column is a link, also where there is nothing to see. */
export function StackedColumns({
  label,
  span,
  series,
  columns,
  height = 200,
  staysOnPage = false,
}: StackedColumnsProps) {
  const crosshair = useCrosshair(columns.length);
  const isHydrated = useHydrated();
  const x = columnScale(columns.length);
  const y = heightScale(
    columns.map(({ values }) => sum(values)),
    height,
  );
  const step = 100 / columns.length;
  const getColumn = (index: number) =>
    columns[index] ?? { name: "", values: [], to: "", axisName: undefined };
  const shown = crosshair.index === undefined ? undefined : getColumn(crosshair.index);
  const totals =
    shown?.values ?? series.map((_, part) => sum(columns.map(({ values }) => values[part] ?? 0)));
  const describe = ({ values }: Pick<StackedColumn, "values">) =>
    series.map(({ name }, part) => `${name} ${grouped(values[part] ?? 0)}`).join(", ");

  return (
    <div>
      <Legend
        time={shown?.name ?? span}
        items={[
          ...series.map(({ name, colour }, part) => ({ name, colour, value: grouped(totals[part] ?? 0) })),
          ...(series.length > 1 ? [{ name: copy.all, value: grouped(sum(totals)) }] : []),
        ]}
      />
      <BarStack<StackedColumn, number, typeof x, typeof y>
        data={[...columns]}
        keys={series.map((_, part) => part)}
        value={({ values }, part) => values[part] ?? 0}
        x={(column) => columns.indexOf(column)}
        xScale={x}
        yScale={y}
        color={(part) => COLOURS[series[part]?.colour ?? "neutral"].fill}
      >
        {(stacks) => (
          <Plot
            label={label}
            height={height}
            x={x}
            y={y}
            count={columns.length}
            formatTime={(index) => getColumn(index).name}
            axisName={(index) => getColumn(index).axisName}
            describe={(index) => describe(getColumn(index))}
            linkTo={(index) => getColumn(index).to}
            staysOnPage={staysOnPage}
            crosshair={crosshair}
            links={columns.map((column, index) => (
              <g key={column.name}>
                <Link
                  to={column.to}
                  preventScrollReset={staysOnPage}
                  tabIndex={-1}
                  // With JavaScript the crosshair shades the column.
                  className={cn(LINK, isHydrated || SHADE)}
                >
                  <Bar x={percent(step * index)} width={percent(step)} y={0} height={height - BOTTOM} />
                  {isHydrated ? null : <title>{`${column.name}: ${describe(column)}`}</title>}
                </Link>
                {/* The lowest parts come last, as they are drawn. */}
                {stacks.toReversed().map(({ key, bars }) => {
                  const [to, bar, value] = [column.partsTo?.[key], bars[index], column.values[key]];
                  if (!to || !bar || !value) return null;
                  return (
                    <Link key={to} to={to} tabIndex={-1} className={cn(LINK, SHADE)}>
                      <Bar x={percent(bar.x)} width={percent(bar.width)} {...toVisible(bar)} />
                      {isHydrated ? null : (
                        <title>{`${column.name}: ${series[key]?.name} ${grouped(value)}`}</title>
                      )}
                    </Link>
                  );
                })}
              </g>
            ))}
          >
            {columns.map((column, index) =>
              column.isChosen || index === crosshair.index ? (
                <Bar
                  key={column.name}
                  x={percent(step * index)}
                  width={percent(step)}
                  y={TOP}
                  height={height - BOTTOM - TOP}
                  className={cn(column.isChosen ? "fill-primary/15" : "fill-muted")}
                />
              ) : null,
            )}
            {/* The lowest parts come last, so that their lowest height is not covered. */}
            {stacks.toReversed().map(({ key, bars }) => (
              <g key={key} className={cn("stroke-card", bars[0]?.color)}>
                {bars.map((bar) => {
                  if (!columns[bar.index]?.values[key]) return null;
                  return (
                    <Bar
                      key={bar.index}
                      x={percent(bar.x)}
                      width={percent(bar.width)}
                      {...toVisible(bar)}
                      strokeWidth={bar.height > 4 ? 1 : 0}
                    />
                  );
                })}
              </g>
            ))}
          </Plot>
        )}
      </BarStack>
    </div>
  );
}
