import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FAULTS } from "./mutants/faults";

it.each(FAULTS)("a fault applies to the code as it stands: $name", ({ file, find, tests }) => {
  expect(existsSync(tests)).toBe(true);
  // `npm run test:mutants` replaces the text, which must occur exactly once.
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
});
