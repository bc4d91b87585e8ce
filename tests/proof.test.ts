import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { proofPage, sections, getVerdict } from "./proof/page";
import { getTestOutcome, type TestResult } from "./proof/results";
import { hardeningRows, namesId, row, specificationRows } from "./proof/rows";

const range = (letter: string, last: number) =>
  Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
const result = (state: TestResult["state"], name = "a test of it (C4, C5)"): TestResult => ({
  project: "unit",
  file: "tests/a.test.ts",
  name,
  state,
  day: "2026-11-21",
});
const ROW = row("it holds", "tests/a.test.ts (C5)");

describe("the rows of docs/proof.md", () => {
  const rows = sections().flatMap((section) => section.rows);

  it.each(rows.map((each) => [each.what, each] as const))(
    "%s: its test files exist and name its ids, or it says why there are none",
    (_, each) => {
      const missing = each.tests.filter(({ file, id }) => {
        const isRun = /\.(test|spec)\.tsx?$/.test(file) || file.startsWith("tests/bench/");
        if (!isRun || !existsSync(file)) return true;
        return id !== undefined && !namesId(id).test(readFileSync(file, "utf8"));
      });
      expect(missing).toEqual([]);
      expect(each.tests.length > 0 || (each.notHeld ?? "") !== "").toBe(true);
    },
  );

  it("include every control and every resilience promise", () => {
    const ids = new Set(hardeningRows().flatMap((each) => each.ids));
    expect([...range("C", 36), ...range("R", 31)].filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe("the verdict on a row", () => {
  it("is that it holds when every test with its id passed when it last ran", () => {
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

  it("is that it does not hold, whatever passed, when the row says why", () => {
    expect(getVerdict({ ...ROW, notHeld: "nobody looked" }, [result("passed")])).toMatchObject({
      holds: false,
      why: "Not held: nobody looked",
    });
  });

  it("is shown on the page, which counts the verdicts", () => {
    const page = proofPage([{ title: "Some", about: "", rows: [ROW] }], [result("failed")], "2026-11-21");
    expect(page).toContain("| Some | 1 | 0 | 0 | 1 |");
    expect(page).toContain("| it holds | `tests/a.test.ts` | **failed** |");
  });
});

it("an id is not found in a longer one, and a file without an id stands for all its tests", () => {
  const results = [result("passed", "it (C33, C34)"), result("failed", "another")];
  const file = "tests/a.test.ts";
  expect(getTestOutcome({ file, id: "C3" }, results).state).toBe("not run");
  expect(getTestOutcome({ file, id: "C33" }, results).state).toBe("passed");
  expect(getTestOutcome({ file }, results).state).toBe("failed");
});

it("rows of docs/hardening.md without a file are rows that are not held", () => {
  const [held, not] = hardeningRows(
    "| C1 | passwords ([decision 1](x.md)) | `tests/contracts/accounts.test.ts` |\n| C2, R3 | what | nobody did it |",
  );
  expect(held).toMatchObject({
    ids: ["C1"],
    what: "C1: passwords",
    tests: [{ file: "tests/contracts/accounts.test.ts", id: "C1" }],
  });
  expect(not).toMatchObject({ ids: ["C2", "R3"], tests: [], notHeld: "nobody did it" });
});

it("a row of docs/specification.md has its test files, or says why it has none", () => {
  const rows = specificationRows(
    [
      "| Requirement | Held by | Ruling |",
      "| --- | --- | --- |",
      "| a title | `tests/a.test.ts`<br>`app/routes/($form)/b.test.ts` (C9) | |",
      "| a token | not ours: inside the vendor's code | |",
    ].join("\n"),
  );
  expect(rows).toEqual([
    {
      what: "a title",
      tests: [{ file: "tests/a.test.ts" }, { file: "app/routes/($form)/b.test.ts", id: "C9" }],
    },
    { what: "a token", tests: [], notHeld: "not ours: inside the vendor's code" },
  ]);
});
