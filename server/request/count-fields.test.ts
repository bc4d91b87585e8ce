import { expect, test } from "vitest";
import { exceedsJson, hasMorePairs } from "./count-fields.ts";

/** Returns the smallest limit that is not exceeded. */
const smallest = (exceeds: (most: number) => boolean) => {
  let most = 0;
  while (exceeds(most)) most += 1;
  return most;
};

// C37
test.each([
  ["a=1", 1],
  ["a=1&b=2&&c", 4],
  ["&&&", 4],
])("%j has %i pairs", (text, count) => {
  expect(smallest((most) => most === 0 || hasMorePairs(text, most))).toBe(count);
});

// C37
test.each([
  ['"a"', 1, 0],
  ["{}", 2, 1],
  ['{"a":1,"b":"x,{[\\"","c":[1,2]}', 6, 2],
  ["[".repeat(1000), 1001, 1000],
  ['"\\\\",1', 2, 0],
])("the JSON %.20s has %i members, %i deep", (text, members, depth) => {
  expect(smallest((most) => exceedsJson(text, { members: most, depth: Infinity }))).toBe(members);
  expect(smallest((most) => exceedsJson(text, { members: Infinity, depth: most }))).toBe(depth);
});
