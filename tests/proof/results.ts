import { globSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { z } from "zod";
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

const vitestReport = z.object({
  startTime: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

const spec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(z.object({ projectName: z.string(), status: z.string() })),
});
const suite = z.object({
  title: z.string(),
  specs: z.array(spec),
  get suites() {
    return z.array(suite).optional();
  },
});
const playwrightReport = z.object({
  config: z.object({ rootDir: z.string() }),
  stats: z.object({ startTime: z.string() }),
  suites: z.array(suite),
});

/**
 * Reads the last reports, a file for each of vitest's projects, for the browser tests and for the bench. A project
 * that never ran is left out.
 */
export function readResults(): TestResult[] {
  const files = globSync(".cache/results/*.json").sort();
  return files.flatMap((file) => {
    const project = basename(file, ".json");
    if (project === "bench") return [];
    const report: unknown = JSON.parse(readFileSync(file, "utf8"));
    return project === "browser"
      ? fromPlaywright(playwrightReport.parse(report))
      : fromVitest(project, vitestReport.parse(report)).filter(
          // npm run test:attack selects tests by name; the others of its files run in their own projects.
          ({ state }) => project !== "attack" || state !== "skipped",
        );
  });
}

function fromVitest(project: string, report: z.infer<typeof vitestReport>): TestResult[] {
  const day = toDay(new Date(report.startTime));
  return report.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      project,
      file: relative(process.cwd(), file),
      name: fullName,
      day,
      state: status === "passed" || status === "failed" ? status : "skipped",
    })),
  );
}

function fromPlaywright({ config, stats, suites }: z.infer<typeof playwrightReport>): TestResult[] {
  const day = toDay(new Date(stats.startTime));
  const within = ({ title, specs, suites = [] }: z.infer<typeof suite>, above: string): TestResult[] => [
    ...specs.flatMap((each) =>
      each.tests.map(({ projectName, status }) => ({
        project: `browser, ${projectName}`,
        day,
        name: `${above}${each.title}`,
        file: relative(process.cwd(), join(config.rootDir, each.file)),
        state: toState(status),
      })),
    ),
    ...suites.flatMap((inner) => within(inner, `${above}${title} `)),
  ];
  return suites.flatMap((top) => within(top, ""));
}

/** Maps a status of Playwright. A test that needed a second attempt has failed (decision 51). */
function toState(status: string): TestResult["state"] {
  if (status === "expected") return "passed";
  return status === "skipped" ? "skipped" : "failed";
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
