import { AreaClosed, LinePath } from "@visx/shape";
import type { ReactNode } from "react";
import { type LineColour, LINE_COLOURS } from "./colours";
import { type HeightScale, rounded } from "./scales";

/** A part of the drawing whose horizontal unit is one place. */
export function Stretched({
  count,
  height,
  children,
}: {
  count: number;
  height: number;
  children: ReactNode;
}) {
  return (
    <svg
      width="100%"
      height={height}
      viewBox={`0 0 ${Math.max(1, count - 1)} ${height}`}
      preserveAspectRatio="none"
      className="overflow-visible"
    >
      {children}
    </svg>
  );
}

/** At equal intervals; null is a gap. */
export type Values = readonly (number | null)[];

interface Point {
  readonly index: number;
  readonly value: number | null;
}

type CurveProps = { values: Values; y: HeightScale };

const toPoints = (values: Values): Point[] => values.map((value, index) => ({ index, value }));
const isMeasured = ({ value }: Point) => value !== null;

export function Line({ values, y, colour }: CurveProps & { colour: LineColour }) {
  return (
    <LinePath<Point>
      data={toPoints(values)}
      x={({ index }) => index}
      y={({ value }) => rounded(y(value ?? 0))}
      defined={isMeasured}
      fill="none"
      strokeWidth={1.5}
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
      className={LINE_COLOURS[colour]}
    />
  );
}

export function Area({ values, y }: CurveProps) {
  return (
    <AreaClosed<Point>
      data={toPoints(values)}
      x={({ index }) => index}
      y={({ value }) => rounded(y(value ?? 0))}
      yScale={y}
      defined={isMeasured}
      className="fill-primary/10"
    />
  );
}
