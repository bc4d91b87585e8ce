import { expect, test } from "vitest";
import { memoize } from "./memoize.ts";

test("computes a result once, until there are too many", () => {
  const computed: string[] = [];
  const shout = memoize((text) => (computed.push(text), text.toUpperCase()), 2);
  expect(["a", "b", "a", "b"].map(shout)).toEqual(["A", "B", "A", "B"]);
  expect(computed).toEqual(["a", "b"]);
  expect(["c", "c", "a"].map(shout)).toEqual(["C", "C", "A"]);
  expect(computed).toEqual(["a", "b", "c", "a"]);
});
