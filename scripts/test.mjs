/**
 * npm test: every check and every test in order, stopping at the first that fails; npm run check is the same without the
 * browser (--without-browser). The last line counts the tests; a check that fails counts as one. npm run test:faults is the
 * long tests alone (--faults), the attacks among them, and docs/proof.md after them; npm run test:attack is the attacks alone
 * (--attack). Each project's report stays in .cache/results/ for that page.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { binFolder, main, run, say, toolEnvironment } from "./child-process.mjs";
import { checkMachine, ensureBuilt, ensureInstalled, pinnedNode, root } from "./prepare.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ name: string, command: string[], report?: string, counts?: (report: any) => Counts }} Step */

const onlyFaults = process.argv.includes("--faults");
const onlyAttacks = process.argv.includes("--attack");
const withBrowser = !onlyFaults && !onlyAttacks && !process.argv.includes("--without-browser");
const RESULTS = join(root, ".cache", "results");
/** @param {string} project */
const reportOf = (project) => join(RESULTS, `${project}.json`);

/** The ids of docs/hardening.md that npm run test:attack tries, as test names end with them. */
const ATTACKED = String.raw`\((?:[CR]\d+, )*(?:C3[7-9]|C4[0-3]|R3[2-8])\b`;

/** @param {string} project @param {string[]} more @returns {Step} */
const vitest = (project, ...more) => ({
  name: `tests: ${project}`,
  command: [
    "vitest",
    "run",
    "--project",
    project,
    project === "attack" ? "--reporter=verbose" : "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${reportOf(project)}`,
    ...more,
  ],
  report: reportOf(project),
  counts: (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }),
});

/** @type {Step} */
const browser = {
  name: "tests: browser",
  command: ["playwright", "test", "--reporter=list,json"],
  report: reportOf("browser"),
  counts: ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }),
};

/**
 * One after the other; those of one line side by side.
 * @type {Step[][]}
 */
const stages = onlyAttacks
  ? [[vitest("attack", "--testNamePattern", ATTACKED)]]
  : onlyFaults
    ? [[vitest("attack", "--testNamePattern", ATTACKED)], [vitest("faults")]]
    : [
        [
          { name: "prettier", command: ["prettier", "--check", "."] },
          { name: "eslint", command: ["eslint", "--max-warnings", "0", "."] },
          { name: "types", command: ["tsc", "--noEmit"] },
        ],
        ...["unit", "contracts", "server", "alone"].map((project) => [vitest(project)]),
        ...(withBrowser ? [[browser]] : []),
      ];

await main(async () => {
  checkMachine();
  await ensureInstalled();
  if (withBrowser) await ensureBrowser();
  await ensureBuilt();

  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const table = [];
  let failedStep = "";
  for (const stage of stages) {
    if (failedStep) {
      table.push(...stage.map(({ name }) => `${name.padEnd(18)}      -     not run`));
      continue;
    }
    say(`\n== ${stage.map(({ name }) => name).join(", ")}`);
    for (const { name, ok, passed, failed, row } of await Promise.all(stage.map(perform))) {
      total.passed += passed;
      total.failed += failed;
      table.push(row);
      if (!ok) failedStep ||= name;
    }
  }
  if (failedStep) say(`\n== FAILED: ${failedStep} (see above)`);
  say(`\n${table.join("\n")}\n\n${total.passed} passed, ${total.failed} failed`);
  if (onlyFaults)
    await run(pinnedNode(), ["scripts/proof.ts"], { cwd: root, env: toolEnvironment(root, {}) });
  return failedStep ? 1 : 0;
});

/**
 * The exit code decides; the report only counts. Where they disagree (a file that does not load, no report) the step has
 * failed, and a failed step counts as one failure at least.
 * @param {Step} step
 */
async function perform({ name, command: [tool = "", ...args], report, counts }) {
  const began = Date.now();
  if (report) rmSync(report, { force: true });
  mkdirSync(RESULTS, { recursive: true });
  const env = toolEnvironment(root, { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf("browser") });
  const code = await run(join(binFolder(root), tool), args, { cwd: root, env });
  const reported =
    counts && report && existsSync(report) ? counts(JSON.parse(readFileSync(report, "utf8"))) : undefined;
  const { passed, failed, skipped } = reported ?? { passed: 0, failed: 0, skipped: 0 };
  const ok = code === 0 && failed === 0 && (!counts || passed > 0);
  const atLeast = ok ? 0 : Math.max(failed, 1);
  const result = counts ? `${passed} passed, ${atLeast} failed, ${skipped} skipped` : ok ? "ok" : "failed";
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const row = `${name.padEnd(18)} ${seconds.padStart(6)} s   ${result}`;
  return { name, ok, passed, failed: atLeast, row };
}
