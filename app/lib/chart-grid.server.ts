import { scaleLinear } from "@visx/scale";

/** The horizontal lines of a chart that begins at zero. */
export interface ChartGrid {
  /** The value of the highest line, which no column exceeds. */
  readonly top: number;
  /** The values of the lines: whole numbers, zero among them. */
  readonly lines: readonly number[];
}

/** Chooses about three lines at round numbers. On the server: the scales are larger than all else of a chart. */
export function getChartGrid(values: readonly number[]): ChartGrid {
  const scale = scaleLinear<number>({ domain: [0, Math.max(1, ...values)], nice: 3 });
  const [, top = 1] = scale.domain();
  return { top, lines: scale.ticks(3).filter((value) => Number.isInteger(value)) };
}
