import { expect, test } from "vitest";
import { toPercentage } from "./percentage";

test.each([
  [0, 0, 0],
  [0, 7, 0],
  [7, 7, 100],
  [1, 3, 33],
  [2, 3, 67],
  [1, 200, 1],
  [59, 199, 30],
])("%i of %i is %i percent", (part, total, percent) => {
  expect(toPercentage(part, total)).toBe(percent);
});
