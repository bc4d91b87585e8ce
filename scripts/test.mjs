/**
 * npm test: every check and every test in order, stopping at the first that fails; npm run check is the same without the
 * browser (--without-browser). The last line counts the tests; a check that fails counts as one.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { binFolder, main, run, say, toolEnvironment } from "./child-process.mjs";
import { checkMachine, ensureBuilt, ensureInstalled, root } from "./prepare.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ name: string, command: string[], counts?: (report: any) => Counts }} Step */

const withBrowser = !process.argv.includes("--without-browser");
const REPORT = join(root, ".cache", "test-report.json");

/** @param {string} project @returns {Step} */
const vitest = (project) => ({
  name: `tests: ${project}`,
  command: [
    "vitest",
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${REPORT}`,
  ],
  counts: (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }),
});

/** @type {Step[]} */
const steps = [
  { name: "prettier", command: ["prettier", "--check", "."] },
  { name: "eslint", command: ["eslint", "--max-warnings", "0", "."] },
  { name: "types", command: ["tsc", "--noEmit"] },
  vitest("unit"),
  vitest("contracts"),
  vitest("server"),
];
if (withBrowser) {
  steps.push({
    name: "tests: browser",
    command: ["playwright", "test", "--reporter=list,json"],
    counts: ({ stats }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
    }),
  });
}

await main(async () => {
  checkMachine();
  await ensureInstalled();
  if (withBrowser) await ensureBrowser();
  await ensureBuilt();

  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const table = [];
  let failedStep = "";
  for (const step of steps) {
    if (failedStep) {
      table.push(`${step.name.padEnd(18)}      -     not run`);
      continue;
    }
    say(`\n== ${step.name}`);
    const started = Date.now();
    const { ok, passed, failed, skipped } = await perform(step);
    total.passed += passed;
    total.failed += failed;
    const result = step.counts
      ? `${passed} passed, ${failed} failed, ${skipped} skipped`
      : ok
        ? "ok"
        : "failed";
    table.push(
      `${step.name.padEnd(18)} ${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s   ${result}`,
    );
    if (!ok) failedStep = step.name;
  }
  if (failedStep) say(`\n== FAILED: ${failedStep} (see above)`);
  say(`\n${table.join("\n")}\n\n${total.passed} passed, ${total.failed} failed`);
  return failedStep ? 1 : 0;
});

/**
 * The exit code decides; the report only counts. Where they disagree (a file that does not load, no report) the step has
 * failed, and a failed step counts as one failure at least.
 * @param {Step} step
 */
async function perform({ command: [tool = "", ...args], counts }) {
  rmSync(REPORT, { force: true });
  mkdirSync(join(root, ".cache"), { recursive: true });
  const env = toolEnvironment(root, { PLAYWRIGHT_JSON_OUTPUT_FILE: REPORT });
  const code = await run(join(binFolder(root), tool), args, { cwd: root, env });
  const reported =
    counts && existsSync(REPORT) ? counts(JSON.parse(readFileSync(REPORT, "utf8"))) : undefined;
  const { passed, failed, skipped } = reported ?? { passed: 0, failed: 0, skipped: 0 };
  const ok = code === 0 && failed === 0 && (!counts || passed > 0);
  return { ok, passed, skipped, failed: ok ? 0 : Math.max(failed, 1) };
}
