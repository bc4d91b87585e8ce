import { expect, it } from "vitest";
import { getChartGrid } from "./chart-grid.server";

it.each([
  [[0, 0], { top: 1, lines: [0, 1] }],
  [[3, 120, 40], { top: 150, lines: [0, 50, 100, 150] }],
])("the lines for %j are %j", (values, grid) => {
  expect(getChartGrid(values)).toEqual(grid);
});
