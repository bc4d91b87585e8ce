import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { z } from "zod";
import { namesId } from "./hardening";
import type { NamedTest } from "./row";

/** Where the last report of every run lies: a file for each of vitest's projects, the browser's, and that of the bench. */
const RESULTS = ".cache/results";

/** A test as it ended in the last run of a project. */
export interface TestResult {
  readonly project: string;
  /** From the top of the project's folder. */
  readonly file: string;
  /** With the names of what it stands in. */
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

/** What the last runs of all projects reported; a project that never ran is not in it. */
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
  const day = dayOf(new Date(report.startTime));
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
  const day = dayOf(new Date(stats.startTime));
  const within = ({ title, specs, suites = [] }: Suite, above: string): TestResult[] => [
    ...specs.flatMap((each) =>
      each.tests.map(({ projectName, status }) => ({
        project: `browser, ${projectName}`,
        day,
        name: `${above}${each.title}`,
        file: relative(process.cwd(), join(config.rootDir, each.file)),
        state: stateOf(status),
      })),
    ),
    ...suites.flatMap((inner) => within(inner, `${above}${title} `)),
  ];
  return suites.flatMap((top) => within(top, ""));
}

/** A test that needed a second try has failed (decision 51). */
function stateOf(status: string): TestResult["state"] {
  if (status === "expected") return "passed";
  return status === "skipped" ? "skipped" : "failed";
}

interface Outcome {
  readonly state: "passed" | "failed" | "skipped" | "not run";
  /** How many there were: a name may stand for several. */
  readonly count: number;
  /** The last day one of them ran. */
  readonly day: string;
}

/** How the tests of that name ended, all together: one that failed or was skipped is enough, on whichever database. */
export function outcomeOf([file, name]: NamedTest, results: readonly TestResult[]): Outcome {
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

/** "(C5)" is every test that names C5, anything else a part of a name. */
export function isNamed(name: string): (text: string) => boolean {
  const [, id] = /^\(([CR]\d+)\)$/.exec(name) ?? [];
  if (id === undefined) return (text) => text.includes(name);
  const pattern = namesId(id);
  return (text) => pattern.test(text);
}

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
