import { expect, it } from "vitest";
import { toSearchTerms } from "./log-store";

// C37
it.each([
  ["", []],
  [" \t\n ", []],
  ["Database  AWAY", ["database", "away"]],
  ["ÉMILE émile", ["Émile", "émile"]],
  ["get GET Get", ["get"]],
  ["a at state e", ["state"]],
  ["away a ".repeat(1000), ["away"]],
  ["1 2 3 4 5 6 7 8 9", ["1", "2", "3", "4", "5", "6", "7", "8"]],
])("%j is split into %j", (search, terms) => {
  expect(toSearchTerms(search)).toEqual(terms);
});
