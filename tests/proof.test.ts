import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hardeningRows } from "./proof/hardening";
import { proofPage, sections, getVerdict } from "./proof/page";
import { isNamed, getTestOutcome } from "./proof/results";
import type { TestResult } from "./proof/results";
import { notHeld, row } from "./proof/row";
import { specificationRows } from "./proof/specification";

const range = (letter: string, last: number) =>
  Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
const result = (state: TestResult["state"], name = "a test of it (C4, C5)"): TestResult => ({
  project: "unit",
  file: "tests/a.test.ts",
  name,
  state,
  day: "2026-11-21",
});
const ROW = row("it holds", ["tests/a.test.ts", "(C5)"]);

describe("the rows of docs/proof.md", () => {
  const rows = sections().flatMap((section) => section.rows);

  it.each(rows.map((each) => [each.what, each] as const))(
    "%s: its tests are there, or why not is said",
    (_, each) => {
      const missing = each.tests.filter(([file, name]) => {
        const isRun = /\.(test|spec)\.tsx?$/.test(file) || file.startsWith("tests/bench/");
        return !isRun || !existsSync(file) || !isNamed(name)(readFileSync(file, "utf8"));
      });
      expect(missing).toEqual([]);
      // Placeholders in a name's template do not occur in the name of the test that ran.
      expect(each.tests.filter(([, name]) => /%[sijdo]|\$\{?\w/.test(name))).toEqual([]);
      expect(each.tests.length > 0 || (each.notHeld ?? "") !== "").toBe(true);
    },
  );

  it("have every control and every promise about failure", () => {
    const ids = new Set(hardeningRows().flatMap((each) => each.ids));
    expect([...range("C", 36), ...range("R", 31)].filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe("what is said of a row", () => {
  it("is that it holds when every test of that name passed when it last ran", () => {
    const { holds, result: said } = getVerdict(ROW, [result("passed"), result("passed", "another (C6)")]);
    expect([holds, said]).toEqual([true, "passed 2026-11-21"]);
  });

  it.each<[string, TestResult[]]>([
    ["failed", [result("passed"), result("failed")]],
    ["not run", []],
    ["skipped", [result("skipped")]],
    ["skipped", [result("passed"), result("skipped")]],
    ["not run", [result("passed", "a test of C5")]],
  ])("is **%s** otherwise", (state, results) => {
    const { holds, why } = getVerdict(ROW, results);
    expect([holds, why]).toEqual([false, expect.stringContaining(`**${state}**`)]);
  });

  it("is that it does not hold, whatever passed, when a reason stands in it", () => {
    const some = notHeld("it holds", "nobody looked", ...ROW.tests);
    expect(getVerdict(some, [result("passed")])).toMatchObject({
      holds: false,
      why: "Not held: nobody looked",
    });
  });

  it("is on the page, which counts them", () => {
    const page = proofPage([{ title: "Some", about: "", rows: [ROW] }], [result("failed")], "2026-11-21");
    expect(page).toContain("| Some | 1 | 0 | 0 | 1 |");
    expect(page).toContain("| it holds | `tests/a.test.ts` | **failed** |");
  });
});

it("an id is not found in one that is longer", () => {
  expect(getTestOutcome(["tests/a.test.ts", "(C3)"], [result("passed", "it (C33, C34)")]).state).toBe(
    "not run",
  );
  expect(getTestOutcome(["tests/a.test.ts", "(C33)"], [result("passed", "it (C33, C34)")]).state).toBe(
    "passed",
  );
});

it("rows without a file are rows that are not held", () => {
  const [held, not] = hardeningRows(
    "| C1 | passwords ([decision 1](x.md)) | `tests/contracts/accounts.test.ts` |\n| C2, R3 | what | nobody did it |",
  );
  expect(held).toMatchObject({
    ids: ["C1"],
    what: "C1: passwords",
    tests: [["tests/contracts/accounts.test.ts", "(C1)"]],
  });
  expect(not).toMatchObject({ ids: ["C2", "R3"], tests: [], notHeld: "nobody did it" });
});

it("a row of the specification has its tests, or says why it has none", () => {
  const rows = specificationRows(
    [
      "| Requirement | Held by | Ruling |",
      "| --- | --- | --- |",
      "| a title | `tests/a.test.ts` says a \\| b<br>`tests/b.test.ts` says more | |",
      "| a token | not ours: inside the vendor's code | |",
    ].join("\n"),
  );
  expect(rows).toEqual([
    {
      what: "a title",
      tests: [
        ["tests/a.test.ts", "says a | b"],
        ["tests/b.test.ts", "says more"],
      ],
    },
    { what: "a token", tests: [], notHeld: "not ours: inside the vendor's code" },
  ]);
});
