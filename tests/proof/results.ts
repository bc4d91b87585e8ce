import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { z } from "zod";
import { namesId } from "./hardening";
import type { NamedTest } from "./row";

/** Folder of the last reports: a file for each of vitest's projects, for the browser tests and for the bench. */
const RESULTS = ".cache/results";

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
interface Suite {
  readonly title: string;
  readonly specs: readonly z.infer<typeof spec>[];
  readonly suites?: readonly Suite[] | undefined;
}
const suite: z.ZodType<Suite> = z.lazy(() =>
  z.object({ title: z.string(), specs: z.array(spec), suites: z.array(suite).optional() }),
);
const playwrightReport = z.object({
  config: z.object({ rootDir: z.string() }),
  stats: z.object({ startTime: z.string() }),
  suites: z.array(suite),
});

/** Reads the last reports of all projects; a project that never ran is left out. */
export function readResults(folder = RESULTS): TestResult[] {
  const files = existsSync(folder) ? globSync(join(folder, "*.json")).sort() : [];
  return files.flatMap((file) => {
    const project = basename(file, ".json");
    if (project === "bench") return [];
    const report: unknown = JSON.parse(readFileSync(file, "utf8"));
    return project === "browser"
      ? fromPlaywright(playwrightReport.parse(report))
      : fromVitest(project, vitestReport.parse(report));
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
  const within = ({ title, specs, suites = [] }: Suite, above: string): TestResult[] => [
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

interface Outcome {
  readonly state: "passed" | "failed" | "skipped" | "not run";
  /** Number of tests; a name may match several. */
  readonly count: number;
  /** Last day on which one of them ran. */
  readonly day: string;
}

/** Combines the results of the tests of that name: one failed or skipped test decides, on whichever database. */
export function getTestOutcome([file, name]: NamedTest, results: readonly TestResult[]): Outcome {
  const isMeant = isNamed(name);
  const ran = results.filter((each) => each.file === file && isMeant(each.name));
  const state = (["failed", "skipped"] as const).find((bad) => ran.some((each) => each.state === bad));
  const day =
    ran
      .map((each) => each.day)
      .sort()
      .at(-1) ?? "";
  return { state: ran.length === 0 ? "not run" : (state ?? "passed"), count: ran.length, day };
}

/** Matches names of tests: "(C5)" matches every test that names C5, any other text a part of the name. */
export function isNamed(name: string): (text: string) => boolean {
  const [, id] = /^\(([CR]\d+)\)$/.exec(name) ?? [];
  if (id === undefined) return (text) => text.includes(name);
  const pattern = namesId(id);
  return (text) => pattern.test(text);
}

export const toDay = (date: Date): string => date.toISOString().slice(0, 10);
