import { AxisBottom, AxisLeft } from "@visx/axis";
import { GridRows } from "@visx/grid";
import { Line } from "@visx/shape";
import type { ReactNode } from "react";
import { useHydrated } from "~/components/use-hydrated";
import { chartTexts as copy } from "~/content/charts";
import { cn } from "~/lib/utils";
import {
  axisNumber,
  BOTTOM,
  type HeightScale,
  getMiddle,
  percent,
  type PlaceScale,
  placeAt,
  rounded,
  TOP,
} from "./scales";
import { type Crosshair, useGestures } from "./use-crosshair";

interface PlotProps {
  /** The chart's name for screen readers; the numbers are in a table beside it. */
  label: string;
  /** In pixels. */
  height: number;
  x: PlaceScale;
  y: HeightScale;
  /** The number of places. */
  count: number;
  /** The values with a line and a number; by default about three whole ones. */
  ticks?: readonly number[];
  formatTick?: (value: number) => string;
  /** The full name of a place's time. */
  formatTime: (index: number) => string;
  /** The short name below the axis; undefined for a place without one. */
  axisName: (index: number) => string | undefined;
  /** The values of a place in words. */
  describe: (index: number) => string;
  /** The page that shows what is behind a place. */
  linkTo?: ((index: number) => string) | undefined;
  staysOnPage?: boolean;
  crosshair: Crosshair;
  /** What is drawn between the lines and the crosshair. */
  children: ReactNode;
  /** What lies above the crosshair. */
  links?: ReactNode;
}

const GUTTER = 44;

/**
 * The frame of a chart: lines with numbers at the left, names of times below, and a crosshair that follows the pointer,
 * a finger or the arrow keys. Widths are percentages and positions attributes: the server knows no width, and the content
 * policy forbids style attributes. The drawing is hidden from screen readers, which get a slider over the places.
 */
export function Plot(props: PlotProps) {
  const {
    label,
    height,
    x,
    y,
    count,
    formatTick = axisNumber,
    formatTime,
    describe,
    linkTo,
    staysOnPage,
    crosshair,
  } = props;
  const isHydrated = useHydrated();
  const gestures = useGestures({
    crosshair,
    count,
    linkTo,
    staysOnPage,
    placeAt: (position) => placeAt(x, count, position),
  });
  const tickValues = [...(props.ticks ?? y.ticks(3).filter((value) => Number.isInteger(value)))];
  const at = crosshair.index ?? count - 1;

  return (
    <figure
      aria-label={label}
      className="grid grid-cols-[2.75rem_minmax(0,1fr)] fill-muted-foreground text-2xs tabular-nums forced-colors:fill-[CanvasText]"
    >
      <svg aria-hidden width={GUTTER} height={height} className="block overflow-visible">
        <AxisLeft scale={y} tickValues={tickValues}>
          {({ ticks }) =>
            ticks.map(({ value, to }) => (
              <text key={Number(value)} x={GUTTER - 8} y={rounded(to.y)} dy="0.32em" textAnchor="end">
                {formatTick(Number(value))}
              </text>
            ))
          }
        </AxisLeft>
      </svg>
      {/* A finger that moves sideways moves the crosshair, one that moves up scrolls the page. */}
      <div data-slot="chart-drawing" className="relative touch-pan-y" {...gestures.pointer}>
        <svg aria-hidden width="100%" height={height} className="block overflow-visible">
          <GridRows
            scale={y}
            width={0}
            x2="100%"
            tickValues={tickValues}
            stroke=""
            className="[&_line]:stroke-border"
          />
          {props.children}
          <line x2="100%" y1={height - BOTTOM} y2={height - BOTTOM} className="stroke-input" />
          <TimeAxis {...props} />
          {crosshair.index === undefined ? null : (
            <CrosshairMark
              at={getMiddle(x, at)}
              floor={height - BOTTOM}
              name={formatTime(at)}
              hasLine={!("bandwidth" in x)}
            />
          )}
          {props.links}
        </svg>
        {isHydrated ? (
          <div
            role="slider"
            tabIndex={0}
            aria-label={label}
            aria-description={linkTo ? copy.keysWithLink : copy.keys}
            aria-valuemin={1}
            aria-valuemax={count}
            aria-valuenow={at + 1}
            aria-valuetext={`${formatTime(at)}: ${describe(at)}`}
            className="pointer-events-none absolute inset-0 rounded-sm focus-visible:outline-offset-0"
            {...gestures.keyboard}
          />
        ) : null}
      </div>
    </figure>
  );
}

/** The names below the axis. A small screen has room for every second one. */
function TimeAxis({ height, x, count, axisName, crosshair }: PlotProps) {
  const named = Array.from({ length: count }, (_, index) => index).filter((index) => axisName(index));
  return (
    <AxisBottom scale={x} top={height - BOTTOM} tickValues={named}>
      {({ ticks }) =>
        // The crosshair has a name of its own there.
        crosshair.index === undefined
          ? ticks.map(({ value, index, from }) => (
              <text
                key={Number(value)}
                x={percent(from.x)}
                y={17}
                textAnchor="middle"
                className={cn(named.length > 4 && (named.length - 1 - index) % 2 === 1 && "max-sm:hidden")}
              >
                {axisName(Number(value))}
              </text>
            ))
          : null
      }
    </AxisBottom>
  );
}

type CrosshairMarkProps = { at: number; floor: number; name: string; hasLine: boolean };

/** The crosshair's time, with a line through the points; a column is shaded by its chart. */
function CrosshairMark({ at, floor, name, hasLine }: CrosshairMarkProps) {
  const x = percent(at);
  return (
    <g className="pointer-events-none" data-crosshair>
      {hasLine ? (
        <Line
          from={{ x: 0, y: TOP }}
          to={{ x: 0, y: floor }}
          x1={x}
          x2={x}
          className="stroke-foreground/60"
        />
      ) : null}
      <text
        x={x}
        y={floor + 17}
        textAnchor={at < 12 ? "start" : at > 88 ? "end" : "middle"}
        className="fill-foreground font-medium"
      >
        {name}
      </text>
    </g>
  );
}
