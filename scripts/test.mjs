/**
 * npm test: every check and every test, ending with a line that counts the tests. Steps of a stage run in parallel; a failed
 * stage is the last. A failed check counts as one failed test.
 *
 *     npm test                        all of it
 *     npm test -- outreach            the tests of files whose path contains "outreach", and no checks
 *     npm test -- -t "(R22)"          the tests whose name matches
 *     npm run check                   without the browser (--without-browser)
 *     npm run test:faults             the long tests alone (--faults), the attacks among them, and docs/proof.md after them
 *     npm run test:attack             the attacks alone (--attack)
 *
 * Each project's report stays in .cache/results/ for docs/proof.md, each step's output in .cache/logs/.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { ensureBrowser } from "./browser.mjs";
import { binFolder, main, run, print, toolEnvironment } from "./child-process.mjs";
import { ensurePostgres } from "./postgres.mjs";
import { ensureInstalled, pinnedNode, root } from "./prepare.mjs";
import { listResults } from "./test-report.mjs";

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} command
 * @property {string} [report] the file a test run writes its results to; without one it is a check
 */

const { values: option, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    "without-browser": { type: "boolean", default: false },
    faults: { type: "boolean", default: false },
    attack: { type: "boolean", default: false },
    testNamePattern: { type: "string", short: "t" },
  },
});
const isFiltered = filters.length > 0 || option.testNamePattern !== undefined;
const isDaily = !option.faults && !option.attack;
/** docs/proof.md uses complete runs only. */
const RESULTS = join(root, ".cache", isFiltered ? "results-of-some" : "results");
const LOGS = join(root, ".cache", "logs");
const SLOWEST = 10;

/** Test names with the ids of docs/hardening.md that npm run test:attack covers. */
const ATTACK_PATTERN = String.raw`\((?:[CR]\d+, )*(?:C3[7-9]|C4\d|C5[0-2]|R3[2-8]|R5[3-5])\b`;

/** @param {string} project @param {string} [namePattern] @returns {Step} */
function vitest(project, namePattern = option.testNamePattern) {
  const report = join(RESULTS, `${project}.json`);
  return {
    name: `tests: ${project}`,
    command: [
      "vitest",
      "run",
      "--project",
      project,
      project === "attack" ? "--reporter=verbose" : "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      "--passWithNoTests",
      ...(namePattern === undefined ? [] : ["--testNamePattern", namePattern]),
      ...filters,
    ],
    report,
  };
}

/** @returns {Step} */
function playwright() {
  const filter = option.testNamePattern === undefined ? [] : ["--grep", option.testNamePattern];
  return {
    name: "tests: browser",
    command: ["playwright", "test", "--reporter=list,json", "--pass-with-no-tests", ...filter, ...filters],
    report: join(RESULTS, "browser.json"),
  };
}

/** @type {Step} */
const build = { name: "build", command: ["node", "scripts/prepare.mjs"] };

/** @type {Step[]} */
const checks = [
  // TypeScript 7 takes a third of the time; ESLint and Remix still need the API of 5, so both are installed.
  { name: "types", command: ["node", "node_modules/typescript-native/bin/tsc", "--noEmit"] },
  {
    name: "eslint",
    command: ["eslint", "--max-warnings", "0", "--cache", "--cache-location", ".cache/eslint/", "."],
  },
  {
    name: "prettier",
    command: ["prettier", "--check", "--cache", "--cache-location", ".cache/prettier", "."],
  },
];

/** @returns {Step[][]} */
function listStages() {
  const attack = [vitest("attack", option.testNamePattern ?? ATTACK_PATTERN)];
  if (option.attack) return [[build], attack];
  if (option.faults) return [[build], attack, [vitest("faults")]];
  return [
    // The tests of later stages measure times, so each runs alone on the machine.
    [build, ...(isFiltered ? [] : checks), vitest("unit")],
    [vitest("contracts")],
    [vitest("server")],
    ...(option["without-browser"] ? [] : [[playwright()]]),
  ];
}

await main(async () => {
  await ensureInstalled();
  await ensurePostgres();
  if (isDaily && !option["without-browser"]) await ensureBrowser();
  mkdirSync(RESULTS, { recursive: true });

  /** @type {Awaited<ReturnType<typeof runStep>>[]} */
  const results = [];
  /** @type {string[]} */
  const notRun = [];
  for (const stage of listStages()) {
    const names = stage.map(({ name }) => name);
    if (results.some(({ failed }) => failed > 0)) {
      notRun.push(...names.map((name) => `${name.padEnd(18)}      -     not run`));
    } else {
      print(`\n== ${names.join(", ")}`);
      results.push(...(await Promise.all(stage.map((step) => runStep(step, stage.length > 1)))));
    }
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  const tests = results.flatMap((result) => result.tests);
  const failures = results.flatMap((result) => result.failures);
  if (tests.length > 0) print(`\nThe slowest files:\n${formatSlowest(tests)}`);
  print(`\n${[...results.map(({ row }) => row), ...notRun].join("\n")}`);
  if (failures.length > 0) print(`\nFailed:\n${failures.join("\n").replaceAll(`${root}/`, "")}`);
  if (isFiltered && passed + failed === 0) print("\nNo test matches.");
  if (option.faults) await run(pinnedNode(), ["scripts/proof.ts"], { cwd: root, env: toolEnvironment(root) });
  print(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
});

/**
 * Runs a step. The exit code decides; the report only counts. Where they disagree (a file that does not load, no
 * report) the step has failed, and a failed step counts as at least one failure.
 * @param {Step} step
 * @param {boolean} isParallel its output goes to a file of its own, which is printed when it failed
 */
async function runStep({ name, command, report }, isParallel) {
  const [tool = "", ...args] = command;
  const began = Date.now();
  if (report) rmSync(report, { force: true });
  const log = isParallel ? join(LOGS, `${name.replace(/\W+/g, "-")}.log`) : undefined;
  const code = await run(join(binFolder(root), tool), args, {
    cwd: root,
    env: toolEnvironment(root, { PLAYWRIGHT_JSON_OUTPUT_FILE: join(RESULTS, "browser.json") }),
    log,
  });
  const tests = report && existsSync(report) ? listResults(JSON.parse(readFileSync(report, "utf8"))) : [];
  const [passed, failed, skipped] = ["passed", "failed", "skipped"].map(
    (state) => tests.filter((test) => test.state === state).length,
  );
  const ok = code === 0 && failed === 0 && (!report || isFiltered || passed > 0);
  const atLeast = ok ? 0 : Math.max(failed, 1);
  if (log && !ok) print(readFileSync(log, "utf8"));
  const result = report ? `${passed} passed, ${atLeast} failed, ${skipped} skipped` : ok ? "ok" : "failed";
  const row = `${name.padEnd(18)} ${formatSeconds((Date.now() - began) / 1000)}   ${result}`;
  if (isParallel) print(row);
  const failures = tests
    .filter(({ state }) => state === "failed")
    .map((test) => `${test.file}: ${test.name}${test.project ? ` (${test.project})` : ""}`);
  return { passed, failed: atLeast, row, tests, failures: ok || failed > 0 ? failures : [name] };
}

/**
 * Formats the files whose tests took longest, in all projects together.
 * @param {import("./test-report.mjs").TestResult[]} tests
 */
function formatSlowest(tests) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const { file, ms } of tests) times.set(file, (times.get(file) ?? 0) + ms);
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SLOWEST)
    .map(([file, ms]) => `${formatSeconds(ms / 1000)}   ${relative(root, file)}`)
    .join("\n");
}

/** @param {number} seconds */
function formatSeconds(seconds) {
  return `${seconds.toFixed(1).padStart(6)} s`;
}
