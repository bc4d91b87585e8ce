/**
 * npm test: every check and every test, one stage after another; the first that fails is the last. It ends with a line
 * that counts the tests, in which a failed check counts as one.
 *
 *     npm test                        all of it
 *     npm test -- outreach            the tests of files whose path contains "outreach", and no checks
 *     npm test -- -t "restored"       the tests whose name matches
 *     npm run check                   without the browser (--without-browser)
 *     npm run test:faults             the attacks and the long tests alone (--faults)
 *     npm run test:attack             the attacks alone (--attack)
 *
 * Each project's report is in .cache/results/.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBrowser } from "./browser.mjs";
import { binFolder, main, print, run, toolEnvironment } from "./child-process.mjs";
import { ensurePostgres } from "./postgres.mjs";
import { root } from "./prepare.mjs";

const { values: option, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    "without-browser": { type: "boolean", default: false },
    faults: { type: "boolean", default: false },
    attack: { type: "boolean", default: false },
    testNamePattern: { type: "string", short: "t" },
  },
});
const { testNamePattern } = option;
const isFiltered = filters.length > 0 || testNamePattern !== undefined;
const usesBrowser = !option["without-browser"] && !option.faults && !option.attack;
const RESULTS = join(root, ".cache", "results");

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} command
 * @property {string} [report] the file a test run writes its results to; without one it is a check
 */

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
  { name: "imports", command: ["depcruise", "app", "server", "scripts", "tests"] },
  { name: "unused", command: ["knip"] },
];

/** @param {string} project @returns {Step} */
function vitest(project) {
  const report = join(RESULTS, `${project}.json`);
  const reporters = [
    `--reporter=${project === "attack" ? "verbose" : "default"}`,
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  const names = testNamePattern === undefined ? [] : ["--testNamePattern", testNamePattern];
  const command = ["vitest", "run", "--project", project, ...reporters, "--passWithNoTests", ...names];
  return { name: `tests: ${project}`, command: [...command, ...filters], report };
}

/** @returns {Step} */
function playwright() {
  const names = testNamePattern === undefined ? [] : ["--grep", testNamePattern];
  const command = ["playwright", "test", "--reporter=list,json", "--pass-with-no-tests", ...names];
  return { name: "tests: browser", command: [...command, ...filters], report: join(RESULTS, "browser.json") };
}

/** Steps of one stage run at the same time. Tests have stages of their own, because some measure times. @returns {Step[][]} */
function listStages() {
  const attacks = [vitest("attack")];
  if (option.attack) return [attacks];
  if (option.faults) return [attacks, [vitest("faults")]];
  return [
    ...(isFiltered ? [] : [checks]),
    [vitest("unit")],
    [vitest("contracts")],
    [vitest("server")],
    ...(usesBrowser ? [[playwright()]] : []),
  ];
}

await main(async () => {
  await ensurePostgres();
  if (usesBrowser) await ensureBrowser();
  mkdirSync(RESULTS, { recursive: true });
  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const rows = [];
  for (const stage of listStages()) {
    print(`\n== ${stage.map(({ name }) => name).join(", ")}`);
    const results = await Promise.all(stage.map(runStep));
    for (const { row, passed, failed } of results) {
      rows.push(row);
      total.passed += passed;
      total.failed += failed;
    }
    if (total.failed > 0) break;
  }
  print(`\n${rows.join("\n")}`);
  if (isFiltered && total.passed + total.failed === 0) print("\nNo test matches.");
  print(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
});

/**
 * Runs a step. Its exit code decides, its report only counts: a failed step has at least one failure.
 * @param {Step} step
 */
async function runStep({ name, command: [tool = "", ...args], report }) {
  const began = Date.now();
  if (report) rmSync(report, { force: true });
  const env = toolEnvironment(root, { PLAYWRIGHT_JSON_OUTPUT_FILE: join(RESULTS, "browser.json") });
  const code = await run(join(binFolder(root), tool), args, { cwd: root, env });
  const counts =
    report && existsSync(report) ? countTests(JSON.parse(readFileSync(report, "utf8"))) : undefined;
  const { passed = 0, failed = 0 } = counts ?? {};
  const isOk = code === 0 && failed === 0 && (!report || isFiltered || passed > 0);
  const seconds = ((Date.now() - began) / 1000).toFixed(1).padStart(6);
  const result = report ? `${passed} passed, ${failed} failed` : isOk ? "ok" : "failed";
  return {
    row: `${name.padEnd(18)} ${seconds} s   ${result}`,
    passed,
    failed: isOk ? 0 : Math.max(failed, 1),
  };
}

/**
 * Counts the tests of a report of vitest or of Playwright, where one that needed a second attempt has failed.
 * @param {any} report
 */
function countTests({ stats, numPassedTests, numFailedTests }) {
  if (stats) return { passed: stats.expected, failed: stats.unexpected + stats.flaky };
  return { passed: numPassedTests, failed: numFailedTests };
}
