import { readFileSync } from "node:fs";
import type { NamedTest, Row } from "./row";

/** The hand-written page: a table for each part of the specification. */
const PAGE = "docs/specification.md";

/**
 * Reads the rows of docs/specification.md: | Requirement | Held by | Ruling |. "Held by" names tests, each as
 * `file` and a part of the test's name, separated by <br>; or it says why no test holds the requirement.
 */
export function specificationRows(page = readFileSync(PAGE, "utf8")): Row[] {
  return page.split("\n").flatMap((line) => {
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("\\|", "|"));
    const [what = "", heldBy = ""] = cells;
    if (cells.length !== 3 || what === "Requirement" || /^-+$/.test(what)) return [];
    const tests = heldBy.split("<br>").map(readTest);
    if (tests.every((test) => test !== undefined)) return [{ what, tests }];
    return [{ what, tests: [], notHeld: heldBy }];
  });
}

function readTest(text: string): NamedTest | undefined {
  const [, file, name] = /^`([^`]+)` (.+)$/.exec(text.trim()) ?? [];
  return file === undefined || name === undefined ? undefined : [file, name];
}
