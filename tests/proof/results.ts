import { globSync, readFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { listResults } from "../../scripts/test-report.mjs";
import { namesId, type Proof } from "./rows";

/** Result of a test in the last run of a project. */
export interface TestResult {
  readonly project: string;
  /** Path from the root of the project. */
  readonly file: string;
  /** Full name, including the names of its describe blocks. */
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  /** Of UTC, as 2026-11-21. */
  readonly day: string;
}

/**
 * Reads the last reports, a file for each of vitest's projects, for the browser tests and for the bench. A project
 * that never ran is left out.
 */
export function readResults(): TestResult[] {
  const files = globSync(".cache/results/*.json").sort();
  return files.flatMap((path) => {
    const project = basename(path, ".json");
    if (project === "bench") return [];
    const report = JSON.parse(readFileSync(path, "utf8"));
    const day = toDay(new Date(report.startTime ?? report.stats.startTime));
    const results = listResults(report).map(({ file, name, state, project: browserProject }) => ({
      project: browserProject === undefined ? project : `browser, ${browserProject}`,
      file: relative(process.cwd(), file),
      name,
      state,
      day,
    }));
    // npm run test:attack selects tests by name; the others of its files run in their own projects.
    return results.filter(({ state }) => project !== "attack" || state !== "skipped");
  });
}

/** Combines the results of these tests: one failed or skipped test decides, on whichever database. */
export function getTestOutcome(
  { file, id }: Proof,
  results: readonly TestResult[],
): { state: TestResult["state"] | "not run"; day: string } {
  const isNamed = (name: string) => id === undefined || namesId(id).test(name);
  const ran = results.filter((each) => each.file === file && isNamed(each.name));
  const [latest] = ran.toSorted((a, b) => b.day.localeCompare(a.day));
  if (!latest) return { state: "not run", day: "" };
  const bad = (["failed", "skipped"] as const).find((state) => ran.some((each) => each.state === state));
  return { state: bad ?? "passed", day: latest.day };
}

export const toDay = (date: Date): string => date.toISOString().slice(0, 10);
