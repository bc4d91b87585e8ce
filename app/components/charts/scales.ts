import { scaleBand, scaleLinear } from "@visx/scale";

/** Heights in pixels: above the highest value, and below zero for the names of the times. */
export const TOP = 10;
export const BOTTOM = 24;

/** Positions of columns in percent of the width: the server knows no width. The columns' steps fill it exactly. */
export function columnScale(count: number, gap = 0.2) {
  return scaleBand<number>({
    domain: Array.from({ length: count }, (_, index) => index),
    range: [0, 100],
    paddingInner: gap,
    paddingOuter: gap / 2,
  });
}

/** Positions of points in percent of the width, the first and the last one at the edges. */
export function pointScale(count: number) {
  return scaleLinear<number>({ domain: [0, Math.max(1, count - 1)], range: [0, 100] });
}

/** The positions of a chart's places, which are counted from the left. */
export type PlaceScale = ReturnType<typeof columnScale> | ReturnType<typeof pointScale>;

/** Returns the middle of a place in percent of the width. */
export function getMiddle(x: PlaceScale, index: number): number {
  return (x(index) ?? 0) + ("bandwidth" in x ? x.bandwidth() / 2 : 0);
}

/** Returns the place of a chart of `count` places that is nearest to a position, from 0 at the left to 1. */
export function placeAt(x: PlaceScale, count: number, position: number): number {
  const place = "bandwidth" in x ? Math.floor(position * count) : Math.round(position * (count - 1));
  return Math.min(count - 1, Math.max(0, place));
}

export type HeightScale = ReturnType<typeof heightScale>;

/** Positions of values in pixels from the top of a chart of this height, from zero to a round value. */
export function heightScale(values: readonly number[], height: number) {
  return scaleLinear<number>({
    domain: [0, Math.max(1, ...values)],
    range: [height - BOTTOM, TOP],
    nice: 3,
  });
}

/** Formats a value beside the axis, where there is little room: "1,200", "12k", "3.5M". */
export function axisNumber(value: number): string {
  if (value < 10_000) return value.toLocaleString("en");
  const [divided, unit] = value < 1_000_000 ? [value / 1000, "k"] : [value / 1_000_000, "M"];
  return `${Number(divided.toFixed(1)).toLocaleString("en")}${unit}`;
}

/** Formats a position of a scale, rounded to what no screen shows. */
export const percent = (value: number): string => `${rounded(value, 3)}%`;

export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** Returns whether a time of `count` gets a name on the axis: about six, counted back from the newest. */
export function isNamed(index: number, count: number): boolean {
  return (count - 1 - index) % Math.ceil(count / 6) === 0;
}
