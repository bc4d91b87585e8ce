/**
 * npm run test:mutants [-- word ...]: puts each fault of tests/mutants/ whose name or files hold the words into a copy of the
 * project, one at a time, and expects its own tests to fail (docs/decisions/0051-test-reliability.md). The tests run without a fault first:
 * one that fails anyway catches nothing. A fault that survives, or that no longer applies to the code, fails the run.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import ts from "typescript";
import type { Fault } from "../tests/mutants/fault.ts";
import { FAULTS } from "../tests/mutants/faults.ts";
import { binFolder, endOf, main, run, say, Stop, toolEnvironment } from "./child-process.mjs";
import { pinnedNode, root } from "./prepare.mjs";

const NOT_COPIED = [".git", "node_modules", ".cache", "data", "backups", "test-results", "playwright-report"];
/** The timeout of one fault's tests or its build; a fault may cause an endless loop. */
const LONGEST_MS = 600_000;

interface Outcome {
  readonly kind: "caught" | "survived" | "no longer applies" | "could not be tried";
  /** The test that caught it, or the reason why none did. */
  readonly detail: string;
}

/** The part of vitest's JSON report that is used. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    /** Why the file could not be loaded; empty when it could. */
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

await main(async () => {
  const words = process.argv.slice(2);
  const chosen = FAULTS.filter((fault) =>
    words.every((word) => `${fault.name} ${fault.file} ${fault.tests}`.includes(word)),
  );
  if (chosen.length === 0) throw new Stop(`No fault is about ${words.join(" ")}.`);

  const copy = realpathSync(mkdtempSync(join(tmpdir(), "frontdesk-mutants-")));
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => !NOT_COPIED.includes(relative(root, path)) });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    say(`${chosen.length} faults. Their tests run without any first ...`);
    const trouble = await findTrouble(copy, chosen);

    const outcomes: Outcome[] = [];
    for (const fault of chosen) {
      const began = performance.now();
      const problem = trouble.get(fault.tests);
      const outcome: Outcome = problem
        ? { kind: "could not be tried", detail: `${fault.tests}: ${problem}` }
        : await tryFault(copy, fault);
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
      say(`${outcome.kind} ${seconds} s  ${fault.name} (${fault.file})\n    ${outcome.detail}`);
      outcomes.push(outcome);
    }
    const count = (kind: Outcome["kind"]) => outcomes.filter((outcome) => outcome.kind === kind).length;
    const others = (["no longer applies", "could not be tried"] as const).filter((kind) => count(kind) > 0);
    const said = ["caught", "survived", ...others] as const;
    say(`\n${said.map((kind) => `${count(kind)} ${kind}`).join(", ")}`);
    return count("caught") === chosen.length ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

/** @returns the problem of each file of which a test fails without a fault, or none runs. */
async function findTrouble(copy: string, faults: readonly Fault[]): Promise<ReadonlyMap<string, string>> {
  const trouble = new Map<string, string>();
  const groups = Map.groupBy(faults, ({ tests, only }) => `${projectsOf(tests)} ${only}`);
  for (const group of groups.values()) {
    const files = [...new Set(group.map(({ tests }) => tests))];
    const report = await runTests(copy, files, { only: group[0]?.only });
    for (const file of files) {
      const { tests, message } = resultOf(report, copy, file);
      const failed = tests.find(({ status }) => status === "failed");
      if (failed) trouble.set(file, `it fails without a fault: ${failed.fullName}`);
      else if (!tests.some(({ status }) => status === "passed"))
        trouble.set(file, `none of its tests runs: ${message}`);
    }
  }
  return trouble;
}

async function tryFault(copy: string, fault: Fault): Promise<Outcome> {
  const { file, find, replace, tests, only } = fault;
  const path = join(copy, file);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const times = before.split(find).length - 1;
  if (times !== 1) return { kind: "no longer applies", detail: `its text is there ${times} times` };
  const after = before.replace(find, () => replace);
  if (!canBeParsed(path, after)) return { kind: "could not be tried", detail: "it cannot be parsed" };

  const [build, goodBuild] = [join(copy, "build"), join(copy, "build-without-fault")];
  // Everything else runs from its sources: server/ by Node, the rest by vitest.
  const isBuilt = file.startsWith("app/") && tests.startsWith("tests/server/");
  try {
    writeFileSync(path, after);
    if (isBuilt) {
      renameSync(build, goodBuild);
      if (!(await rebuild(copy))) return { kind: "could not be tried", detail: endOf(logOf(copy)) };
    }
    const result = resultOf(await runTests(copy, [tests], { only, bail: true }), copy, tests);
    const failed = result.tests.find(({ status }) => status === "failed");
    if (failed) return { kind: "caught", detail: `${basename(tests)}: ${failed.fullName}` };
    // A file that cannot be loaded or does not end proves nothing.
    return result.tests.some(({ status }) => status === "passed")
      ? { kind: "survived", detail: tests }
      : { kind: "could not be tried", detail: result.message || endOf(logOf(copy)) };
  } finally {
    writeFileSync(path, before);
    if (existsSync(goodBuild)) {
      rmSync(build, { recursive: true, force: true });
      renameSync(goodBuild, build);
    }
  }
}

function canBeParsed(fileName: string, text: string): boolean {
  const { diagnostics = [] } = ts.transpileModule(text, { fileName, reportDiagnostics: true });
  return diagnostics.length === 0;
}

async function rebuild(copy: string): Promise<boolean> {
  const options = { cwd: copy, env: toolEnvironment(copy), log: logOf(copy), timeout: LONGEST_MS };
  return (await run(pinnedNode(copy), ["scripts/prepare.mjs"], options)) === 0;
}

async function runTests(
  copy: string,
  files: readonly string[],
  { only, bail = false }: { only: string | undefined; bail?: boolean },
): Promise<Report> {
  const report = join(copy, ".cache", "mutants.json");
  rmSync(report, { force: true });
  const args = [
    "run",
    "--reporter=json",
    `--outputFile=${report}`,
    ...projectsOf(files[0] ?? "").flatMap((project) => ["--project", project]),
    ...(bail ? ["--bail=1"] : []),
    ...(only === undefined ? [] : ["--testNamePattern", only]),
    ...files.map((file) => join(copy, file)),
  ];
  const options = { cwd: copy, env: toolEnvironment(copy), log: logOf(copy), timeout: LONGEST_MS };
  await run(join(binFolder(copy), "vitest"), args, options);
  return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : { testResults: [] };
}

/** Returns the projects of vitest.config.ts that `npm test` runs; a file is in one of two. */
function projectsOf(tests: string): readonly string[] {
  if (tests.startsWith("tests/server/")) return ["server", "alone"];
  return tests.startsWith("tests/contracts/") ? ["contracts"] : ["unit"];
}

function resultOf({ testResults }: Report, copy: string, file: string) {
  const result = testResults.find(({ name }) => name === join(copy, file));
  return { tests: result?.assertionResults ?? [], message: result?.message ?? "" };
}

function logOf(copy: string): string {
  return join(copy, ".cache", "mutants.log");
}
