/**
 * npm run test:mutants [-- word ...]: inserts each fault of tests/mutants/ whose name or files contain the words into a
 * copy of the project, one at a time, and expects its tests to fail (docs/decisions/0051-test-reliability.md). The tests
 * first run without a fault: one that fails anyway catches nothing. A fault that survives, or whose text is not in the
 * code, fails the run.
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
import { FAULTS } from "../tests/mutants/faults.ts";
import { binFolder, readTail, main, run, print, UserError, toolEnvironment } from "./child-process.mjs";
import { pinnedNode, root } from "./prepare.mjs";

type Fault = (typeof FAULTS)[number];

const NOT_COPIED = [".git", "node_modules", ".cache", "data", "backups", "test-results", "playwright-report"];
/** The timeout of one fault's tests or its build; a fault may cause an endless loop. */
const TIMEOUT_MS = 600_000;

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
  if (chosen.length === 0) throw new UserError(`No fault is about ${words.join(" ")}.`);

  const copy = realpathSync(mkdtempSync(join(tmpdir(), "frontdesk-mutants-")));
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => !NOT_COPIED.includes(relative(root, path)) });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    print(`${chosen.length} faults. Their tests run without any first ...`);
    const problems = await findProblems(copy, chosen);

    const outcomes: Outcome[] = [];
    for (const fault of chosen) {
      const began = performance.now();
      const problem = problems.get(fault.tests);
      const outcome: Outcome = problem
        ? { kind: "could not be tried", detail: `${fault.tests}: ${problem}` }
        : await tryFault(copy, fault);
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
      print(`${outcome.kind} ${seconds} s  ${fault.name} (${fault.file})\n    ${outcome.detail}`);
      outcomes.push(outcome);
    }
    const count = (kind: Outcome["kind"]) => outcomes.filter((outcome) => outcome.kind === kind).length;
    const others = (["no longer applies", "could not be tried"] as const).filter((kind) => count(kind) > 0);
    const kinds = ["caught", "survived", ...others] as const;
    print(`\n${kinds.map((kind) => `${count(kind)} ${kind}`).join(", ")}`);
    return count("caught") === chosen.length ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

/** Runs the tests without a fault. @returns the problem of each file in which a test fails or none runs. */
async function findProblems(copy: string, faults: readonly Fault[]): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  const groups = Map.groupBy(faults, ({ tests, only }) => `${getProject(tests)} ${only}`);
  for (const group of groups.values()) {
    const files = [...new Set(group.map(({ tests }) => tests))];
    const report = await runTests(copy, files, { only: group[0]?.only });
    for (const file of files) {
      const { tests, message } = getResult(report, copy, file);
      const failed = tests.find(({ status }) => status === "failed");
      if (failed) problems.set(file, `it fails without a fault: ${failed.fullName}`);
      else if (!tests.some(({ status }) => status === "passed"))
        problems.set(file, `none of its tests runs: ${message}`);
    }
  }
  return problems;
}

async function tryFault(copy: string, fault: Fault): Promise<Outcome> {
  const { file, find, replace, tests, only } = fault;
  const path = join(copy, file);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const times = before.split(find).length - 1;
  if (times !== 1) return { kind: "no longer applies", detail: `its text occurs ${times} times` };
  const after = before.replace(find, () => replace);
  if (!canBeParsed(path, after)) return { kind: "could not be tried", detail: "it cannot be parsed" };

  const [build, goodBuild] = [join(copy, "build"), join(copy, "build-without-fault")];
  // Everything else runs from its sources: server/ by Node, the rest by vitest.
  const isBuilt = file.startsWith("app/") && tests.startsWith("tests/server/");
  try {
    writeFileSync(path, after);
    if (isBuilt) {
      renameSync(build, goodBuild);
      if (!(await rebuild(copy))) return { kind: "could not be tried", detail: readTail(getLog(copy)) };
    }
    const result = getResult(await runTests(copy, [tests], { only, bail: true }), copy, tests);
    const failed = result.tests.find(({ status }) => status === "failed");
    if (failed) return { kind: "caught", detail: `${basename(tests)}: ${failed.fullName}` };
    // A file that cannot be loaded or is timed out proves nothing.
    return result.tests.some(({ status }) => status === "passed")
      ? { kind: "survived", detail: tests }
      : { kind: "could not be tried", detail: result.message || readTail(getLog(copy)) };
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
  const options = { cwd: copy, env: toolEnvironment(copy), log: getLog(copy), timeout: TIMEOUT_MS };
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
    "--project",
    getProject(files[0] ?? ""),
    ...(bail ? ["--bail=1"] : []),
    ...(only === undefined ? [] : ["--testNamePattern", only]),
    ...files.map((file) => join(copy, file)),
  ];
  const options = { cwd: copy, env: toolEnvironment(copy), log: getLog(copy), timeout: TIMEOUT_MS };
  await run(join(binFolder(copy), "vitest"), args, options);
  return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : { testResults: [] };
}

/** Returns the project of vitest.config.ts that has this file. */
function getProject(tests: string): string {
  if (tests.startsWith("tests/server/")) return "server";
  return tests.startsWith("tests/contracts/") ? "contracts" : "unit";
}

function getResult({ testResults }: Report, copy: string, file: string) {
  const result = testResults.find(({ name }) => name === join(copy, file));
  return { tests: result?.assertionResults ?? [], message: result?.message ?? "" };
}

function getLog(copy: string): string {
  return join(copy, ".cache", "mutants.log");
}
