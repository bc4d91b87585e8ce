import { expect, it } from "vitest";
import { decimal } from "./format-number";

it.each([
  [74.25, 1, "74.3"],
  [70, 1, "70.0"],
  [99.96, 1, "100.0"],
  [1234.5, 1, "1,234.5"],
  [0, 2, "0.00"],
])("%d with %d digits is %s", (value, digits, text) => {
  expect(decimal(value, digits)).toBe(text);
});
